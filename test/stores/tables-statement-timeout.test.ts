import { createGraph, type GraphOptions } from 'kithgraph'
import { createTableStore, defineTables } from 'kithgraph/tables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const note = {
  name: 'note',
  schema: 'public',
  columns: { id: { type: 'int4' }, body: { type: 'text' } },
  key: ['id'],
  foreignKeys: [],
  uniques: [],
  indexes: [],
} as const
const db = {
  dialect: 'postgres',
  tables: { note, slow_note: { ...note, name: 'slow_note', view: true } },
} as const

const { schema, tables } = defineTables(
  db,
  {
    note: { over: 'note', fields: { body: true } },
    slow: { over: 'slow_note', fields: { body: true } },
  },
  { viewers: ['note'], collections: {} },
)

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  await server.pool().query(`
create table note (id int primary key, body text not null);
insert into note values (1, 'body');
create view slow_note as select * from note where pg_sleep(10) is not null`)
})
afterAll(() => server.stop())

describe('a read of tables that exceeds the statement_timeout of its role', () => {
  it.each<NonNullable<GraphOptions['consistency']>>(['read', 'snapshot'])(
    'is a store_error, and its connection serves the next call, with consistency %s',
    async consistency => {
      const pool = server.pool({ max: 1, statement_timeout: 200 })
      const store = createTableStore(pool, { tables })
      const graph = createGraph(store, { schema, secret: 'x'.repeat(32), consistency })
      const session = graph.session({ viewer: undefined, app: 'demo', scopes: [] })
      const { rows: before } = await pool.query('select pg_backend_pid() as pid')
      await expect(graph.getNode(session, { id: 'slow-1', fields: 'body' })).rejects.toMatchObject({
        reason: 'store_error',
        cause: { message: 'canceling statement due to statement timeout' },
      })
      expect(await graph.getNode(session, { id: 'note-1', fields: 'body' })).toEqual({
        id: 'note-1',
        body: 'body',
      })
      expect((await pool.query('select pg_backend_pid() as pid')).rows).toEqual(before)
    },
  )
})
