import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../../examples/shared/open-store.ts'
import { runExample, runExampleWithout } from '../../helpers/run-example.ts'
import { availableStoreServers, type StoreServer } from '../../helpers/store-servers.ts'
import { createTar, socialArchive } from '../social-archive.ts'

/** The test of the Redis Cluster also covers a single Redis server. */
const kinds = availableStoreServers('the tour', { every: true }).filter(({ name }) => name !== 'Redis')

describe('the tour of the demo', () => {
  let printed: string
  beforeAll(async () => {
    printed = await runExample('demo/tour.ts')
  })

  describe.each(kinds)('on $name', ({ start }) => {
    let served: StoreServer
    beforeAll(async () => {
      served = await start()
    })
    afterAll(() => served?.stop())

    it('prints the same as in memory, even if the store contains the graph of an earlier run', async () => {
      expect(await runExample('demo/tour.ts', '--store', served.url)).toBe(printed)
      expect(await runExample('demo/tour.ts', '--store', served.url)).toBe(printed)
    })
  })

  it('prints only a message and exits if its store cannot be opened', async () => {
    await expect(runExample('demo/tour.ts', '--store', 'graph.db')).rejects.toThrow(
      /^demo\/tour\.ts failed with 2:\nExpected the URL of a store; received "graph\.db"/,
    )
  })

  it('prints the command that installs the missing client of its store', async () => {
    await expect(
      runExampleWithout('pg', 'demo/tour.ts', '--store', 'postgres://localhost/graph'),
    ).rejects.toThrow(/^demo\/tour\.ts failed with 2:\nThis store needs a client: npm install pg\n$/)
  })
})

describe('the social archive', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kithgraph-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('returns the same results from a file as from memory, even if it is already loaded', async () => {
    const archive = join(folder, 'social.tar.gz')
    await writeFile(archive, gzipSync(createTar(socialArchive)))
    const readResults = async (...input: string[]): Promise<unknown> => {
      const report = JSON.parse(await runExample('social-archive/main.ts', archive, '--json', ...input))
      return report.reads.map(({ name, reads, result }: Record<string, unknown>) => ({ name, reads, result }))
    }
    const store = ['--store', `sqlite:${join(folder, 'archive.db')}`]
    const [inMemory, inFile] = await Promise.all([readResults(), readResults(...store)])
    expect(inFile).toEqual(inMemory)
    expect(await readResults(...store)).toEqual(inMemory)
  })
})

describe('a store named by a URL', () => {
  it.each(['graph.db', 'sqlite:', 'mysql://localhost/graph', 'postgres://a:b@:c:d'])(
    'is rejected with a list of the supported forms if its URL is invalid: %s',
    async url => {
      const message = await openStore(url, 'tests').then(() => 'opened', String)
      for (const form of ['memory:', 'sqlite:./graph.db', 'postgres://', 'redis://', 'redis+cluster://'])
        expect(message).toContain(form)
    },
  )

  it('appears in an error without its password', async () => {
    const rejected = openStore('mysql://ada:secret@localhost/graph', 'tests')
    await expect(rejected).rejects.toThrow('received "mysql://…@localhost/graph"')
  })

  it.each([
    ['postgres://127.0.0.1:1/graph', /ECONNREFUSED/],
    ['redis://127.0.0.1:1', /ECONNREFUSED/],
    ['redis+cluster://127.0.0.1:1', /refresh slots/],
    ['sqlite:/not/there/graph.db', /directory does not exist/],
  ])(
    'fails with the error of the database client if the server cannot be reached: %s',
    async (url, message) => {
      await expect(openStore(url, 'tests')).rejects.toThrow(message)
    },
  )
})
