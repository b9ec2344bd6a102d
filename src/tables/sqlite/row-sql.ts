import type { OrderMapping, RowFilter, TableColumn, TypeMapping } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { columnSql } from '../sql/sql-text.ts'
import { parameter } from './sql-template.ts'
import { validCellSql, validKeySql } from './valid-cells.ts'

/** Returns a constant of a declaration as a literal, so that partial indexes match. */
const literalSql = ({ kind }: TableColumn, value: string | number | boolean): string => {
  if (typeof value === 'boolean') return value ? '1' : '0'
  // The declaration allows only digits for these kinds.
  if (typeof value === 'number' || kind === 'int8' || kind === 'numeric') return `${value}`
  return `'${value.replaceAll("'", "''")}'`
}

const constantsSql = (
  column: TableColumn,
  reference: string,
  filter: readonly (string | number | boolean)[],
) => {
  const literals = filter.map(value => literalSql(column, value))
  return literals.length === 1
    ? `${reference} = ${literals.join()}`
    : `${reference} in (${literals.join(', ')})`
}

/** Returns the name of the parameter with the value of a session filter. */
export const sessionParameter = (index: number): string => `u${index}`

const filterSql = (filter: RowFilter, alias: string, sessionFilters: SessionFilters): string => {
  const { column } = filter
  const reference = columnSql(alias, column)
  switch (filter.kind) {
    case 'null':
      return `${reference} is null`
    case 'notNull':
      return `${reference} is not null`
    case 'constants':
      return constantsSql(column, reference, filter.values)
    case 'session':
      return `${reference} = ${parameter(sessionParameter(sessionFilters.indexOf(filter)))}`
  }
}

/** Returns the conditions of some filters. */
export const filtersSql = (
  filters: readonly RowFilter[],
  alias: string,
  sessionFilters: SessionFilters,
): readonly string[] => filters.map(filter => filterSql(filter, alias, sessionFilters))

/** Returns the references of columns of an alias. */
export const referencesOf = (alias: string, columns: readonly TableColumn[]): readonly string[] =>
  columns.map(column => columnSql(alias, column))

/** Whether equal values of two columns may have different texts: `a` and `A`, or `42` and `042`. */
const mayDiffer = (column: TableColumn, other: TableColumn): boolean =>
  column.kind !== other.kind || column.isInexact || other.isInexact

const equalSql = (left: string, right: string, isLoose: boolean): readonly string[] => {
  const equal = `${left} = ${right}`
  return isLoose ? [equal, `cast(${left} as text) = cast(${right} as text) collate binary`] : [equal]
}

/**
 * Returns the conditions that columns are equal to a key, whose columns may be of another kind or collation. An index
 * finds all values that SQLite takes for equal, and a second condition leaves those with other texts out.
 */
export const keyEqualsSql = (
  alias: string,
  columns: readonly TableColumn[],
  keys: readonly TableColumn[],
  values: readonly string[],
): readonly string[] =>
  columns.flatMap((column, index) => {
    const key = keys[index] ?? column
    return equalSql(columnSql(alias, column), values[index] ?? 'null', mayDiffer(column, key))
  })

/** Returns the conditions that a row has a position in an order. */
export const positionSql = (alias: string, { column, nulls }: OrderMapping): readonly string[] => {
  if (column === undefined) return []
  const reference = columnSql(alias, column)
  const isValid = validCellSql(column, reference)
  return [nulls === 'end' ? `(${reference} is null or ${isValid})` : isValid]
}

/** Returns the conditions that a row is a node of a type. */
export const nodeSql = (
  type: TypeMapping,
  alias: string,
  sessionFilters: SessionFilters,
): readonly string[] => [
  ...filtersSql(type.filters, alias, sessionFilters),
  ...validKeySql(type.keys, referencesOf(alias, type.keys)),
]
