import { createGraph, isGraphError } from 'kithgraph'
import { collection, createTableStore, type DatabaseDescription, defineTables } from 'kithgraph/tables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const db = {
  dialect: 'postgres',
  tables: {
    bill: {
      name: 'bill',
      schema: 'public',
      columns: { id: { type: 'int4' }, due: { type: 'date', nullable: true } },
      key: ['id'],
      foreignKeys: [],
      uniques: [],
      indexes: [{ columns: ['due', 'id'] }],
    },
  },
} as const satisfies DatabaseDescription

const { schema, tables } = defineTables(
  db,
  { bill: { over: 'bill', fields: { due: { default: true } } } },
  { collections: { bills: collection('bill', { by: 'due', nulls: 'end' }) } },
)

/** The days of the bills 1 to 8, in their order. */
const DAYS = [
  '-infinity',
  '0044-03-15 BC',
  '1969-12-31',
  '2026-03-01',
  '2026-03-01',
  '2026-03-02',
  'infinity',
]

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  const rows = DAYS.map((day, index) => `(${index + 1}, '${day}')`)
  await server.pool().query(`
set time zone 'Asia/Tokyo';
create table bill (id int primary key, due date);
create index on bill (due, id);
insert into bill values ${rows.join(', ')}, (8, null)`)
})
afterAll(() => server.stop())

const openGraph = () => {
  const graph = createGraph(createTableStore(server.pool(), { tables }), { schema, secret: 'x'.repeat(32) })
  const session = graph.session({ app: 'demo' })
  type Options = Partial<Parameters<typeof graph.getEdge>[1]>
  const readKeys = async (options: Options): Promise<string> => {
    const { data } = await graph.getEdge(session, { id: 'root', edge: 'bills', ...options })
    return data.map(({ id }) => id.replace('bill-', '')).join('')
  }
  return { graph, session, readKeys }
}

describe('a list of Postgres in the order of a date', () => {
  it('is limited by since and until, with a day as the time when it begins in UTC', async () => {
    const { readKeys } = openGraph()
    const march = Date.UTC(2026, 2, 1)
    const windows = [
      { since: march },
      { since: march + 1000 },
      { until: march },
      { until: march - 1000 },
      { since: 0, until: march },
    ]
    const limited = windows.map(({ since, until }) =>
      readKeys({
        ...(since !== undefined && { since: since / 1000 }),
        ...(until !== undefined && { until: until / 1000 }),
      }),
    )
    expect(await Promise.all(limited)).toEqual(['7654', '76', '54321', '321', '54'])
  })

  it('has every row once in its pages, in both directions', async () => {
    const { graph, session } = openGraph()
    for (const order of ['chronological', 'reverse_chronological'] as const) {
      const keys: string[] = []
      let after: string | undefined
      do {
        const { data, paging } = await graph.getEdge(session, {
          id: 'root',
          edge: 'bills',
          order,
          limit: 1,
          after,
        })
        keys.push(...data.map(({ id }) => id.replace('bill-', '')))
        after = paging?.next === undefined ? undefined : paging.cursors?.after
      } while (after !== undefined)
      expect(keys.join('')).toBe(order === 'chronological' ? '81234567' : '76543218')
    }
  })

  it('rejects a cursor that is not one of its own', async () => {
    const { graph, session } = openGraph()
    const error = await graph
      .getEdge(session, { id: 'root', edge: 'bills', after: 'forged' })
      .catch((thrown: unknown) => thrown)
    expect(isGraphError(error) && error.reason).toBe('invalid_parameter')
  })
})
