import { findColumnType, isColumnType, isComparableKind, isTimeKind } from '../compile/column-types.ts'
import type { Dialect, TableDescription } from '../description/database-description.ts'
import { columnOf } from './classify-tables.ts'
import { type FindTimeForm, findForm } from './derive-fields.ts'
import type { DerivedSort } from './derived-graph.ts'
import { toGraphName } from './graph-names.ts'
import { isSecretName } from './secret-names.ts'

/** The table whose rows are the entries of a list. */
export type SortedTable = {
  readonly dialect: Dialect
  readonly table: string
  readonly description: TableDescription
  readonly findTimeForm: FindTimeForm
}

/** Names of columns that say when a row was created, and of those with another time. */
const CREATED_NAME = /^(?:created|inserted|added|joined|posted|published)(?:_|$)/
const TIME_NAME = /_(?:at|on|time|date)$|^(?:date|time|timestamp)$/

/** Returns how well a column suits as the order of a list: 2 for when rows were created, 1 for other times. */
const rankColumn = (sorted: SortedTable, name: string): number => {
  const description = columnOf(sorted.description, name)
  if (description === undefined || description.array === true || isSecretName(name)) return 0
  const as = findForm(sorted, name, description)
  const type = findColumnType(sorted.dialect, description, as)
  if (!isColumnType(type) || !isComparableKind(type.kind)) return 0
  const graphName = toGraphName(name, '')
  if (CREATED_NAME.test(graphName)) return 2
  return isTimeKind(type.kind) || type.kind === 'date' || TIME_NAME.test(graphName) ? 1 : 0
}

/** Derives the order of a list from the indexes that begin with its columns. */
export const deriveSort = (sorted: SortedTable, listColumns: readonly string[]): DerivedSort | undefined => {
  const candidates = sorted.description.indexes.flatMap(({ columns, partial }) => {
    const first = columns.slice(0, listColumns.length)
    const next = columns[listColumns.length]
    const isFitting = partial !== true && listColumns.every(name => first.includes(name))
    return isFitting && next !== undefined ? [next] : []
  })
  const ranked = candidates
    .map(name => ({ name, rank: rankColumn(sorted, name) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
  const [best] = ranked
  const description = best && columnOf(sorted.description, best.name)
  if (best === undefined || description === undefined) return undefined
  const as = findForm(sorted, best.name, description)
  return {
    by: best.name,
    nulls: description.nullable ? 'skip' : undefined,
    as: as === 'text' ? undefined : as,
  }
}
