import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ColumnKind, TableColumn } from '../../src/tables/model/table-model.ts'
import { parameterType } from '../../src/tables/postgres/column-sql.ts'
import { isKeyText, toParameter } from '../../src/tables/rows/key-texts.ts'
import { keyText } from '../helpers/key-text.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const LABELS = ['ok', "it's"]
const columnOf = (kind: ColumnKind, sqlType: string = kind): TableColumn => ({
  name: 'c',
  kind,
  sqlType,
  isNullable: false,
  isArray: false,
  labels: kind === 'enum' ? LABELS : undefined,
  scale: undefined,
  timeZone: undefined,
  isInexact: false,
  collation: undefined,
})

const COLUMNS: readonly TableColumn[] = [
  columnOf('bool'),
  columnOf('int2'),
  columnOf('int4'),
  columnOf('int8'),
  columnOf('float', 'float4'),
  columnOf('float', 'float8'),
  columnOf('numeric'),
  columnOf('text'),
  columnOf('char', 'bpchar'),
  columnOf('citext'),
  columnOf('enum', 'mood'),
  columnOf('uuid'),
  columnOf('date'),
  columnOf('timestamptz'),
  columnOf('timestamp'),
]

let server: PostgresServer
let pool: pg.Pool
beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool()
  await pool.query(`create extension citext; create type mood as enum ('ok', 'it''s')`)
})
afterAll(() => server.stop())

/** Returns the texts that a type of Postgres cannot read. */
const findUnreadable = async (texts: readonly string[], type: string): Promise<unknown[]> => {
  const unreadable = `select item from json_array_elements_text($1) as item where not pg_input_is_valid(item, $2)`
  const { rows } = await pool.query(unreadable, [JSON.stringify(texts), type])
  return rows.map(({ item }) => item)
}

describe('the texts of ids and cursors that a column can hold', () => {
  it.each(COLUMNS.map(column => [column.sqlType, column] as const))(
    'fail no statement: %s',
    async (_, column) => {
      let accepted = 0
      await fc.assert(
        fc.asyncProperty(fc.array(keyText, { minLength: 100, maxLength: 200, size: 'max' }), async texts => {
          const parameters = texts.filter(one => isKeyText(column, one)).map(one => toParameter(column, one))
          accepted += parameters.length
          expect(await findUnreadable(parameters, parameterType(column))).toEqual([])
        }),
        { numRuns: process.env.KITHGRAPH_LONG ? 500 : 20 },
      )
      expect(accepted).toBeGreaterThan(0)
    },
  )
})
