import { formatDatetime, isTime, parseIsoDate, toTime } from '../base/dates.ts'
import { isNonArrayObject, type JsonValue } from '../base/json.ts'
import { type FieldType, ValidationIssue } from './field-type.ts'
import { intType, stringType } from './scalar-types.ts'

/** The part of a birthday that is shown. */
export type BirthdayShow = 'full' | 'year' | 'day'

/**
 * The written form of a birthday: `YYYY-MM-DD` shows the whole date, `MM/DD` has no year, and `YYYY` has no
 * day.
 */
export type BirthdayInput = string | { date: string; show: BirthdayShow }

/** An age segment with inclusive bounds. The segment above the age of 20 has no `max`. */
export type AgeRange = { min: number; max?: number }

/** The type of times that are stored as integer milliseconds and returned as `YYYY-MM-DDThh:mm:ss+0000`. */
export const datetimeType: FieldType<string> = {
  name: 'datetime',
  notation: 'text',
  serializesAsIs: false,
  parse(value) {
    const time = toTime(value)
    if (time === undefined)
      throw new ValidationIssue('integer milliseconds, a Date or an ISO 8601 date', value)
    return time
  },
  storedAs: 'integer milliseconds since the epoch',
  isValid: isTime,
  serialize: stored => (isTime(stored) ? formatDatetime(stored) : undefined),
}

const isSeconds = (value: unknown): value is number => Number.isInteger(value) && isTime(Number(value) * 1000)

/** The type of times that are stored and returned as integer seconds. */
export const unixtimeType: FieldType<number> = {
  name: 'unixtime',
  notation: 'json',
  serializesAsIs: true,
  parse(value) {
    const time = typeof value === 'number' ? value * 1000 : toTime(value)
    if (!isTime(time) || time % 1000 !== 0) throw new ValidationIssue('whole seconds since the epoch', value)
    return time / 1000
  },
  storedAs: 'integer seconds since the epoch',
  isValid: isSeconds,
  serialize: stored => (isSeconds(stored) ? stored : undefined),
}

const DATE_PATTERN = /^\d{4}-\d\d-\d\d$/

const isDateText = (value: unknown): value is string =>
  typeof value === 'string' && DATE_PATTERN.test(value) && parseIsoDate(value) !== undefined

/** Whether a value is a date with a year from 1 to 9999. There is no year 0. */
const isDate = (value: unknown): value is string => isDateText(value) && !value.startsWith('0000')

const isBirthdayShow = (value: unknown): value is BirthdayShow =>
  value === 'full' || value === 'year' || value === 'day'

/** The type of calendar dates from 0001-01-01 to 9999-12-31, without a time and a time zone. */
export const dateType: FieldType<string> = {
  ...stringType,
  name: 'date',
  parse(value) {
    if (!isDate(value)) throw new ValidationIssue('a date as YYYY-MM-DD', value)
    return value
  },
  isValid: isDate,
  serialize: stored => (isDate(stored) ? stored : undefined),
}

/** The placeholder for an unknown year. It is a leap year, so 29 February is valid. */
const UNKNOWN_YEAR = '0004'

const isYearKnown = ({ date }: { readonly date: string }): boolean => !date.startsWith(UNKNOWN_YEAR)

type Birthday = { date: string; show: BirthdayShow }

/** Parses `05/17` and `1990` as dates, with a placeholder for the unknown part. */
const parseShortBirthday = (text: string): Birthday | undefined => {
  const [, month, day, year] = /^(?:(\d\d)\/(\d\d)|(\d{4}))$/.exec(text) ?? []
  if (year !== undefined) return { date: `${year}-01-01`, show: 'year' }
  return month === undefined ? undefined : { date: `${UNKNOWN_YEAR}-${month}-${day}`, show: 'day' }
}

const toBirthday = (value: unknown): Birthday | undefined => {
  if (typeof value === 'string') return parseShortBirthday(value) ?? { date: value, show: 'full' }
  if (!isNonArrayObject(value) || typeof value.date !== 'string' || !isBirthdayShow(value.show))
    return undefined
  return { date: value.date, show: value.show }
}

/**
 * Parses a birthday. Returns `undefined` if the birthday is not valid. A birthday with an unknown year can
 * show only the day.
 */
const parseBirthday = (value: unknown): Birthday | undefined => {
  const birthday = toBirthday(value)
  if (birthday === undefined || !isDateText(birthday.date)) return undefined
  return isYearKnown(birthday) || birthday.show === 'day' ? birthday : undefined
}

const BIRTHDAY_EXPECTED = "a date as YYYY-MM-DD, MM/DD or YYYY, or { date, show: 'full' | 'year' | 'day' }"

const UNKNOWN_YEAR_EXPECTED = `MM/DD for a birthday without a year, since the year ${UNKNOWN_YEAR} means that it is unknown`

/** Whether the unknown year is the only reason why a value is not valid. */
const isYearMissing = (value: unknown): boolean => {
  const birthday = toBirthday(value)
  return birthday !== undefined && !isYearKnown(birthday) && isDateText(birthday.date)
}

const isStoredBirthday = (stored: unknown): boolean => parseBirthday(stored) !== undefined

/** The type of birthdays, which are returned as `MM/DD/YYYY`, `YYYY` or `MM/DD`, as the person chose. */
export const birthdayType: FieldType<string> = {
  name: 'string',
  notation: 'json',
  serializesAsIs: false,
  parse(value) {
    const birthday = parseBirthday(value)
    if (birthday === undefined)
      throw new ValidationIssue(isYearMissing(value) ? UNKNOWN_YEAR_EXPECTED : BIRTHDAY_EXPECTED, value)
    return birthday
  },
  isValid: isStoredBirthday,
  serialize(stored) {
    const birthday = parseBirthday(stored)
    if (birthday === undefined) return undefined
    const [year = '', month = '', day = ''] = birthday.date.split('-')
    if (birthday.show === 'year') return year
    return birthday.show === 'day' ? `${month}/${day}` : `${month}/${day}/${year}`
  },
}

const computeAge = (date: string, now: number): number => {
  const today = new Date(now)
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const differenceToBirthday = today.getUTCMonth() + 1 - month || today.getUTCDate() - day
  return today.getUTCFullYear() - year - (differenceToBirthday < 0 ? 1 : 0)
}

const toAgeRange = (age: number): AgeRange | undefined => {
  if (age >= 21) return { min: 21 }
  if (age >= 18) return { min: 18, max: 20 }
  return age >= 13 ? { min: 13, max: 17 } : undefined
}

/**
 * Returns the earliest and the latest possible date of birth. A date of 1 January that shows only the year
 * means the whole year.
 */
const toBirthDateRange = ({ date, show }: Birthday): readonly [earliest: string, latest: string] =>
  show === 'year' && date.endsWith('-01-01') ? [date, `${date.slice(0, 4)}-12-31`] : [date, date]

const computeAgeRange = (birthday: Birthday, now: number): AgeRange | undefined => {
  if (!isYearKnown(birthday)) return undefined
  const [earliest, latest] = toBirthDateRange(birthday)
  const range = toAgeRange(computeAge(earliest, now))
  return range?.min === toAgeRange(computeAge(latest, now))?.min ? range : undefined
}

/**
 * The type of age segments. It uses the whole stored birthday, even if only a part is shown. There is no
 * segment below 13 years or for an unknown year. A birthday with only a year has a segment if the segment is
 * the same for all days of that year.
 */
export const ageRangeType: FieldType<AgeRange> = {
  name: 'agerange',
  notation: 'json',
  serializesAsIs: false,
  parts: {
    members: new Map([
      ['min', { type: intType, required: true }],
      ['max', { type: intType, required: false }],
    ]),
  },
  parse(value): JsonValue {
    throw new ValidationIssue('left out, since it is computed from the birthday', value)
  },
  storedAs: 'a birthday',
  isValid: isStoredBirthday,
  serialize(stored, { now }) {
    const birthday = parseBirthday(stored)
    return birthday && computeAgeRange(birthday, now)
  },
}
