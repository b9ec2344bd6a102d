import { formatDatetime, isTime, parseIsoDate, toTime } from '../base/dates.ts'
import { isPlainObject, type JsonValue } from '../base/json.ts'
import { type FieldType, Mismatch } from './field-type.ts'
import { intType } from './scalar-types.ts'

/** How much of a birthday others are told. */
export type BirthdayShow = 'full' | 'year' | 'day'

/** A birthday as it is written: `YYYY-MM-DD` shows in full, `MM/DD` is without a year, `YYYY` without a day. */
export type BirthdayInput = string | { date: string; show: BirthdayShow }

/** An age segment, both ends inclusive; who is past 20 has no `max`. */
export type AgeRange = { min: number; max?: number }

/** Stored as integer milliseconds, answered as `YYYY-MM-DDThh:mm:ss+0000`. */
export const datetimeType: FieldType<string> = {
  name: 'datetime',
  notation: 'text',
  plain: false,
  parse(value) {
    const time = toTime(value)
    if (time === undefined) throw new Mismatch('integer milliseconds, a Date or an ISO 8601 date', value)
    return time
  },
  storedAs: 'integer milliseconds since the epoch',
  isValid: isTime,
  serialize: stored => (isTime(stored) ? formatDatetime(stored) : undefined),
}

const isSeconds = (value: unknown): value is number => Number.isInteger(value) && isTime(Number(value) * 1000)

/** Stored and answered as integer seconds. */
export const unixtimeType: FieldType<number> = {
  name: 'unixtime',
  notation: 'json',
  plain: true,
  parse(value) {
    const time = typeof value === 'number' ? value * 1000 : toTime(value)
    if (!isTime(time) || time % 1000 !== 0) throw new Mismatch('whole seconds since the epoch', value)
    return time / 1000
  },
  storedAs: 'integer seconds since the epoch',
  isValid: isSeconds,
  serialize: stored => (isSeconds(stored) ? stored : undefined),
}

const DATE = /^\d{4}-\d\d-\d\d$/

const isDate = (value: unknown): value is string =>
  typeof value === 'string' && DATE.test(value) && parseIsoDate(value) !== undefined

const isShow = (value: unknown): value is BirthdayShow =>
  value === 'full' || value === 'year' || value === 'day'

/** Stands for a year that is not known: a leap year, so that it has every day. */
const NO_YEAR = '0004'

const isYearKnown = ({ date }: { readonly date: string }): boolean => !date.startsWith(NO_YEAR)

type Birthday = { date: string; show: BirthdayShow }

/** `05/17` and `1990` as dates: the part that is not known is filled in. */
const shortBirthday = (text: string): Birthday | undefined => {
  const [, month, day, year] = /^(?:(\d\d)\/(\d\d)|(\d{4}))$/.exec(text) ?? []
  if (year !== undefined) return { date: `${year}-01-01`, show: 'year' }
  return month === undefined ? undefined : { date: `${NO_YEAR}-${month}-${day}`, show: 'day' }
}

const birthdayIn = (value: unknown): Birthday | undefined => {
  if (typeof value === 'string') return shortBirthday(value) ?? { date: value, show: 'full' }
  if (!isPlainObject(value) || typeof value.date !== 'string' || !isShow(value.show)) return undefined
  return { date: value.date, show: value.show }
}

/** Of a year that is not known, nothing can be shown but the day. */
const birthdayOf = (value: unknown): Birthday | undefined => {
  const birthday = birthdayIn(value)
  if (birthday === undefined || !isDate(birthday.date)) return undefined
  return isYearKnown(birthday) || birthday.show === 'day' ? birthday : undefined
}

const EXPECTED = "a date as YYYY-MM-DD, MM/DD or YYYY, or { date, show: 'full' | 'year' | 'day' }"

const NO_YEAR_EXPECTED = `MM/DD for a birthday without a year, since the year ${NO_YEAR} means that it is unknown`

/** Whether it would be a birthday if it showed the day alone. */
const isYearMissing = (value: unknown): boolean => {
  const birthday = birthdayIn(value)
  return birthday !== undefined && !isYearKnown(birthday) && isDate(birthday.date)
}

const isBirthday = (stored: unknown): boolean => birthdayOf(stored) !== undefined

/** Answered as `MM/DD/YYYY`, `YYYY` or `MM/DD`, as the person chose. */
export const birthdayType: FieldType<string> = {
  name: 'string',
  notation: 'json',
  plain: false,
  parse(value) {
    const birthday = birthdayOf(value)
    if (birthday === undefined) throw new Mismatch(isYearMissing(value) ? NO_YEAR_EXPECTED : EXPECTED, value)
    return birthday
  },
  isValid: isBirthday,
  serialize(stored) {
    const birthday = birthdayOf(stored)
    if (birthday === undefined) return undefined
    const [year = '', month = '', day = ''] = birthday.date.split('-')
    if (birthday.show === 'year') return year
    return birthday.show === 'day' ? `${month}/${day}` : `${month}/${day}/${year}`
  },
}

const ageAt = (date: string, now: number): number => {
  const today = new Date(now)
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const passed = today.getUTCMonth() + 1 - month || today.getUTCDate() - day
  return today.getUTCFullYear() - year - (passed < 0 ? 1 : 0)
}

const rangeOfAge = (age: number): AgeRange | undefined => {
  if (age >= 21) return { min: 21 }
  if (age >= 18) return { min: 18, max: 20 }
  return age >= 13 ? { min: 13, max: 17 } : undefined
}

/** The ends of the time in which somebody was born: 1 January that shows the year alone stands for all of that year. */
const bornBetween = ({ date, show }: Birthday): readonly [earliest: string, latest: string] =>
  show === 'year' && date.endsWith('-01-01') ? [date, `${date.slice(0, 4)}-12-31`] : [date, date]

const rangeOfBirthday = (birthday: Birthday, now: number): AgeRange | undefined => {
  if (!isYearKnown(birthday)) return undefined
  const [earliest, latest] = bornBetween(birthday)
  const range = rangeOfAge(ageAt(earliest, now))
  return range?.min === rangeOfAge(ageAt(latest, now))?.min ? range : undefined
}

/**
 * Reads a stored birthday, whatever of it is shown, and answers the segment that its age falls in; below 13, none. Without a
 * year there is none, and of a year alone there is one where it is the same for the whole year.
 */
export const ageRangeType: FieldType<AgeRange> = {
  name: 'agerange',
  notation: 'json',
  plain: false,
  parts: {
    members: new Map([
      ['min', { type: intType, required: true }],
      ['max', { type: intType, required: false }],
    ]),
  },
  parse(value): JsonValue {
    throw new Mismatch('nothing, since it is computed from the birthday', value)
  },
  storedAs: 'a birthday',
  isValid: isBirthday,
  serialize(stored, { now }) {
    const birthday = birthdayOf(stored)
    return birthday && rangeOfBirthday(birthday, now)
  },
}
