import { describeValue } from '../../base/describe.ts'
import { isNonArrayObject } from '../../base/json.ts'
import { usageError } from '../../base/usage-error.ts'

/** The name of a column, or the names of several in the order of the key that they are equal to. */
export type ColumnNames = string | readonly string[]

/** A table, or a table with the columns that are different in each of its rows. */
export type TableReference = string | { readonly table: string; readonly key: ColumnNames }

/** The name of the table of a reference. */
export type TableNameOf<TReference> = TReference extends { readonly table: infer TTable extends string }
  ? TTable
  : TReference & string

/** Returns the name of the table of a reference. */
export const tableNameOf = (reference: TableReference): string =>
  typeof reference === 'string' ? reference : reference.table

/** Whether a value is the name of a column, or the names of at least one. */
export const isColumnNames = (value: unknown): value is ColumnNames =>
  typeof value === 'string' ||
  (Array.isArray(value) && value.length > 0 && value.every(name => typeof name === 'string'))

/** Whether a value is the name of a table, or a table with the columns of its key. */
export const isTableReference = (value: unknown): value is TableReference =>
  typeof value === 'string' ||
  (isNonArrayObject(value) && typeof value.table === 'string' && isColumnNames(value.key))

/** The values that {@link isTableReference} accepts, for messages. */
export const TABLE_REFERENCE = 'the name of a table, or { table, key }'

/** Converts one name or several to an array. */
export const toColumnList = (names: ColumnNames): readonly string[] =>
  typeof names === 'string' ? [names] : names

/** @throws TypeError for a target that is not the name of a type. */
export const assertTarget = (caller: string, target: unknown): void => {
  if (typeof target !== 'string')
    throw usageError(caller, 'target', 'the name of a type', describeValue(target))
}

/** @throws TypeError for columns that are not a name or an array of names. */
export const assertColumns = (caller: string, columns: unknown, name = 'columns'): void => {
  if (!isColumnNames(columns))
    throw usageError(caller, name, 'the name of a column, or an array of names', describeValue(columns))
}

/** @throws TypeError for a join table that is not a reference to a table. */
export const assertJoinTable = (caller: string, joinTable: unknown): void => {
  if (!isTableReference(joinTable))
    throw usageError(caller, 'joinTable', TABLE_REFERENCE, describeValue(joinTable))
}
