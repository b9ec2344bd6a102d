import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../../examples/shared/open-store.ts'
import { runExample, runWithout } from '../../helpers/run-example.ts'
import { type ServedStore, servedKinds } from '../../helpers/served-stores.ts'
import { socialArchive, tarOf } from '../social-archive.ts'

/** The cluster stands for the single server too. */
const kinds = servedKinds('the tour', { every: true }).filter(({ name }) => name !== 'Redis')

describe('the tour of the demo', () => {
  let printed: string
  beforeAll(async () => {
    printed = await runExample('demo/tour.ts')
  })

  describe.each(kinds)('on $name', ({ start }) => {
    let served: ServedStore
    beforeAll(async () => {
      served = await start()
    })
    afterAll(() => served?.stop())

    it('prints what it prints in memory, also where an earlier start left its graph', async () => {
      expect(await runExample('demo/tour.ts', '--store', served.url)).toBe(printed)
      expect(await runExample('demo/tour.ts', '--store', served.url)).toBe(printed)
    })
  })

  it('ends with a message alone where its store cannot be had', async () => {
    await expect(runExample('demo/tour.ts', '--store', 'graph.db')).rejects.toThrow(
      /^demo\/tour\.ts failed with 2:\nExpected the URL of a store, came "graph\.db"/,
    )
  })

  it('says how to install the client of its store where that is missing', async () => {
    await expect(runWithout('pg', 'demo/tour.ts', '--store', 'postgres://localhost/graph')).rejects.toThrow(
      /^demo\/tour\.ts failed with 2:\nThis store needs a client: npm install pg\n$/,
    )
  })
})

describe('the social archive', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kithgraph-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('answers from a file what it answers from memory, though it was loaded before', async () => {
    const archive = join(folder, 'social.tar.gz')
    await writeFile(archive, gzipSync(tarOf(socialArchive)))
    const answersOf = async (...input: string[]): Promise<unknown> => {
      const report = JSON.parse(await runExample('social-archive/main.ts', archive, '--json', ...input))
      return report.reads.map(({ name, waves, answer }: Record<string, unknown>) => ({ name, waves, answer }))
    }
    const store = ['--store', `sqlite:${join(folder, 'archive.db')}`]
    const [inMemory, inFile] = await Promise.all([answersOf(), answersOf(...store)])
    expect(inFile).toEqual(inMemory)
    expect(await answersOf(...store)).toEqual(inMemory)
  })
})

describe('a store named by a URL', () => {
  it.each(['graph.db', 'sqlite:', 'mysql://localhost/graph', 'postgres://a:b@:c:d'])(
    'has to have one of the forms, which the fault names: %s',
    async url => {
      const message = await openStore(url, 'tests').then(() => 'opened', String)
      for (const form of ['memory:', 'sqlite:./graph.db', 'postgres://', 'redis://', '?cluster=1'])
        expect(message).toContain(form)
    },
  )

  it('is named in a fault without its password', async () => {
    const refused = openStore('mysql://ada:secret@localhost/graph', 'tests')
    await expect(refused).rejects.toThrow('came "mysql://…@localhost/graph"')
  })

  it.each([
    ['postgres://127.0.0.1:1/graph', /ECONNREFUSED/],
    ['redis://127.0.0.1:1', /ECONNREFUSED/],
    ['redis://127.0.0.1:1?cluster=1', /refresh slots/],
    ['sqlite:/not/there/graph.db', /directory does not exist/],
  ])('is refused with what the client says, where it cannot be reached: %s', async (url, says) => {
    await expect(openStore(url, 'tests')).rejects.toThrow(says)
  })
})
