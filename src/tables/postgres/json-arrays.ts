import type { JsonValue } from '../../base/json.ts'
import type { SelectedRow } from '../rows/record-layout.ts'

/** Whether a result is a JSON array. */
export const isJsonArray = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value)

/** A function of Postgres has at most 100 arguments. */
const MAX_ARGUMENTS = 90

/**
 * Returns the JSON array of some expressions, of which the first one is no array. A long array is divided into arrays,
 * which `flattenRow` joins.
 */
export const jsonArraySql = (expressions: readonly string[]): string => {
  if (expressions.length <= MAX_ARGUMENTS) return `json_build_array(${expressions.join(', ')})`
  const parts: string[] = []
  for (let start = 0; start < expressions.length; start += MAX_ARGUMENTS)
    parts.push(`json_build_array(${expressions.slice(start, start + MAX_ARGUMENTS).join(', ')})`)
  return `json_build_array(${parts.join(', ')})`
}

/** Joins the parts of an array that `jsonArraySql` created. */
export const flattenRow = (row: SelectedRow): SelectedRow =>
  isJsonArray(row[0]) ? row.flatMap(part => (isJsonArray(part) ? part : [])) : row
