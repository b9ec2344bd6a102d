import type { EdgeRange } from '../../store/contract.ts'
import type { ListMapping } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { MAX_COUNTED } from '../sql/range-limits.ts'
import { allOf, columnSql } from '../sql/sql-text.ts'
import type { SqliteCell } from './cells.ts'
import { listRowsSql, sourceRowSql } from './entries-sql.ts'
import { parameter } from './sql-template.ts'

/** Returns the maximum of a count. */
export const maxCountOf = (
  { count }: ListMapping,
  { maxCounted = MAX_COUNTED }: Pick<EdgeRange, 'maxCounted'>,
): number => (count.kind === 'capped' ? count.max : maxCounted)

/** Returns the statement that counts a list. It ends at the number of rows in the parameter `c`. */
export const totalSql = (list: ListMapping, sessionFilters: SessionFilters): string => {
  const { count } = list
  const source = sourceRowSql(list, sessionFilters)
  if (count.kind === 'column' && source !== undefined)
    return `select ${columnSql('source', count.column)} as c0 from ${source.from} where ${allOf(source.conditions)}`
  const { from, conditions } = listRowsSql(list, sessionFilters)
  return `select count(*) as c0 from (select 1 from ${from} where ${allOf(conditions)} limit ${parameter('c')})`
}

/** Returns the statement that counts the entries of a list that pass a condition. */
export const passingSql = (list: ListMapping, condition: string, sessionFilters: SessionFilters): string => {
  const { from, conditions } = listRowsSql(list, sessionFilters)
  return `select count(*) as c0 from ${from} where ${allOf([...conditions, condition])}`
}

/** Reads the total of a list. Returns undefined if the list is too long, or has no valid number. */
export const readTotal = (
  { count }: ListMapping,
  cell: SqliteCell | undefined,
  maxCount: number,
): number | undefined => {
  const total = typeof cell === 'bigint' ? Number(cell) : -1
  if (!Number.isSafeInteger(total) || total < 0) return undefined
  return count.kind !== 'column' && total > maxCount ? undefined : total
}
