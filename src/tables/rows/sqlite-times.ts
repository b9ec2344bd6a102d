import { isTime, parseIsoDate } from '../../base/dates.ts'
import type { ColumnKind } from '../model/table-model.ts'

/** The kinds of times in SQLite, which has no type for them: numbers since the epoch, or texts. */
export type SqliteTimeKind = Extract<ColumnKind, 'unixMs' | 'unixSeconds' | 'iso'>

/** Whether the values of a kind of columns are times of SQLite. */
export const isSqliteTimeKind = (kind: ColumnKind): kind is SqliteTimeKind =>
  kind === 'unixMs' || kind === 'unixSeconds' || kind === 'iso'

/** A time in UTC. With other offsets, the order of texts would not be that of the times. */
const ISO_PATTERN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|\+00:00)?)?$/

const parseIso = (text: string): number | undefined => {
  const match = ISO_PATTERN.exec(text)
  if (match === null) return undefined
  const [, day, time = '00:00', seconds = '00', fraction = '0'] = match
  return parseIsoDate(`${day}T${time}:${seconds}.${fraction.slice(0, 3)}Z`)
}

const UNITS = { unixMs: 1, unixSeconds: 1000 } as const

/**
 * Converts the text of a stored time to milliseconds, rounded down. Returns undefined for a text that is no such
 * time. The forms of `iso` are `YYYY-MM-DD`, and with ` ` or `T` a time of the day as `hh:mm`, `hh:mm:ss` or
 * `hh:mm:ss.f`, then nothing, `Z` or `+00:00`.
 */
export const toSqliteTime = (kind: SqliteTimeKind, text: string): number | undefined => {
  const time = kind === 'iso' ? parseIso(text) : Math.floor(Number(text) * UNITS[kind])
  return isTime(time) ? time : undefined
}
