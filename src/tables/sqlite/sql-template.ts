import type { SqliteValue } from '../../stores/sqlite/connection.ts'
import type { TableColumn } from '../model/table-model.ts'
import type { KeyText } from '../rows/key-texts.ts'

/** NULL as a parameter: SQLite has no NaN, and binds NULL instead. The types of its clients accept no `null`. */
export const NULL_VALUE: SqliteValue = Number.NaN

/**
 * The values of a statement, by the names of its parameters. Those of keys are `s0`, `s1`, … of the node or the source of
 * a list, `t0`, … of a target, and `f0`, … of the position at which a range begins, whose value is `o`. A range has the
 * times `lo`, `hi`, `min` and `end`, and at most `n` rows; a count has at most `c`. Conditions have `q0`, …, and session
 * filters `u0`, ….
 */
export type StatementValues = { readonly [name: string]: SqliteValue }

/** Values of a statement that is being created. */
export type MutableValues = { [name: string]: SqliteValue }

/** A statement: its text, and the names of its parameters in their order. */
export type SqlTemplate = { readonly sql: string; readonly names: readonly string[] }

/** Marks the name of a parameter. No identifier and no constant of a declaration contains it. */
const MARK = '\u0000'

/** Returns a parameter of a statement. A statement may contain it several times. */
export const parameter = (name: string): string => `${MARK}${name}${MARK}`

/** Returns the parameters of the columns of a key, whose names begin with a letter. */
export const keyParameters = (letter: string, columns: readonly TableColumn[]): readonly string[] =>
  columns.map((_, index) => parameter(`${letter}${index}`))

/** Returns the statement of a text with parameters. */
export const createTemplate = (text: string): SqlTemplate => {
  const parts = text.split(MARK)
  return {
    sql: parts.map((part, index) => (index % 2 === 0 ? part : '?')).join(''),
    names: parts.filter((_, index) => index % 2 === 1),
  }
}

const MAX_INTEGER = 2n ** 63n - 1n

const toNumeric = (text: KeyText): bigint | number => {
  if (!/^-?\d+$/.test(text)) return Number(text)
  const integer = BigInt(text)
  return integer <= MAX_INTEGER && integer >= -MAX_INTEGER - 1n ? integer : Number(text)
}

/**
 * Converts the text of a value to a parameter of the column's own class. SQLite would compare an integer with a text
 * by the affinity of the column, so that `1` and `01` could be equal.
 */
export const toBinding = ({ kind }: TableColumn, text: KeyText): SqliteValue => {
  switch (kind) {
    case 'bool':
      return text === 'true' ? 1n : 0n
    case 'int8':
      return BigInt(text)
    case 'numeric':
      return toNumeric(text)
    case 'float':
    case 'unixMs':
    case 'unixSeconds':
      return Number(text)
    default:
      return text
  }
}

/** Adds the values of a key to those of a statement. */
export const bindKey = (
  values: MutableValues,
  letter: string,
  columns: readonly TableColumn[],
  key: readonly KeyText[],
): void => {
  for (const [index, column] of columns.entries())
    values[`${letter}${index}`] = toBinding(column, key[index] ?? '')
}
