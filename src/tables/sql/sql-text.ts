import { quoteIdentifier } from '../../stores/postgres/database.ts'
import type { TableColumn, TableName } from '../model/table-model.ts'

/** Returns a table with its schema. */
export const tableSql = ({ schema, name }: TableName): string =>
  schema === undefined ? quoteIdentifier(name) : `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`

/** Returns a column of an alias. */
export const columnSql = (alias: string, { name }: TableColumn): string => `${alias}.${quoteIdentifier(name)}`

/** Joins conditions, of which all must hold. */
export const allOf = (conditions: readonly string[]): string =>
  conditions.length === 0 ? 'true' : conditions.join(' and ')

/** Returns a comparison of two lists of expressions: `(a, b) < (c, d)`. */
export const compareRows = (
  left: readonly string[],
  operator: '<' | '>' | '=',
  right: readonly string[],
): string =>
  left.length === 1 && right.length === 1
    ? `${left.join()} ${operator} ${right.join()}`
    : `(${left.join(', ')}) ${operator} (${right.join(', ')})`
