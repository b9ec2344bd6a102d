import { createPostgresStore } from 'kithgraph/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { putNode } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const ROW_COUNT = 100_000
const BATCH_SIZE = 10_000

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  await server.pool().query('alter system set autovacuum = off')
  await server.pool().query('select pg_reload_conf()')
})
afterAll(() => server?.stop())

describe('a Postgres store that writes 100,000 rows', () => {
  it('updates the statistics of its tables', async () => {
    const pool = server.pool()
    const store = createPostgresStore(pool)
    await store.open()
    const readStatistics = async () => {
      const { rows } = await pool.query(
        `select reltuples::int as tuples from pg_class where oid = 'kithgraph.nodes'::regclass`,
      )
      return rows[0]?.tuples
    }
    for (let first = 1; first <= ROW_COUNT; first += BATCH_SIZE) {
      expect(await readStatistics()).toBe(-1)
      const nodes = Array.from({ length: BATCH_SIZE }, (_, index) => putNode(`${first + index}`))
      await store.write(nodes, { signal: undefined })
    }
    expect(await readStatistics()).toBe(ROW_COUNT)
  })
})
