import { isNonArrayObject } from '../../base/json.ts'
import { quoteIdentifier } from '../../stores/quote-identifier.ts'
import type { SqliteDatabase } from '../../stores/sqlite/connection.ts'
import type { FindTimeForm } from './derive-fields.ts'

/** Times after 1973 in milliseconds, and before the year 5138 in seconds. */
const MIN_MILLISECONDS = 100_000_000_000

/**
 * Creates a function that finds how the times of a column are stored: by the first value of the column, or ISO 8601
 * if there is none.
 */
export const createTimeFormSampler =
  (database: SqliteDatabase): FindTimeForm =>
  (table, name) => {
    const column = quoteIdentifier(name)
    const row = database
      .prepare(
        `select typeof(${column}) as type, abs(${column}) >= ${MIN_MILLISECONDS} as isLarge
          from ${quoteIdentifier(table)} where ${column} is not null limit 1`,
      )
      .get()
    if (!isNonArrayObject(row) || (row.type !== 'integer' && row.type !== 'real')) return 'iso'
    return row.isLarge === 1 ? 'unixMs' : 'unixSeconds'
  }
