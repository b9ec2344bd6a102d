import type { Dialect } from '../description/database-description.ts'
import { splitSql } from '../introspect/split-sql.ts'
import type { RowFilter } from '../model/table-model.ts'

/** The condition of one column, such as `is null` or `= public`. */
export type ColumnCondition = { readonly column: string; readonly test: string }

const IS_NULL = 'is null'
const IS_NOT_NULL = 'is not null'

/** Whether all rows that a condition lets through have the same value in its column. */
export const isConstantCondition = ({ test }: ColumnCondition): boolean => test !== IS_NOT_NULL

/** Returns the condition that a column has a value. */
export const notNullCondition = (column: string): ColumnCondition => ({ column, test: IS_NOT_NULL })

/** Returns what is true for each row that a filter lets through. */
export const conditionsOfFilter = (dialect: Dialect, filter: RowFilter): readonly ColumnCondition[] => {
  const column = filter.column.name
  if (filter.kind === 'null') return [{ column, test: IS_NULL }]
  const [value, ...others] = filter.kind === 'constants' ? filter.values : []
  const text = dialect === 'sqlite' && typeof value === 'boolean' ? Number(value) : value
  const equals = value === undefined || others.length > 0 ? [] : [{ column, test: `= ${text}` }]
  return [...equals, notNullCondition(column)]
}

const NAME = String.raw`("(?:[^"]|"")+"|[a-z_][\w$]*)`
// Postgres writes the type of a text behind it, and converts varchar.
const CAST = String.raw`(?:::[\w ."]+)?`
const NULL_TEST = new RegExp(`^${NAME} is (not )?null$`, 'i')
const EQUALITY = new RegExp(
  String.raw`^(?:${NAME}|\(${NAME}\)::text) ?= ?(?:('(?:[^']|'')*')${CAST}|(-?\d+(?:\.\d+)?|true|false))$`,
  'i',
)
const TRUTH = new RegExp(`^(not )?${NAME}$`, 'i')

const unquote = (text: string): string => {
  const [quote = ''] = text
  return quote === '"' || quote === "'" ? text.slice(1, -1).replaceAll(quote + quote, quote) : text
}

const isBalanced = (sql: string): boolean => {
  let depth = 0
  for (const [token] of sql.matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]/g)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}

const withoutParentheses = (sql: string): string => {
  const inner = /^\((.*)\)$/s.exec(sql)?.[1]
  // The parentheses belong together if those between them do.
  return inner !== undefined && isBalanced(inner) ? withoutParentheses(inner.trim()) : sql
}

const parseTest = (sql: string, dialect: Dialect): ColumnCondition | undefined => {
  const [, tested, not] = NULL_TEST.exec(sql) ?? []
  if (tested !== undefined)
    return { column: unquote(tested), test: not === undefined ? IS_NULL : IS_NOT_NULL }
  const [, name, converted, text, word] = EQUALITY.exec(sql) ?? []
  const compared = name ?? converted
  const constant = text ?? word
  if (compared !== undefined && constant !== undefined)
    return { column: unquote(compared), test: `= ${unquote(constant)}` }
  // Only Postgres finds such an index for `column = true`.
  const [, negation, truth] = (dialect === 'postgres' && TRUTH.exec(sql)) || []
  return truth === undefined ? undefined : { column: unquote(truth), test: `= ${negation === undefined}` }
}

/**
 * Parses the condition of an index: comparisons of columns with NULL or with one constant, connected with `and`.
 * Returns undefined for other conditions.
 */
export const parseIndexCondition = (
  sql: string,
  dialect: Dialect,
): readonly ColumnCondition[] | undefined => {
  const parts = splitSql(withoutParentheses(sql.trim()), 'and')
  const conditions = parts.map(part =>
    parts.length > 1 ? parseIndexCondition(part, dialect) : parseTest(part, dialect),
  )
  const found = conditions.filter(condition => condition !== undefined)
  return found.length === conditions.length ? found.flat() : undefined
}
