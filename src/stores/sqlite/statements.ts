import { isNonArrayObject } from '../../base/json.ts'
import type { SqliteDatabase, SqliteValue } from './sqlite-client.ts'

/**
 * Prepares a query whose one row and column, `result`, is the text of the items of a JSON list; empty text
 * means no items. A row takes longer to pass between SQLite and JavaScript than to read, so lists are
 * returned as a whole.
 */
export const prepareJsonQuery = <TItem>(
  database: SqliteDatabase,
  sql: string,
): ((...values: SqliteValue[]) => readonly TItem[]) => {
  const statement = database.prepare(sql)
  // Creating an object takes longer than reading the text in it.
  statement.pluck?.()
  return (...values) => {
    const row = statement.get(...values)
    const items = isNonArrayObject(row) ? row.result : row
    return typeof items === 'string' ? JSON.parse(`[${items}]`) : []
  }
}

/** Prepares a statement without results. */
export const prepareCommand = (
  database: SqliteDatabase,
  sql: string,
): ((...values: SqliteValue[]) => void) => {
  const statement = database.prepare(sql)
  // Each `run` returns the last rowid, and node:sqlite throws for an id that is too large for a number.
  statement.setReadBigInts?.(true)
  return (...values) => {
    statement.run(...values)
  }
}
