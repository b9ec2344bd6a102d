import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../examples/demo/command-line.ts'
import { createSqliteShop } from '../../examples/existing-database/open-shop.ts'
import { PROJECT, runCli } from '../helpers/run-cli.ts'
import { runExample } from '../helpers/run-example.ts'
import { createTemporaryFolder } from '../helpers/sqlite-databases.ts'
import { startExample } from '../helpers/start-example.ts'

let folder: ReturnType<typeof createTemporaryFolder>
beforeAll(() => {
  folder = createTemporaryFolder()
})
afterAll(() => folder.remove())

describe('the example existing-database in SQLite', () => {
  const createShop = async (): Promise<string> => {
    const url = `sqlite:${join(folder.path, `${crypto.randomUUID()}.db`)}`
    await runExample('existing-database/create.ts', url)
    return url
  }

  it('has the rows of Chinook, whose invoices are the sums of their lines', () => {
    const database = createSqliteShop()
    const read = (sql: string): unknown => database.prepare(sql).pluck().all()
    const tables = ['artist', 'album', 'track', 'playlist_track', 'customer', 'invoice', 'invoice_line']
    const counts = tables.flatMap(table => read(`select count(*) from ${table}`))
    expect(counts).toEqual([275, 347, 3503, 8715, 59, 412, 2240])
    const sums = 'select round(sum(unit_price * quantity), 2) from invoice_line group by invoice_id'
    expect(read(sums)).toEqual(read('select total from invoice order by invoice_id'))
    database.close()
  })

  it('has the description that introspect writes', async () => {
    const out = join(folder.path, 'db.ts')
    await runCli(['introspect', await createShop(), '--out', out])
    const written = join(PROJECT, 'examples/existing-database/db.ts')
    expect(readFileSync(out, 'utf8')).toBe(readFileSync(written, 'utf8'))
  })

  it('has every index that its lists need', async () => {
    const graph = 'examples/existing-database/graph.ts'
    const { status, lines } = await runCli(['check', 'tables', await createShop(), graph])
    expect([status, lines]).toEqual([0, ['checked 14 tables: no errors']])
  })

  it('prints an order, a filter, a collection, pages of microseconds, and what a policy hides', async () => {
    const printed = await runExample('existing-database/main.ts')
    expect(printed).toContain('"drafts": 2')
    expect(printed).toContain('{ "name": "Dazed And Confused", "id": "track-1666" }')
    expect(printed).toContain('"total_count": 347')
    expect(printed).toMatch(/^\d+ reviews, one on each page$/m)
    expect(printed).toContain('"customer": "node_not_found"')
    expect(printed).toContain('"last_name": "Köhler"')
  })
})

describe('the action of the example existing-database', () => {
  it('writes a review once with its own SQL, reads it, and rejects its key with other parameters', async () => {
    expect(JSON.parse(await runExample('existing-database/write-review.ts'))).toMatchObject({
      added: 1,
      review: {
        body: 'The first side is perfect.',
        rating: 5,
        state: 'published',
        customer: { id: 'customer-14' },
        album: { id: 'album-2' },
      },
      failure: 'key_reused',
    })
  })
})

describe('npm start -- --tables', () => {
  const command = { name: 'npm start', description: 'Serves a graph.', isServer: true }

  it('serves the shop in SQLite, with requests that have responses', async () => {
    const demo = await startExample('demo/main.ts', /Ctrl-C stops the server\.\n/, ['--tables'])
    const urls = [...demo.printed.matchAll(/^curl -g '(\S+)'$/gm)].map(([, url = '']) => url)
    const responses = await Promise.all(urls.map(async url => (await fetch(url)).status))
    expect(responses).toEqual([200, 200, 200, 200, 400, 200])
    expect(await demo.stop()).toEqual({ code: 0, errors: '' })
  })

  it('accepts a URL after --tables', () => {
    const empty = { store: 'memory:', help: false }
    expect(parseCommandLine(command, ['--tables'])).toEqual({ ...empty, tables: '' })
    const url = 'postgres://host/database'
    expect(parseCommandLine(command, ['--tables', url])).toEqual({ ...empty, tables: url })
  })

  it.each([
    [
      ['--store', 'memory:', '--tables'],
      'one of the options --store, --tables and --actions; received --store and --tables',
    ],
    [['--tables', '--help'], 'a URL or nothing after --tables; received "--help"'],
    [['shop.db'], 'the option --store URL, --tables [URL], --actions or --help; received "shop.db"'],
  ])('rejects wrong arguments with a message of one line: %j', (args, message) => {
    expect(() => parseCommandLine(command, args)).toThrow(
      new Error(`Expected ${message}. Help: npm start -- --help`),
    )
  })

  it('is an option of npm start, and not of npm run tour', async () => {
    expect(await runExample('demo/main.ts', '--help')).toContain('--tables [URL]')
    expect(await runExample('demo/tour.ts', '--help')).not.toContain('--tables')
  })
})
