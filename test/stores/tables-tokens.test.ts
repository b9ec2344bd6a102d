import { createGraph } from 'kithgraph'
import { createPostgresStore } from 'kithgraph/postgres'
import { createTableStore, defineTables } from 'kithgraph/tables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const { schema, tables } = defineTables(
  {
    dialect: 'postgres',
    tables: {
      account: {
        name: 'account',
        schema: 'public',
        columns: { id: { type: 'int4' }, name: { type: 'text' } },
        key: ['id'],
        foreignKeys: [],
        uniques: [],
        indexes: [],
      },
    },
  },
  { account: { over: 'account', fields: { name: { default: true } } } },
  { viewers: ['account'], collections: {} },
)

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  await server.pool().query(`
create table account (id int primary key, name text not null);
insert into account select i, 'Account ' || i from generate_series(1, 20) as i`)
})
afterAll(() => server.stop())

/** Opens a graph whose tokens are in the same pool as its tables. */
const openGraph = async (connections: number, consistency: 'read' | 'snapshot') => {
  const pool = server.pool({ max: connections })
  const store = createTableStore(pool, { tables, tokens: createPostgresStore(pool) })
  const graph = createGraph(store, {
    schema,
    secret: 'a-secret-of-at-least-thirty-two-characters',
    consistency,
    limits: { timeoutMs: 10_000 },
  })
  const tokens = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      graph.tokens.issue({ viewer: `account-${index + 1}`, app: 'web' }),
    ),
  )
  return { graph, tokens }
}

describe('calls with tokens that are in the pool of the tables', () => {
  it.each([
    ['snapshot', 1],
    ['snapshot', 4],
    ['read', 1],
  ] as const)(
    'never wait for each other with consistency %s and %i connections',
    async (consistency, size) => {
      const { graph, tokens } = await openGraph(size, consistency)
      const results = await Promise.all(tokens.map(token => graph.getMe(token, { fields: 'id' })))
      expect(results.map(({ id }) => id)).toEqual(tokens.map((_, index) => `account-${index + 1}`))
      await graph.close()
    },
  )
})
