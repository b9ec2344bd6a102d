import type { JsonValue } from '../../base/json.ts'
import type { ColumnKind, TableColumn } from '../model/table-model.ts'
import { formatMicros, isPostgresDate } from './calendar.ts'
import { toSqliteTime } from './sqlite-times.ts'
import { isMicros, toMicros } from './times.ts'

/**
 * The text of a value in the only form that ids, cursors and conditions have it in, so that equal texts are equal
 * values. Times are microseconds since the epoch.
 */
export type KeyText = string

/** The only form of an integer. */
export const INTEGER_PATTERN = /^(?:0|-?[1-9]\d{0,18})$/
const INTEGER_LIMITS: Readonly<Partial<Record<ColumnKind, bigint>>> = {
  int2: 2n ** 15n,
  int4: 2n ** 31n,
  int8: 2n ** 63n,
}
/** Integers of so many characters are in the limits of each type. */
const SAFE_LENGTH = 4
/** The form in which Postgres writes a uuid. */
const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const NUMERIC_PATTERN = /^(?:NaN|-?Infinity|-?\d{1,500}(?:\.\d{1,500})?)$/
const FLOAT_PATTERN = /^(?:NaN|-?Infinity|-?(\d{1,330})(?:\.(\d{1,330}))?(?:e[+-]?\d{1,3})?)$/

const isInteger = (limit: bigint, text: string): boolean => {
  if (!INTEGER_PATTERN.test(text)) return false
  if (text.length <= SAFE_LENGTH) return true
  const value = BigInt(text)
  return value < limit && value >= -limit
}

/** Whether a text is a number in the limits of a float: Postgres rejects others, also those that round to 0. */
const isFloat = (text: string, isSingle: boolean): boolean => {
  const match = FLOAT_PATTERN.exec(text)
  if (match === null) return false
  const [, whole, fraction = ''] = match
  if (whole === undefined) return true
  const value = isSingle ? Math.fround(Number(text)) : Number(text)
  return Number.isFinite(value) && (value !== 0 || /^0*$/.test(`${whole}${fraction}`))
}

/** Whether a text is one that Postgres can store. */
const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/**
 * Whether a column can contain a value, and the text is its only form. Other texts must not reach a statement,
 * because one of them would fail all of it.
 */
export const isKeyText = (column: TableColumn, text: string): text is KeyText => {
  if (column.isArray) return false
  switch (column.kind) {
    case 'int2':
    case 'int4':
    case 'int8':
      return isInteger(INTEGER_LIMITS[column.kind] ?? 0n, text)
    case 'uuid':
      return UUID_PATTERN.test(text)
    case 'text':
    case 'char':
    case 'citext':
      return isStorable(text)
    case 'unixMs':
    case 'unixSeconds':
      return `${Number(text)}` === text && toSqliteTime(column.kind, text) !== undefined
    case 'iso':
      return toSqliteTime(column.kind, text) !== undefined
    case 'enum':
      return column.labels?.includes(text) ?? false
    case 'bool':
      return text === 'true' || text === 'false'
    case 'numeric':
      return NUMERIC_PATTERN.test(text)
    case 'float':
      return isFloat(text, column.sqlType === 'float4')
    case 'date':
      return isPostgresDate(text)
    case 'timestamptz':
    case 'timestamp':
      return isMicros(text)
    case 'json':
    case 'other':
      return false
  }
}

/** Whether a column has a type for times. SQLite has none. */
export const isTimestamp = ({ kind }: TableColumn): boolean => kind === 'timestamptz' || kind === 'timestamp'

/** Returns the function that converts a selected value of a column to its key text. */
export const keyReaderOf = (column: TableColumn): ((value: JsonValue) => KeyText) =>
  isTimestamp(column) ? value => toMicros(`${value}`) ?? '' : value => `${value}`

/** Converts a key text to the text that the column's type reads. */
export const toParameter = (column: TableColumn, text: KeyText): string =>
  isTimestamp(column) ? formatMicros(text) : text
