import fc from 'fast-check'
import { createPostgresStore } from 'kithgraph/postgres'
import { describeStore } from 'kithgraph/testing'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { putEdge, putNodes } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { readDumpLines } from '../helpers/read-dump-lines.ts'

/** The number of runs of each property: small, because each run creates the tables of a new store. */
const runs = process.env.KITHGRAPH_LONG ? 60 : 4
const OPTIONS = { signal: undefined }

let server: PostgresServer
let pool: pg.Pool
let schemas = 0

beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool()
})
afterAll(() => server?.stop())

const create = () => createPostgresStore(pool, { schema: `fresh_${++schemas}`, ids: 'named' })

describeStore({ describe, it, fc, runs }, { name: 'Postgres, named ids', create })

describe('a Postgres schema with one kind of ids', () => {
  const createSchema = () => `kinds_${++schemas}`
  const otherKinds = [
    ['digits', 'named'],
    ['named', 'digits'],
  ] as const

  it.each(otherKinds)('of %s is rejected by a store of %s ids', async (ids, other) => {
    const schema = createSchema()
    await createPostgresStore(pool, { schema, ids }).open()
    const message = `the Postgres schema "${schema}": expected ids of the kind "${other}"; received ids of the kind "${ids}"`
    const store = createPostgresStore(pool, { schema, ids: other })
    await expect(store.open()).rejects.toThrow(new Error(message))
    await expect(readDumpLines(store.dump())).rejects.toThrow(new Error(message))
  })

  it('gets the ids of the first store if stores of both kinds open it at once', async () => {
    for (let round = 0; round < 5; round++) {
      const schema = createSchema()
      const kinds = Array.from({ length: 3 }).flatMap(() => ['digits', 'named'] as const)
      const stores = kinds.map(ids => createPostgresStore(pool, { schema, ids }))
      const opened = await Promise.allSettled(stores.map(async store => store.open()))
      const winners = kinds.filter((_, index) => opened[index]?.status === 'fulfilled')
      expect(winners).toHaveLength(3)
      expect(new Set(winners).size).toBe(1)
      for (const result of opened)
        if (result.status === 'rejected') expect(`${result.reason}`).toContain('expected ids of the kind')
    }
  })

  it('is of digits if an earlier version created it', async () => {
    const schema = createSchema()
    await createPostgresStore(pool, { schema }).open()
    await pool.query(`drop table ${schema}.flags; delete from ${schema}.versions where version = 3`)
    await expect(createPostgresStore(pool, { schema, ids: 'named' }).open()).rejects.toThrow('"digits"')
    await createPostgresStore(pool, { schema }).open()
  })

  it('is dumped in the order of the bytes of its ids', async () => {
    const store = create()
    await store.open()
    const ids = ['user-9', 'user-10', 'user-a', 'user-A', 'user2-1', 'user-_']
    await store.write([...putNodes(...ids), ...ids.map(id => putEdge(id, 'likes', 'user-9'))], OPTIONS)
    const records = []
    for await (const line of await store.dump()) records.push(JSON.parse(line))
    const sorted = ids.toSorted((a, b) => (a < b ? -1 : 1))
    expect(records.flatMap(({ node }) => node?.id ?? [])).toEqual(sorted)
    expect(records.flatMap(({ edge }) => edge?.source ?? [])).toEqual(sorted)
  })
})
