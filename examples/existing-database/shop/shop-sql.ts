import { createActivity } from './activity.ts'
import { createCatalogue } from './catalogue.ts'
import { createTablesSql, type ShopDialect } from './definitions.ts'
import { createNames } from './names.ts'
import { createPeople } from './people.ts'
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

/** Returns a transaction that creates the tables of the shop with all rows. It is the same in each call. */
export const createShopSql = (dialect: ShopDialect): string => {
  const random = createRandom(SEED)
  const names = createNames(random)
  const tables = [createCatalogue, createPeople, createActivity].flatMap(create => create(random, names))
  return `${PREAMBLES[dialect]}${createTablesSql(dialect)}${tables.flatMap(toInserts).join('')}commit;`
}
