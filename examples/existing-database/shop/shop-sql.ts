import { readFileSync } from 'node:fs'
import { createActivity } from './activity.ts'
import { createTablesSql, type ShopDialect } from './definitions.ts'
import { createRandom } from './random.ts'
import type { TableRows, Value } from './rows.ts'

const SEED = 25
const ROWS_OF_A_STATEMENT = 200

/** The rows are the program's own. SQL from other values needs parameters. */
const toLiteral = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : `${value}`

const toInserts = ({ table, columns, rows }: TableRows): string[] => {
  const statements: string[] = []
  for (let start = 0; start < rows.length; start += ROWS_OF_A_STATEMENT) {
    const values = rows
      .slice(start, start + ROWS_OF_A_STATEMENT)
      .map(row => `(${row.map(toLiteral).join(', ')})`)
    statements.push(`insert into ${table} (${columns.join(', ')}) values\n${values.join(',\n')};\n`)
  }
  return statements
}

/** The schema of the tables in Postgres, so that they are apart from other tables of the database. */
export const POSTGRES_SCHEMA = 'music_shop'

const PREAMBLES = {
  sqlite: 'begin;',
  postgres: `begin; create schema ${POSTGRES_SCHEMA}; set local search_path = ${POSTGRES_SCHEMA};`,
} as const

/** Returns the statements that insert the rows of Chinook, whose licence is in the same folder. */
const readChinook = (): string => readFileSync(new URL('../chinook/rows.sql', import.meta.url), 'utf8')

/** Returns a transaction that creates the tables of the shop with all rows. It is the same in each call. */
export const createShopSql = (dialect: ShopDialect): string => {
  const additions = createActivity(createRandom(SEED)).flatMap(toInserts).join('')
  return `${PREAMBLES[dialect]}${createTablesSql(dialect)}${readChinook()}${additions}commit;`
}
