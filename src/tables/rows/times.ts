import { MAX_TIME, parseIsoDate } from '../../base/dates.ts'
import type { JsonValue } from '../../base/json.ts'

/** A point in time: integer microseconds since the epoch as text, or an infinity. */
export type Micros = string

const INFINITIES: ReadonlyMap<string, Micros> = new Map([
  ['Infinity', 'infinity'],
  ['infinity', 'infinity'],
  ['-Infinity', '-infinity'],
  ['-infinity', '-infinity'],
])
const SECONDS_PATTERN = /^(-?)(\d{1,16})(?:\.(\d{1,6})\d*)?$/
/** The seconds of most times, whose digits are those of their microseconds. */
const USUAL_SECONDS_PATTERN = /^[1-9]\d{0,15}\.\d{6}$/
const MICROS_PATTERN = /^(?:0|-?[1-9]\d{0,18})$/
const FRACTION_LENGTH = 6

/** The times that a `timestamptz` can contain: from 4714 BC, and before 294277 AD. */
const MIN_MICROS = -210_866_803_200_000_000n
const END_MICROS = 9_224_318_016_000_000_000n

/** Converts seconds, as `extract(epoch from …)` returns them, to microseconds without rounding. */
export const toMicros = (seconds: string): Micros | undefined => {
  if (USUAL_SECONDS_PATTERN.test(seconds))
    return seconds.slice(0, -FRACTION_LENGTH - 1) + seconds.slice(-FRACTION_LENGTH)
  const [match, sign = '', whole = '', fraction = ''] = SECONDS_PATTERN.exec(seconds) ?? []
  if (match === undefined) return INFINITIES.get(seconds)
  const digits = `${whole}${fraction.padEnd(FRACTION_LENGTH, '0')}`.replace(/^0+(?=\d)/, '')
  return digits === '0' ? digits : `${sign}${digits}`
}

/** Whether a text is a time that a column of Postgres can contain, in its only form. */
export const isMicros = (text: string): text is Micros => {
  if (text === 'infinity' || text === '-infinity') return true
  if (!MICROS_PATTERN.test(text)) return false
  const micros = BigInt(text)
  return micros >= MIN_MICROS && micros < END_MICROS
}

/** Converts a time in ISO 8601 to microseconds. A time without an offset is in UTC. */
export const isoToMicros = (text: string): Micros | undefined => {
  const time = parseIsoDate(text)
  if (time === undefined) return undefined
  const [, rest = ''] = /[.,]\d{3}(\d{1,3})/.exec(text) ?? []
  return `${BigInt(time) * 1000n + BigInt(rest.padEnd(3, '0'))}`
}

/** Converts microseconds to milliseconds, rounded down, and to the limits of times. */
export const toMilliseconds = (micros: Micros): number => {
  if (micros === 'infinity') return MAX_TIME
  if (micros === '-infinity') return -MAX_TIME
  const value = Number(micros)
  const ms = Number.isSafeInteger(value) ? Math.floor(value / 1000) : floorToMilliseconds(BigInt(micros))
  return Math.max(-MAX_TIME, Math.min(ms, MAX_TIME))
}

const floorToMilliseconds = (micros: bigint): number => {
  const remainder = micros % 1000n
  return Number((micros - (remainder < 0n ? remainder + 1000n : remainder)) / 1000n)
}

/** Returns the earliest time that is a number of milliseconds when it is rounded down. */
export const startOfMilliseconds = (ms: number): Micros => {
  if (ms <= -MAX_TIME) return '-infinity'
  const micros = BigInt(ms) * 1000n
  return `${micros < MIN_MICROS ? MIN_MICROS : micros}`
}

/** Returns the latest time that is a number of milliseconds when it is rounded down. */
export const endOfMilliseconds = (ms: number): Micros => {
  if (ms >= MAX_TIME) return 'infinity'
  const micros = BigInt(ms) * 1000n + 999n
  return micros < MIN_MICROS ? '-infinity' : `${micros}`
}

/**
 * Converts seconds to the stored value of a datetime. A time beyond the limits stays a number, and an infinity
 * stays text, so that the field's type reports them.
 */
export const toStoredTime = (seconds: string): JsonValue => {
  const value = Number(seconds)
  if (!Number.isFinite(value)) return seconds
  // A double has 15 digits. That is enough for milliseconds before the year 33658.
  if (Math.abs(value) < 1e12) return floorSeconds(seconds, value)
  const micros = toMicros(seconds)
  return micros === undefined ? seconds : floorToMilliseconds(BigInt(micros))
}

/** Rounds seconds down to milliseconds by their digits, because a product of doubles may be too small. */
const floorSeconds = (seconds: string, value: number): number => {
  const point = seconds.indexOf('.')
  if (point < 0) return value * 1000
  const whole = Number(seconds.slice(0, point)) * 1000
  const fraction = Number(
    seconds
      .slice(point + 1)
      .padEnd(FRACTION_LENGTH, '0')
      .slice(0, FRACTION_LENGTH),
  )
  return seconds.startsWith('-') ? whole - Math.ceil(fraction / 1000) : whole + Math.floor(fraction / 1000)
}
