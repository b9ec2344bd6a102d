import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ColumnKind, TableColumn } from '../../src/tables/model/table-model.ts'
import { parameterType } from '../../src/tables/postgres/column-sql.ts'
import { isKeyText, toParameter } from '../../src/tables/rows/key-texts.ts'
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

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 25 })
const number = fc.oneof(
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
  fc.tuple(fc.constantFrom('', '-'), digits, fc.constantFrom('', '.'), digits).map(parts => parts.join('')),
  fc.double().map(String),
  fc.tuple(digits, fc.integer({ min: -400, max: 400 })).map(([whole, exponent]) => `${whole}e${exponent}`),
)
const date = fc
  .tuple(fc.nat(6_000_000), fc.nat(13), fc.nat(32), fc.constantFrom('', ' BC'))
  .map(([year, month, day, era]) => {
    const [monthText, dayText] = [month, day].map(part => `${part}`.padStart(2, '0'))
    return `${`${year}`.padStart(4, '0')}-${monthText}-${dayText}${era}`
  })
/** Texts near the limits of a type, or of a form that another reader accepts. */
const limits = fc.constantFrom(
  ...['-210866803200000000', '-210866803200000001', '9224318015999999999', '9224318016000000000'],
  ...['4713-01-01 BC', '4714-11-24 BC', '5874897-12-31', '5874898-01-01', '0001-01-01 BC', '00010-01-01'],
  ...['3.4028235e38', '3.40282357e38', '1e-45', '0.7e-45', '4.9e-324', '2e-324', '1.7976931348623159e308'],
  ...['NaN', 'Infinity', '-infinity', 'infinity', 'true', 't', 'ok', "it's", 'OK', '', ' 1', '0x1', '1_000'],
  ...['0190f3c2-0000-4000-8000-00000000abcd', '{0190f3c2-0000-4000-8000-00000000abcd}', '\u0000', 'a\u0000'],
)
const text = fc.oneof(limits, number, date, fc.uuid(), fc.string(), fc.string({ unit: 'binary' }))

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
        fc.asyncProperty(fc.array(text, { minLength: 100, maxLength: 200, size: 'max' }), async texts => {
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
