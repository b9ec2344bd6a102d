import type { JsonValue } from '../../base/json.ts'
import { quoteIdentifier } from '../../stores/postgres/database.ts'
import type { TableColumn, TableName } from '../model/table-model.ts'
import type { SelectedRow } from '../rows/record-layout.ts'

/**
 * Quotes a constant of a declaration. A backslash needs the form `E'…'`, because its meaning in `'…'` depends on a
 * setting of the server.
 */
export const quoteLiteral = (value: string | number | boolean): string => {
  if (typeof value !== 'string') return `${value}`
  const quoted = `'${value.replaceAll("'", "''")}'`
  return value.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted
}

/** Returns a table with its schema. */
export const tableSql = ({ schema, name }: TableName): string =>
  schema === undefined ? quoteIdentifier(name) : `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`

/** Returns a column of an alias. */
export const columnSql = (alias: string, { name }: TableColumn): string => `${alias}.${quoteIdentifier(name)}`

/** A function of Postgres has at most 100 arguments. */
const MAX_ARGUMENTS = 90

/** Returns the JSON array of some expressions. A long array is divided into arrays, which `flattenRow` joins. */
export const jsonArraySql = (expressions: readonly string[]): string => {
  if (expressions.length <= MAX_ARGUMENTS) return `json_build_array(${expressions.join(', ')})`
  const parts: string[] = []
  for (let start = 0; start < expressions.length; start += MAX_ARGUMENTS)
    parts.push(`json_build_array(${expressions.slice(start, start + MAX_ARGUMENTS).join(', ')})`)
  return `json_build_array(${parts.join(', ')})`
}

/** Returns the function that joins the parts of an array that `jsonArraySql` created for a number of expressions. */
export const createRowFlattener =
  (width: number) =>
  (row: SelectedRow): SelectedRow => {
    if (width <= MAX_ARGUMENTS) return row
    const values: JsonValue[] = []
    for (const part of row) if (Array.isArray(part)) values.push(...part)
    return values
  }

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
