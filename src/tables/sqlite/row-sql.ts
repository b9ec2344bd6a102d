import type { FieldMapping, OrderMapping, RowFilter, TableColumn, TypeMapping } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { allOf, columnSql, oneOfSql, tableSql } from '../sql/sql-text.ts'
import { parameter } from './sql-template.ts'
import { validCellSql, validKeySql } from './valid-cells.ts'

/** Returns a constant of a declaration as a literal, so that partial indexes match. */
const literalSql = ({ kind }: TableColumn, value: string | number | boolean): string => {
  if (typeof value === 'boolean') return value ? '1' : '0'
  // The declaration allows only digits for these kinds.
  if (typeof value === 'number' || kind === 'int8' || kind === 'numeric') return `${value}`
  return `'${value.replaceAll("'", "''")}'`
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
      return oneOfSql(
        reference,
        filter.values.map(value => literalSql(column, value)),
      )
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

const sameTextSql = (left: string, right: string): string =>
  `cast(${left} as text) = cast(${right} as text) collate binary`

/**
 * Returns the conditions that a row is the one of an id. An index finds all keys that SQLite takes for equal, and a
 * second condition leaves those with other texts out.
 */
export const ownKeySql = (
  alias: string,
  keys: readonly TableColumn[],
  values: readonly string[],
): readonly string[] =>
  keys.flatMap((key, index) => {
    const [left, right] = [columnSql(alias, key), values[index] ?? 'null']
    return key.isInexact ? [`${left} = ${right}`, sameTextSql(left, right)] : [`${left} = ${right}`]
  })

/** Whether two columns have one order, so that an index of either finds exactly the values that are equal to the other. */
const areAlike = (column: TableColumn, other: TableColumn): boolean =>
  column.kind === other.kind && column.isInexact === other.isInexact

/**
 * Returns the conditions that a reference is equal to a key: that columns are equal to values of others. Columns of
 * one collation are equal as this collation says. Other columns must also have the same text, as `42` and `042` do not.
 */
export const referenceEqualsSql = (
  alias: string,
  columns: readonly TableColumn[],
  others: readonly TableColumn[],
  values: readonly string[],
): readonly string[] =>
  columns.flatMap((column, index) => {
    const [left, right] = [columnSql(alias, column), values[index] ?? 'null']
    const equal = `${left} = ${right}`
    return areAlike(column, others[index] ?? column) ? [equal] : [equal, sameTextSql(left, right)]
  })

const REFERENCED = 'referenced'

/**
 * Returns the key of the row that a ref leads to. Equal keys of a collation may have different texts, such as `ada`
 * and `Ada`, and an id has the text of its own row.
 */
export const refSql = (
  alias: string,
  { columns, target }: Extract<FieldMapping, { kind: 'ref' }>,
): readonly string[] => {
  const references = referencesOf(alias, columns)
  const conditions = allOf(referenceEqualsSql(REFERENCED, target.keys, columns, references))
  const row = `${tableSql(target.table)} as ${REFERENCED} where ${conditions} limit 1`
  return target.keys.map((key, index) => {
    const own = references[index] ?? 'null'
    if (!key.isInexact || columns[index]?.isInexact !== true) return own
    return `coalesce((select ${columnSql(REFERENCED, key)} from ${row}), ${own})`
  })
}

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
