import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generatePrismaClient } from '../helpers/generate-prisma-client.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { PROJECT, runCli } from '../helpers/run-cli.ts'
import { runExample } from '../helpers/run-example.ts'
import { createTemporaryFolder } from '../helpers/sqlite-databases.ts'
import { startExample } from '../helpers/start-example.ts'

const GRAPH = 'examples/existing-database/postgres/graph.ts'
const DESCRIPTION = 'examples/existing-database/postgres/db.ts'

let server: PostgresServer
let url: string
let folder: ReturnType<typeof createTemporaryFolder>
beforeAll(async () => {
  folder = createTemporaryFolder()
  server = await startPostgres()
  const { user, password, host, port, database } = server.pool().options
  url = `postgres://${user}:${password}@${host}:${port}/${database}`
  await runExample('existing-database/create.ts', url)
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

describe('the example existing-database in Postgres', () => {
  it('has the description that introspect writes', async () => {
    const out = join(folder.path, 'db.ts')
    await runCli(['introspect', url, '--schemas', 'music_shop', '--out', out])
    expect(readFileSync(out, 'utf8')).toBe(readFileSync(join(PROJECT, DESCRIPTION), 'utf8'))
  })

  it('has every index that its lists need', async () => {
    const { status, lines } = await runCli(['check', 'tables', url, GRAPH])
    expect([status, lines]).toEqual([0, ['checked 14 tables: no errors']])
  })

  it('prints what it prints in SQLite', async () => {
    const inSqlite = await runExample('existing-database/main.ts')
    expect(await runExample('existing-database/main.ts', url)).toBe(inSqlite)
  })

  it('is served by npm start -- --tables with a URL', async () => {
    const demo = await startExample('demo/main.ts', /Ctrl-C stops the server\.\n/, ['--tables', url])
    const [, line = ''] = /^curl -g '(\S+\/me\?\S+)'$/m.exec(demo.printed) ?? []
    expect(await (await fetch(line)).json()).toMatchObject({
      id: 'customer-14',
      invoices: { data: [{}, {}] },
    })
    expect(await demo.stop()).toEqual({ code: 0, errors: '' })
  })
})

describe('an action that writes with another library reads the row over its pool, and rejects its key with other parameters', () => {
  beforeAll(generatePrismaClient)

  it.each([
    ['Kysely', 'kysely.ts'],
    ['Drizzle', 'drizzle.ts'],
    ['Prisma', 'prisma/main.ts'],
  ])('%s', async (library, file) => {
    expect(JSON.parse(await runExample(`existing-database/${file}`, url))).toMatchObject({
      body: `Written with ${library}`,
      state: 'published',
      customer: { id: 'customer-14' },
      failure: 'key_reused',
    })
  })
})

describe('the guide about existing tables', () => {
  const guide = readFileSync(join(PROJECT, 'docs/existing-database.md'), 'utf8')
  const findBlock = (pattern: RegExp): string => pattern.exec(guide)?.[1] ?? ''
  let guideUrl: string
  beforeAll(async () => {
    await server.pool().query('create database guide')
    guideUrl = url.replace(/postgres$/, 'guide')
    await server.pool({ database: 'guide' }).query(findBlock(/```sql\n([\s\S]*?)```/))
  })

  it('has the description that its command writes', async () => {
    const { lines } = await runCli(['introspect', guideUrl])
    const [, ...description] = lines.join('\n').split('\n')
    expect(findBlock(/```ts\n\/\/ db\.ts\n([\s\S]*?)```/).trim()).toBe(description.join('\n').trim())
  })

  it('has a graph with every index that its lists need', async () => {
    writeFileSync(join(folder.path, 'db.ts'), findBlock(/```ts\n(\/\/ db\.ts[\s\S]*?)```/))
    const graph = join(folder.path, 'graph.ts')
    writeFileSync(graph, findBlock(/```ts\n(\/\/ graph\.ts[\s\S]*?)```/))
    expect(await runCli(['check', 'tables', guideUrl, graph])).toMatchObject({
      status: 0,
      lines: ['checked 3 tables: no errors'],
    })
  })
})
