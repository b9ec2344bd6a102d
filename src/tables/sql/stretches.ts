import type { ListMapping, TableColumn } from '../model/table-model.ts'
import { columnSql, compareRows } from './sql-text.ts'

/** The limits of a range, as expressions. */
export type RangeBounds = {
  readonly isNewest: boolean
  /** Where the range begins. `null`: among the rows without a value. */
  readonly start: 'none' | 'value' | 'null'
  readonly startValue: string
  readonly startKey: readonly string[]
  /** The earliest time, inclusive. */
  readonly minTime: string | undefined
  /** The latest time, inclusive. */
  readonly maxTime: string | undefined
  /** The smallest value of the order, for an index that finds no range for values that are not null. */
  readonly smallest?: string | undefined
}

/** A part of a range that is one range of the index: its conditions, and its order. */
export type Stretch = { readonly conditions: readonly string[]; readonly order: string }

/** Returns the columns that order the entries of a list: they are unique in the list. */
export const orderColumnsOf = ({ order: { column }, targetColumns }: ListMapping): readonly TableColumn[] =>
  column === undefined ? targetColumns : [column, ...targetColumns]

const createStretch = (
  { order, targetColumns }: ListMapping,
  { isNewest, start, startValue, startKey, minTime, maxTime, smallest }: RangeBounds,
  entry: string,
  values: 'all' | 'present' | 'absent',
): Stretch => {
  const { column } = order
  const value = column === undefined || values === 'absent' ? undefined : columnSql(entry, column)
  const columns = [
    ...(value === undefined ? [] : [value]),
    ...targetColumns.map(key => columnSql(entry, key)),
  ]
  const conditions: string[] = []
  if (column !== undefined && values !== 'all')
    conditions.push(`${columnSql(entry, column)} is ${values === 'absent' ? 'null' : 'not null'}`)
  if (start === (values === 'absent' ? 'null' : 'value')) {
    const from = [...(value === undefined ? [] : [startValue]), ...startKey]
    conditions.push(compareRows(columns, isNewest ? '<' : '>', from))
  }
  // A second lower bound could be the one that the index uses.
  const isOpen = minTime === undefined && (isNewest || start !== 'value')
  if (value !== undefined && smallest !== undefined && isOpen) conditions.push(`${value} >= ${smallest}`)
  if (value !== undefined && minTime !== undefined) conditions.push(`${value} >= ${minTime}`)
  if (value !== undefined && maxTime !== undefined) conditions.push(`${value} <= ${maxTime}`)
  const direction = isNewest ? 'desc' : 'asc'
  // Rows without a value are in the order of the index only together with their column.
  const sorted =
    column !== undefined && values === 'absent' ? [columnSql(entry, column), ...columns] : columns
  return { conditions, order: sorted.map(expression => `${expression} ${direction}`).join(', ') }
}

/**
 * Returns the stretches of a range, in its direction. Rows without a value are a stretch of their own: they are after
 * all others, the newest first, and in no window of times.
 */
export const stretchesOf = (list: ListMapping, bounds: RangeBounds, entry: string): readonly Stretch[] => {
  const { nulls } = list.order
  const hasWindow = bounds.minTime !== undefined || bounds.maxTime !== undefined
  if (nulls !== 'end') return [createStretch(list, bounds, entry, 'all')]
  const present = createStretch(list, bounds, entry, 'present')
  // After the rows without a value, the newest first, no row has a time.
  if (hasWindow && bounds.isNewest && bounds.start === 'null') return [{ ...present, conditions: ['false'] }]
  if (hasWindow) return [present]
  const absent = createStretch(list, bounds, entry, 'absent')
  if (bounds.isNewest) return bounds.start === 'null' ? [absent] : [present, absent]
  return bounds.start === 'value' ? [present] : [absent, present]
}
