import { isPlainObject } from '../../base/json.ts'
import type { SqliteDatabase, SqliteValue } from './sqlite-client.ts'

/**
 * Prepares a query whose one row and column, `answer`, is the text of the items of a JSON list; no text is no items.
 * A row costs more between SQLite and JavaScript than to read, so that lists come as a whole.
 */
export const prepareJsonQuery = <TItem>(
  database: SqliteDatabase,
  sql: string,
): ((...values: SqliteValue[]) => readonly TItem[]) => {
  const statement = database.prepare(sql)
  // An object costs more to make than the text in it.
  statement.pluck?.()
  return (...values) => {
    const row = statement.get(...values)
    const items = isPlainObject(row) ? row.answer : row
    return typeof items === 'string' ? JSON.parse(`[${items}]`) : []
  }
}

/** Prepares a statement that answers nothing. */
export const prepareCommand = (
  database: SqliteDatabase,
  sql: string,
): ((...values: SqliteValue[]) => void) => {
  const statement = database.prepare(sql)
  // Each `run` answers the last rowid, and node:sqlite throws for an id that is too large a number.
  statement.setReadBigInts?.(true)
  return (...values) => {
    statement.run(...values)
  }
}
