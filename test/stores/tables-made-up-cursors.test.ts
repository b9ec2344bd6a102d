import fc from 'fast-check'
import { createGraph, isGraphError } from 'kithgraph'
import type { PostgresPool } from 'kithgraph/postgres'
import type { SqliteDatabase } from 'kithgraph/sqlite'
import { collection, createTableStore, type DatabaseDescription, defineTables } from 'kithgraph/tables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodePosition } from '../../src/core/cursor-letters.ts'
import { keyText } from '../helpers/key-text.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { openBetterSqlite } from '../helpers/sqlite-databases.ts'

const CURSOR_PREFIX_LENGTH = 8
const ROW_COUNT = 3

/** Two values of each column. The third row has no value. */
const POSTGRES_COLUMNS = {
  int2: ['1', '2'],
  int8: ['1', '9007199254740993'],
  float8: ['0.1', '2'],
  numeric: ['1', '1.50'],
  text: ['a', 'b'],
  bpchar: ['a', 'b'],
  uuid: ['0190f3c2-0000-4000-8000-00000000abcd', '0190f3c2-0000-4000-8000-00000000abce'],
  date: ['2026-03-01', 'infinity'],
  timestamptz: ['2026-03-01 00:00:00.000001Z', '0044-03-15 00:00Z BC'],
  timestamp: ['2026-03-01 00:00:00.000001', '2026-03-01'],
} as const
const SQLITE_COLUMNS = {
  integer: ['1', '2'],
  real: ['0.1', '2'],
  text: ['a', 'b'],
} as const

type Side = 'after' | 'before'
type Columns = { readonly [type: string]: readonly [string, string] }

/** Declares a table with a column of each type, and a collection in the order of each column. */
const defineItems = (dialect: DatabaseDescription['dialect'], columns: Columns) => {
  const types = Object.keys(columns)
  const description: DatabaseDescription = {
    dialect,
    tables: {
      item: {
        name: 'item',
        ...(dialect === 'postgres' && { schema: 'public' }),
        columns: {
          id: { type: dialect === 'postgres' ? 'int4' : 'integer' },
          ...Object.fromEntries(types.map(type => [`c_${type}`, { type, nullable: true }])),
        },
        key: ['id'],
        foreignKeys: [],
        uniques: [],
        indexes: [],
      },
    },
  }
  return defineTables(
    description,
    { item: { over: 'item', fields: Object.fromEntries(types.map(type => [`c_${type}`, true])) } },
    {
      collections: Object.fromEntries(
        types.map(type => [`by_${type}`, collection('item', { by: `c_${type}`, nulls: 'end' })]),
      ),
    },
  )
}

const createItems = (columns: Columns): string => {
  const types = Object.keys(columns)
  const rows = [0, 1].map(row => `(${row + 1}, ${types.map(type => `'${columns[type]?.[row]}'`).join(', ')})`)
  return `create table item (id integer primary key, ${types.map(type => `c_${type} ${type}`).join(', ')});
    insert into item values ${rows.join(', ')}; insert into item (id) values (${ROW_COUNT});`
}

const openGraph = (
  database: PostgresPool | SqliteDatabase,
  { schema, tables }: ReturnType<typeof defineItems>,
) => {
  const graph = createGraph(createTableStore(database, { tables }), { schema })
  const session = graph.session({ app: 'demo' })
  return (edge: string, cursor: { readonly [side in Side]?: string } = {}) =>
    graph.getEdge(session, { id: 'root', edge, limit: 2, ...cursor })
}

const target = fc.oneof(
  fc.nat(ROW_COUNT + 1).map(key => `item-${key}`),
  fc.constantFrom('item-2147483648', 'item-', 'item-x', '5', 'root'),
)
const time = fc.oneof(
  fc.constant(0),
  fc.constant(Date.UTC(2026, 2, 1)),
  fc.integer({ min: -8.64e15, max: 8.64e15 }),
)
/** A key as the store writes it for values without milliseconds, or as microseconds since the epoch. */
const key = fc.oneof(
  keyText.map(text => `=${text}`),
  keyText,
  fc.constantFrom('null', '', '=', `${Date.UTC(2026, 2, 1)}001`),
)

const sides = fc.constantFrom<Side>('after', 'before')

/** Asserts that each cursor of a list that callers can make up has a page, or is an error that names its parameter. */
const assertMadeUpCursors = async (readPage: ReturnType<typeof openGraph>, edge: string) => {
  const { paging } = await readPage(edge)
  const prefix = paging?.cursors.after?.slice(0, CURSOR_PREFIX_LENGTH) ?? ''
  let pageCount = 0
  await fc.assert(
    fc.asyncProperty(sides, time, target, key, async (side, time, target, key) => {
      try {
        const { data } = await readPage(edge, { [side]: prefix + encodePosition({ time, target, key }) })
        expect(data.length).toBeLessThan(ROW_COUNT)
        pageCount++
      } catch (error) {
        if (!isGraphError(error)) throw error
        expect(error).toMatchObject({ reason: 'invalid_parameter', data: { parameter: side } })
      }
    }),
    { numRuns: process.env.KITHGRAPH_LONG ? 5000 : 300 },
  )
  return pageCount
}

describe('a cursor with a key that a caller makes up has a page, or is an error that names its parameter', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
    await server.pool().query(createItems(POSTGRES_COLUMNS))
  })
  afterAll(() => server.stop())

  it.each(Object.keys(POSTGRES_COLUMNS))('in the order of a column of Postgres: %s', async type => {
    const readPage = openGraph(server.pool(), defineItems('postgres', POSTGRES_COLUMNS))
    expect(await assertMadeUpCursors(readPage, `by_${type}`)).toBeGreaterThan(0)
  })

  it.each(Object.keys(SQLITE_COLUMNS))('in the order of a column of SQLite: %s', async type => {
    const database = openBetterSqlite(':memory:')
    database.exec(createItems(SQLITE_COLUMNS))
    const readPage = openGraph(database, defineItems('sqlite', SQLITE_COLUMNS))
    expect(await assertMadeUpCursors(readPage, `by_${type}`)).toBeGreaterThan(0)
  })
})
