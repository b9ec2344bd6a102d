import { invalidParameterError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/json.ts'
import type { EdgePosition, EdgeRange } from '../../store/contract.ts'
import type { ListMapping, OrderMapping, TableColumn, TableModel } from '../model/table-model.ts'
import { formatMicros } from './calendar.ts'
import { isKeyText, type KeyText, keyReaderOf, toParameter } from './key-texts.ts'
import { parseIdOf } from './row-ids.ts'
import { isSqliteTimeKind, toSqliteTime } from './sqlite-times.ts'
import { isMicros, type Micros, toMicros, toMilliseconds } from './times.ts'

/** The part of a position that the order column gives. */
type OrderPosition = { readonly time: number; readonly key: string }

/** The maximum length of the key of a position, in bytes of UTF-8. */
export const MAX_POSITION_BYTES = 500
const NO_ORDER: OrderPosition = { time: 0, key: '' }
const NO_VALUE: OrderPosition = { time: 0, key: 'null' }
const VALUE_MARK = '='
/** Between the value that orders a list and the time of it, if a time zone makes them differ. */
const ZONE_SEPARATOR = ' '
const MICROS_PER_DAY = 86_400_000_000n

/** Whether the time of a value depends on the rules of a time zone. */
export const hasZone = ({ kind, timeZone }: TableColumn): boolean =>
  kind === 'timestamp' && timeZone !== undefined && timeZone !== 'UTC'

/** Reads the position of a row from the selected value of its order. */
export type PositionReader = (value: JsonValue) => OrderPosition

/**
 * Returns the function that reads positions of an order. The selected value of a time is text in seconds since the
 * epoch. With a time zone, it is the value as if it were in UTC, a space, and the time.
 */
export const createPositionReader = (order: OrderMapping): PositionReader => {
  const { column } = order
  if (column === undefined) return () => NO_ORDER
  const readKey = keyReaderOf(column)
  if (!hasMicros(order))
    return value => {
      if (value === null) return NO_VALUE
      const text = readKey(value)
      return { time: timeOfKey(column, text), key: `${VALUE_MARK}${text}` }
    }
  const readMicros = (seconds: string): Micros => toMicros(seconds) ?? '0'
  if (!hasZone(column))
    return value => {
      if (value === null) return NO_VALUE
      const key = readMicros(`${value}`)
      return { time: toMilliseconds(key), key }
    }
  return value => {
    if (value === null) return NO_VALUE
    const [seconds = '', time = seconds] = `${value}`.split(ZONE_SEPARATOR)
    return { time: toMilliseconds(readMicros(time)), key: readMicros(seconds) }
  }
}

/** Where a range begins: after a value and a key, or among the rows without a value. */
export type StartPosition = {
  readonly isNull: boolean
  /** The text that the type of the order column reads. Absent without a column, and among rows without a value. */
  readonly value: string | undefined
  readonly key: readonly KeyText[]
}

/** Returns the time of a value that is the key of its position. */
const timeOfKey = ({ kind }: TableColumn, text: string): number =>
  isSqliteTimeKind(kind) ? (toSqliteTime(kind, text) ?? 0) : 0

/** Whether the keys of positions are microseconds. Times of SQLite are compared in the form in which they are stored. */
const hasMicros = ({ column, isTime }: OrderMapping): boolean =>
  isTime && column !== undefined && !isSqliteTimeKind(column.kind)

const isWholeDay = (micros: string): boolean =>
  micros.endsWith('infinity') || BigInt(micros) % MICROS_PER_DAY === 0n

const parseTimeKey = (column: TableColumn, { time, key = '' }: EdgePosition): string | undefined => {
  if (!isMicros(key)) return undefined
  if (!hasZone(column) && toMilliseconds(key) !== time) return undefined
  if (column.kind === 'date' && !isWholeDay(key)) return undefined
  // The text of a time with its hours is also one of a date.
  return formatMicros(key)
}

const parseOrderValue = (order: OrderMapping, position: EdgePosition): string | undefined => {
  const { key = '', time } = position
  const { column } = order
  if (column === undefined) return undefined
  if (hasMicros(order)) return parseTimeKey(column, position)
  const text = key.slice(VALUE_MARK.length)
  const isValid = key.startsWith(VALUE_MARK) && isKeyText(column, text) && time === timeOfKey(column, text)
  return isValid ? toParameter(column, text) : undefined
}

/** Reads a position that a caller may have changed. Returns undefined for one that no row can have. */
const parsePosition = (
  model: TableModel,
  { order, target }: ListMapping,
  position: EdgePosition,
): StartPosition | undefined => {
  const key = parseIdOf(model, target, position.target)
  if (key === undefined) return undefined
  if (order.column === undefined)
    return position.key === NO_ORDER.key ? { isNull: false, value: undefined, key } : undefined
  if (position.key === NO_VALUE.key)
    return order.nulls === 'end' ? { isNull: true, value: undefined, key } : undefined
  const value = parseOrderValue(order, position)
  return value === undefined ? undefined : { isNull: false, value, key }
}

/**
 * Reads the position after which a range begins, if it has one.
 *
 * @throws GraphError `invalid_parameter` for a position that no row can have, because it would fail the statement.
 */
export const readStart = (
  model: TableModel,
  list: ListMapping,
  { from, cursorParameter = 'after' }: Pick<EdgeRange, 'from' | 'cursorParameter'>,
): StartPosition | undefined => {
  if (from === undefined) return undefined
  const start = parsePosition(model, list, from)
  if (start === undefined)
    throw invalidParameterError(cursorParameter, 'a cursor of this edge', 'a cursor with another position')
  return start
}
