import { describeValue } from '../../base/describe.ts'
import type { TableOrder } from '../declare/lists.ts'
import type { OrderMapping, RowFilter, TableColumn } from '../model/table-model.ts'
import {
  describeSortForms,
  findColumnType,
  isColumnType,
  isComparableKind,
  isTimeKind,
} from './column-types.ts'
import type { CompileContext } from './compile-context.ts'
import type { DescribedTable } from './described-table.ts'

/** The rows that an order sorts. */
export type SortedRows = {
  readonly table: DescribedTable
  /** All filters of the rows. */
  readonly filters: readonly RowFilter[]
  /** The columns that fields show, as these read them. */
  readonly shownColumns: readonly TableColumn[]
}

const BY_KEY: OrderMapping = Object.freeze({ column: undefined, isTime: false, nulls: 'none' })

/** Whether a filter lets no row through that has no value in the column. */
export const excludesNull = (filters: readonly RowFilter[], { name }: TableColumn): boolean =>
  filters.some(({ kind, column }) => kind !== 'null' && column.name === name)

const findNulls = (
  context: CompileContext,
  location: string,
  column: TableColumn,
  { nulls }: TableOrder,
  filters: readonly RowFilter[],
): OrderMapping['nulls'] => {
  if (!column.isNullable || excludesNull(filters, column)) return 'none'
  if (nulls === 'skip' || nulls === 'end') return nulls
  context.issues.add(
    location,
    '"nulls"',
    `"skip" or "end", since ${column.name} may be NULL`,
    describeValue(nulls),
  )
  return 'skip'
}

const hasOrder = ({ kind, isArray }: TableColumn): boolean => isComparableKind(kind) && !isArray

/** Returns the column of an order. Without `as`, it is read as by a field that shows it. */
const findSortColumn = (
  context: CompileContext,
  location: string,
  { by, as }: TableOrder & { readonly by: string },
  { table, shownColumns }: SortedRows,
): TableColumn | undefined => {
  const named = context.findColumn(location, '"by"', table, by)
  if (named === undefined) return undefined
  const shown = shownColumns.find(column => column.name === named.name && hasOrder(column))
  if (as === undefined && shown !== undefined) return shown
  const { dialect } = table
  const { description } = named
  const type = findColumnType(dialect, description, as)
  const column = isColumnType(type) ? table.toColumn(named, type) : undefined
  if (column !== undefined && hasOrder(column)) return column
  const forms = describeSortForms(dialect, description)
  if (forms === undefined) {
    const received = `${describeValue(by)} of the type ${description.type}${description.array ? '[]' : ''}`
    context.issues.add(location, '"by"', 'a column whose values have an order', received)
  } else context.issues.add(location, '"as"', forms, describeValue(as))
  return undefined
}

/** Whether the values are times. A date of Postgres is the time at which its day begins in UTC. */
const isTime = ({ dialect }: DescribedTable, { kind }: TableColumn): boolean =>
  isTimeKind(kind) || (dialect === 'postgres' && kind === 'date')

/** Compiles the order of a list, or returns undefined after adding an error. */
export const compileOrder = (
  context: CompileContext,
  location: string,
  sort: TableOrder,
  rows: SortedRows,
): OrderMapping | undefined => {
  const { by } = sort
  if (by === undefined) {
    for (const option of ['as', 'nulls'] as const)
      if (sort[option] !== undefined)
        context.issues.add(location, `"${option}"`, 'left out without "by"', describeValue(sort[option]))
    return BY_KEY
  }
  const column = findSortColumn(context, location, { ...sort, by }, rows)
  if (column === undefined) return undefined
  return {
    column,
    isTime: isTime(rows.table, column),
    nulls: findNulls(context, location, column, sort, rows.filters),
  }
}
