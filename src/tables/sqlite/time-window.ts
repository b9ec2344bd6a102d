import { MAX_TIME } from '../../base/dates.ts'
import type { EdgeRange } from '../../store/contract.ts'
import type { SqliteValue } from '../../stores/sqlite/connection.ts'
import type { OrderMapping } from '../model/table-model.ts'
import { isSqliteTimeKind, type SqliteTimeKind } from '../rows/sqlite-times.ts'
import { columnSql } from '../sql/sql-text.ts'
import { type MutableValues, parameter } from './sql-template.ts'

/** The bounds of the times of a range: `minTime` is inclusive, and `endTime` is exclusive. */
export type TimeWindow = {
  readonly kind: SqliteTimeKind
  readonly minTime: number | undefined
  readonly endTime: number | undefined
}

/** The times at the limits of JavaScript limit no list. */
const limits = (time: number | undefined): time is number => time !== undefined && Math.abs(time) < MAX_TIME

/** Returns the window of a range; undefined for a list without times. */
export const windowOf = (
  { column, isTime }: OrderMapping,
  { minTime, maxTime }: EdgeRange,
): TimeWindow | undefined => {
  if (!isTime || column === undefined || !isSqliteTimeKind(column.kind)) return undefined
  return {
    kind: column.kind,
    minTime: limits(minTime) ? minTime : undefined,
    endTime: limits(maxTime) ? maxTime + 1 : undefined,
  }
}

/** Times of the years 0 to 9999 have texts of equal length. */
const MIN_ISO = -62_167_219_200_000
const END_ISO = 253_402_300_800_000
/** A text after all texts that begin with a digit. */
const AFTER_DIGITS = ':'
const DAY = 86_400_000

/** Returns the beginning that the texts of all times from a time on have, or that follow it. */
const toIso = (time: number): string => {
  if (time >= END_ISO) return AFTER_DIGITS
  if (time <= MIN_ISO) return ''
  const text = new Date(time).toISOString().replace('T', ' ')
  return text.replace(/(?:(?:(?: 00:00)?:00)?\.000|(?<=\.\d{1,2})0+)?Z$/, '')
}

/** The values of one bound: one that limits the index and may let more rows through, and the exact one. */
type Bound = { readonly index: SqliteValue; readonly exact: SqliteValue }

/** A product of doubles is rounded, so the index is read one second further. */
const MARGIN_SECONDS = 1

const startOfDay = (time: number): number => time - (((time % DAY) + DAY) % DAY)

const toMinBound = (kind: SqliteTimeKind, time: number): Bound => {
  if (kind === 'unixMs') return { index: time, exact: time }
  if (kind === 'unixSeconds') return { index: Math.floor(time / 1000) - MARGIN_SECONDS, exact: time }
  return { index: toIso(startOfDay(time)), exact: toIso(time) }
}

const toEndBound = (kind: SqliteTimeKind, time: number): Bound => {
  if (kind === 'unixMs') return { index: time, exact: time }
  if (kind === 'unixSeconds') return { index: Math.ceil(time / 1000) + MARGIN_SECONDS, exact: time }
  return { index: toIso(startOfDay(time) + DAY), exact: toIso(time) }
}

/** Adds the values of a window to those of a statement. */
export const bindWindow = (values: MutableValues, { kind, minTime, endTime }: TimeWindow): void => {
  if (minTime !== undefined) {
    const { index, exact } = toMinBound(kind, minTime)
    values.lo = index
    values.min = exact
  }
  if (endTime !== undefined) {
    const { index, exact } = toEndBound(kind, endTime)
    values.hi = index
    values.end = exact
  }
}

/** Returns the time of a row in the form of the exact bounds. */
const exactSql = (kind: SqliteTimeKind, reference: string): string => {
  if (kind === 'unixMs') return `+${reference}`
  if (kind === 'unixSeconds') return `${reference} * 1000`
  return `replace(replace(replace(${reference}, 'T', ' '), 'Z', ''), '+00:00', '')`
}

/** Returns the exact conditions of a window. */
export const windowSql = (
  { column }: OrderMapping,
  alias: string,
  window: TimeWindow | undefined,
): readonly string[] => {
  if (window === undefined || column === undefined) return []
  const exact = exactSql(window.kind, columnSql(alias, column))
  return [
    ...(window.minTime === undefined ? [] : [`${exact} >= ${parameter('min')}`]),
    ...(window.endTime === undefined ? [] : [`${exact} < ${parameter('end')}`]),
  ]
}
