import { createGraph } from 'kithgraph'
import {
  collection,
  createTableStore,
  type DatabaseDescription,
  defineTables,
  fromSession,
  type TypeDeclarations,
  type Where,
} from 'kithgraph/tables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const db = {
  dialect: 'postgres',
  tables: {
    reading: {
      name: 'reading',
      schema: 'public',
      columns: {
        id: { type: 'int4' },
        taken: { type: 'timestamptz' },
        local: { type: 'timestamp' },
        ratio: { type: 'float4' },
      },
      key: ['id'],
      foreignKeys: [],
      uniques: [],
      indexes: [{ columns: ['id'] }],
    },
  },
} as const satisfies DatabaseDescription

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  await server.pool().query(`
create table reading (id int primary key, taken timestamptz not null, local timestamp not null, ratio float4 not null);
insert into reading values (1, '2026-03-01Z', '2026-03-01 00:00', 0.1), (2, '2026-03-01 12:00:00.000001Z', '2026-07-01 12:00', 0.2)`)
})
afterAll(() => server.stop())

/** Returns the ids of the rows that a `where` lets through, over connections with another time zone than UTC. */
const readIds = async (where: Where, timeZone?: string): Promise<readonly unknown[]> => {
  const types: TypeDeclarations = { reading: { over: 'reading', where, timeZone, fields: {} } }
  const { schema, tables } = defineTables(db, types, {
    collections: { readings: collection('reading', { order: 'chronological' }) },
  })
  const pool = server.pool({ options: '-c timezone=Asia/Tokyo' })
  const graph = createGraph(createTableStore(pool, { tables }), { schema, secret: 'x'.repeat(32) })
  const { data } = await graph.getEdge(graph.session({ app: 'demo' }), { id: 'root', edge: 'readings' })
  return data.map(({ id }) => id)
}

describe('the constants of a where over Postgres', () => {
  it.each([
    ['taken', '2026-03-01', 1],
    ['taken', '2026-03-01T00:00', 1],
    ['taken', '2026-03-01T09:00:00+09', 1],
    ['taken', '2026-03-01T12:00:00,000001Z', 2],
    ['local', '2026-03-01', 1],
    ['local', '2026-03-01T02:00:00+02:00', 1],
    ['local', '2026-07-01T12:00:00Z', 2],
  ])(
    'are, like the values of a session, times of which one without an offset is in UTC: %s %s',
    async (column, time, id) => {
      expect(await readIds({ [column]: time })).toEqual([`reading-${id}`])
      expect(await readIds({ [column]: ['2000-01-01', time] })).toEqual([`reading-${id}`])
      expect(await readIds({ [column]: fromSession(() => time) })).toEqual([`reading-${id}`])
    },
  )

  it.each([
    ['2026-02-28T23:00:00Z', 1],
    ['2026-07-01T10:00:00Z', 2],
  ])('are times in the time zone of a table, as its fields show them: %s', async (time, id) => {
    expect(await readIds({ local: time }, 'Europe/Paris')).toEqual([`reading-${id}`])
    expect(await readIds({ local: fromSession(() => time) }, 'Europe/Paris')).toEqual([`reading-${id}`])
  })

  it('are numbers of the precision of their column', async () => {
    expect(await readIds({ ratio: 0.1 })).toEqual(['reading-1'])
    expect(await readIds({ ratio: [0.2, 5] })).toEqual(['reading-2'])
  })
})
