import { quoteIdentifier } from '../../stores/quote-identifier.ts'
import type { TableColumn, TableName } from '../model/table-model.ts'

/** Returns a table with its schema. */
export const tableSql = ({ schema, name }: TableName): string =>
  schema === undefined ? quoteIdentifier(name) : `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`

/** Returns a column of an alias. */
export const columnSql = (alias: string, { name }: TableColumn): string => `${alias}.${quoteIdentifier(name)}`

/** Returns the condition that all conditions hold. */
export const allOf = (conditions: readonly string[]): string =>
  conditions.length === 0 ? 'true' : conditions.join(' and ')

/** Returns the condition that an expression is one of some values. Postgres would plan one value in a list as a query. */
export const oneOfSql = (expression: string, values: readonly string[]): string =>
  values.length === 1 ? `${expression} = ${values.join()}` : `${expression} in (${values.join(', ')})`

/** Returns a comparison of two lists of expressions: `(a, b) < (c, d)`. */
export const compareRows = (
  left: readonly string[],
  operator: '<' | '>' | '<=' | '>=' | '=',
  right: readonly string[],
): string =>
  left.length === 1 && right.length === 1
    ? `${left.join()} ${operator} ${right.join()}`
    : `(${left.join(', ')}) ${operator} (${right.join(', ')})`
