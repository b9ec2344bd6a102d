import type { JsonValue } from '../../base/json.ts'
import type { FieldMapping, OrderMapping, TableColumn } from '../model/table-model.ts'
import { isKeyText } from '../rows/key-texts.ts'
import { isSqliteTimeKind, toSqliteTime } from '../rows/sqlite-times.ts'

/** A value of SQLite: an INTEGER is a bigint, a REAL is a number, and a BLOB is bytes. */
export type SqliteCell = null | bigint | number | string | Uint8Array

/**
 * Converts a cell to the value that layouts read. SQLite can store every class of values in a column, so the readers
 * of keys return null for a cell that is not a key of its column, and the readers of fields return a value that the
 * type of the field rejects.
 */
export type CellReader = (cell: SqliteCell) => JsonValue

/** A value that no type except JSON accepts. */
const INVALID: JsonValue = Object.freeze([])
/** A value that no type accepts. */
const INVALID_JSON = Number.NaN

/** Formats a number without an exponent. */
const formatDecimal = (value: number): string => {
  const text = `${Math.abs(value)}`
  const sign = value < 0 ? '-' : ''
  const [digits = '', exponentText] = text.split('e')
  if (exponentText === undefined) return `${sign}${text}`
  const exponent = Number(exponentText)
  const [whole = '', fraction = ''] = digits.split('.')
  return exponent < 0
    ? `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`
    : `${sign}${whole}${fraction.padEnd(exponent, '0')}`
}

/** Adds zeros until a number has as many digits after the point as its column. */
const padFraction = (text: string, scale: number | undefined): string => {
  if (!scale || !/^-?\d+(?:\.\d+)?$/.test(text)) return text
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(scale, '0')}`
}

const isNumeric = (cell: SqliteCell): cell is bigint | number =>
  typeof cell === 'bigint' || typeof cell === 'number'

const formatNumber = (cell: bigint | number): string =>
  typeof cell === 'bigint' ? `${cell}` : formatDecimal(cell)

const toBoolean = (cell: SqliteCell): boolean | undefined =>
  cell === 1n ? true : cell === 0n ? false : undefined

/** Returns the text of a key; undefined for a cell of another class. */
const toKeyText = ({ kind }: TableColumn, cell: SqliteCell): string | undefined => {
  switch (kind) {
    case 'bool':
      return toBoolean(cell)?.toString()
    case 'int8':
      return typeof cell === 'bigint' ? `${cell}` : undefined
    case 'float':
    case 'unixMs':
    case 'unixSeconds':
      return isNumeric(cell) ? `${Number(cell)}` : undefined
    case 'numeric':
      return isNumeric(cell) ? formatNumber(cell) : undefined
    default:
      return typeof cell === 'string' ? cell : undefined
  }
}

/** Returns the reader of a column of a key, of a reference or of an order. */
export const createKeyReader =
  (column: TableColumn): CellReader =>
  cell => {
    const text = toKeyText(column, cell)
    return text !== undefined && isKeyText(column, text) ? text : null
  }

/** Returns the reader of the value that orders a row. Without a column, that value is NULL. */
export const createOrderReader = ({ column }: OrderMapping): CellReader =>
  column === undefined ? () => null : createKeyReader(column)

/** An integer that a number cannot hold becomes text, which the type `int` rejects. */
const readInteger: CellReader = cell => {
  if (typeof cell !== 'bigint') return INVALID
  const number = Number(cell)
  return Number.isSafeInteger(number) ? number : `${cell}`
}

const readFloat: CellReader = cell => {
  if (!isNumeric(cell)) return INVALID
  const number = Number(cell)
  return Number.isFinite(number) ? number : `${number}`
}

/** Numbers are JSON too: SQLite stores them in columns of the type `json`. */
const readJson: CellReader = cell => {
  if (isNumeric(cell)) return Number(cell)
  if (typeof cell !== 'string') return INVALID_JSON
  try {
    const value: JsonValue = JSON.parse(cell)
    return value
  } catch {
    return INVALID_JSON
  }
}

const readString: CellReader = cell => (typeof cell === 'string' ? cell : INVALID)

/** In a column of a declared type such as `string`, SQLite stores a text that is a number as a number. */
const readText: CellReader = cell => (isNumeric(cell) ? formatNumber(cell) : readString(cell))

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

/** Reads a value of any class as text. Bytes are hexadecimal digits. */
const readAsText: CellReader = cell => (cell instanceof Uint8Array ? toHex(cell) : `${cell}`)

const createTimeReader = ({ kind }: TableColumn): CellReader => {
  if (!isSqliteTimeKind(kind)) return () => INVALID
  const isStored = kind === 'iso' ? (cell: SqliteCell) => typeof cell === 'string' : isNumeric
  return cell => (isStored(cell) ? (toSqliteTime(kind, `${cell}`) ?? INVALID) : INVALID)
}

const createColumnReader = (column: TableColumn): CellReader => {
  switch (column.kind) {
    case 'bool':
      return cell => toBoolean(cell) ?? INVALID
    case 'int8':
      return readInteger
    case 'float':
      return readFloat
    case 'numeric':
      return cell => (isNumeric(cell) ? padFraction(formatNumber(cell), column.scale) : INVALID)
    case 'text':
      return readText
    case 'json':
      return readJson
    case 'other':
      return readAsText
    case 'unixMs':
    case 'unixSeconds':
    case 'iso':
      return createTimeReader(column)
    default:
      return readString
  }
}

const skipNull =
  (read: CellReader): CellReader =>
  cell =>
    cell === null ? null : read(cell)

/** Returns the readers of the columns of a field. */
export const createFieldReaders = (field: FieldMapping): readonly CellReader[] =>
  field.kind === 'ref' ? field.columns.map(createKeyReader) : [skipNull(createColumnReader(field.column))]

/** Converts the cells of a row that begin at an index. */
export const readCells = (
  readers: readonly CellReader[],
  cells: readonly SqliteCell[],
  start: number,
): readonly JsonValue[] => readers.map((read, index) => read(cells[start + index] ?? null))
