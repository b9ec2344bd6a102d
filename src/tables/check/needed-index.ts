import type { Dialect, IndexDescription } from '../description/database-description.ts'
import { rowFiltersOf } from '../model/lists.ts'
import type { ListMapping, RowFilter, TableColumn, TableName } from '../model/table-model.ts'
import {
  type ColumnCondition,
  conditionsOfFilter,
  isConstantCondition,
  notNullCondition,
  parseIndexCondition,
} from './index-condition.ts'

/** The columns of an index that reads a list as one range of its rows. */
export type NeededIndex = {
  readonly table: TableName
  /** Columns that are constant in the list, in any order: those of the source, and those of its own filters. */
  readonly constants: readonly string[]
  /** Columns that can be constant in addition, because a filter compares them with one value. */
  readonly possibleConstants: readonly string[]
  /** The columns that sort the list after them, in this order: that of the list, and those of the key for ties. */
  readonly sorted: readonly string[]
  /** The conditions that each row of the list meets. An index of the rows that meet some of them contains the list. */
  readonly conditions: readonly ColumnCondition[]
}

const isEquality = (filter: RowFilter): boolean =>
  filter.kind === 'null' ||
  filter.kind === 'session' ||
  (filter.kind === 'constants' && filter.values.length === 1)

const namesOf = (columns: readonly TableColumn[]): readonly string[] => columns.map(({ name }) => name)

const without = (names: readonly string[], others: readonly string[]): readonly string[] =>
  [...new Set(names)].filter(name => !others.includes(name))

/** Returns the index that a list needs. */
export const findNeededIndex = (dialect: Dialect, list: ListMapping): NeededIndex => {
  const filters = rowFiltersOf(list)
  const own = list.filters.filter(filter => filter.kind === 'constants' && isEquality(filter))
  // All rows of the table are entries of a collection, so that an index that begins with its tenant divides them.
  const tenants = list.source === undefined ? filters.filter(({ kind }) => kind === 'session') : []
  const constantColumns = [...list.sourceColumns, ...[...own, ...tenants].map(({ column }) => column)]
  const constants = [...new Set(namesOf(constantColumns))]
  const possible = filters.filter(isEquality).map(({ column }) => column)
  const order = list.order.column === undefined ? [] : [list.order.column]
  return {
    table: list.table,
    constants,
    possibleConstants: without(namesOf(possible), constants),
    sorted: without(namesOf([...order, ...list.targetColumns]), constants),
    conditions: [
      ...filters.flatMap(filter => conditionsOfFilter(dialect, filter)),
      ...namesOf(list.sourceColumns).map(notNullCondition),
      ...(list.order.nulls === 'skip' ? namesOf(order).map(notNullCondition) : []),
    ],
  }
}

/** Whether the columns of an index after a number of constants begin with those that sort the list. */
const isSorted = (
  { columns, descending = [] }: IndexDescription,
  start: number,
  sorted: readonly string[],
): boolean => {
  const part = columns.slice(start, start + sorted.length)
  const isComplete = part.length === sorted.length && part.every((name, index) => name === sorted[index])
  const descendingCount = part.filter(name => descending.includes(name)).length
  return isComplete && (descendingCount === 0 || descendingCount === part.length)
}

/**
 * Returns the columns that an index of some rows makes constant, or undefined if it may not contain each row of a list.
 */
const columnsOfCondition = (
  dialect: Dialect,
  { conditions }: NeededIndex,
  { partial, where }: IndexDescription,
): readonly string[] | undefined => {
  if (partial !== true) return []
  const required = where === undefined ? undefined : parseIndexCondition(where, dialect)
  const isImplied = required?.every(({ column, test }) =>
    conditions.some(condition => condition.column === column && condition.test === test),
  )
  return isImplied ? required?.filter(isConstantCondition).map(({ column }) => column) : undefined
}

/**
 * Whether an index reads a list as one range, in its order. An index of some rows must contain all rows of the list,
 * and does not need the columns that its condition makes constant.
 */
export const isServedBy = (dialect: Dialect, needed: NeededIndex, index: IndexDescription): boolean => {
  const { constants, possibleConstants, sorted } = needed
  const constantInIndex = columnsOfCondition(dialect, needed, index)
  if (constantInIndex === undefined) return false
  const required = without(constants, constantInIndex)
  for (let start = 0; start <= index.columns.length; start++) {
    const first = index.columns.slice(0, start)
    const isConstant = first.every(name => constants.includes(name) || possibleConstants.includes(name))
    if (!isConstant) return false
    // A sorted column that a filter makes constant may be among the constants.
    const rest = sorted.filter(name => !first.includes(name))
    if (required.every(name => first.includes(name)) && isSorted(index, start, rest)) return true
  }
  return false
}
