import type { ListMapping } from '../model/table-model.ts'
import type { EntryRows } from '../sql/entry-rows.ts'
import { MAX_COUNTED } from '../sql/range-limits.ts'
import { allOf } from '../sql/sql-text.ts'
import { keyValueSql } from './column-sql.ts'

/**
 * Returns the number of rows of a list. A count ends one row after its maximum.
 *
 * @param source The alias of the row of the source; undefined for a collection.
 * @param maxCounted The maximum of an exact count, as an expression.
 */
export const totalSql = (
  { count }: ListMapping,
  rows: EntryRows,
  source: string | undefined,
  maxCounted: string,
): string => {
  if (count.kind === 'column') return source === undefined ? 'null' : keyValueSql(source, count.column)
  const { from, conditions } = rows
  const max = count.kind === 'exact' ? maxCounted : count.max
  return `(select count(*) from (select from ${from} where ${allOf(conditions)} limit ${max} + 1) as counted_rows)`
}

/** Returns the number of rows that pass a condition. */
export const passingSql = ({ from, conditions }: EntryRows, condition: string): string =>
  `(select count(*) from ${from} where ${allOf([...conditions, condition])})`

/** Reads the total of a list. Returns undefined if the list is too long, or has no valid number. */
export const readTotal = (
  { count }: ListMapping,
  value: unknown,
  maxCounted = MAX_COUNTED,
): number | undefined => {
  const total = typeof value === 'string' ? Number(value) : value
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < 0) return undefined
  if (count.kind === 'column') return total
  return total > (count.kind === 'exact' ? maxCounted : count.max) ? undefined : total
}
