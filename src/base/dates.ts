const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The maximum distance of a JavaScript date from the epoch, in milliseconds. */
export const MAX_TIME = 8.64e15

/**
 * Whether a value is a stored time: integer milliseconds since the epoch, with an absolute value of at most
 * 8.64e15.
 */
export const isTime = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(Number(value)) <= MAX_TIME

const formatTwoDigits = (value: number): string => (value < 10 ? `0${value}` : `${value}`)

/** Formats a year. ISO 8601 requires a sign and six digits for a year outside 0000 to 9999. */
const formatYear = (year: number): string =>
  year >= 1000 && year <= 9999
    ? `${year}`
    : year >= 0 && year <= 9999
      ? `${year}`.padStart(4, '0')
      : `${year < 0 ? '-' : '+'}${`${Math.abs(year)}`.padStart(6, '0')}`

/**
 * Formats a date. The computation uses eras of 400 years, and years that begin in March, so that the leap day
 * is the last day of a year.
 */
const formatDate = (daysSinceEpoch: number): string => {
  const days = daysSinceEpoch + 719_468
  const era = Math.floor(days / 146_097)
  const dayOfEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return `${formatYear(yearOfEra + era * 400 + (month <= 2 ? 1 : 0))}-${formatTwoDigits(month)}-${formatTwoDigits(day)}`
}

/** Formats milliseconds as `YYYY-MM-DDThh:mm:ss+0000`. `Date.toISOString` takes ten times as long. */
export const formatDatetime = (time: number): string => {
  const days = Math.floor(time / DAY)
  const timeOfDay = time - days * DAY
  const hours = Math.floor(timeOfDay / HOUR)
  const minutes = Math.floor((timeOfDay - hours * HOUR) / MINUTE)
  const seconds = Math.floor((timeOfDay - hours * HOUR - minutes * MINUTE) / SECOND)
  return `${formatDate(days)}T${formatTwoDigits(hours)}:${formatTwoDigits(minutes)}:${formatTwoDigits(seconds)}+0000`
}

const ISO_DATE_PATTERN =
  /^((?!-000000)[+-]\d{6}|\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/

const parseOffset = (text: string | undefined): number => {
  if (text === undefined || text === 'Z') return 0
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2)) * (text.length > 3 ? 1 : 0)
  return (text.startsWith('-') ? -minutes : minutes) * MINUTE
}

/** Returns the first millisecond of a calendar day, or `undefined` if the day does not exist. */
const computeStartOfDay = (year: number, month: number, day: number): number | undefined => {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

/**
 * Parses an ISO 8601 date, with or without a time, to milliseconds. A time without an offset is in UTC.
 * Fractions of a millisecond are dropped. Returns `undefined` if the text is not such a date.
 */
export const parseIsoDate = (text: string): number | undefined => {
  const match = ISO_DATE_PATTERN.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset] = match
  const start = computeStartOfDay(Number(year), Number(month), Number(day))
  if (start === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3))
  const time =
    start +
    Number(hour) * HOUR +
    Number(minute) * MINUTE +
    Number(second) * SECOND +
    milliseconds -
    parseOffset(offset)
  return isTime(time) ? time : undefined
}

/**
 * Converts integer milliseconds, a `Date` or ISO 8601 text to milliseconds. Returns `undefined` for any other
 * value.
 */
export const toTime = (value: unknown): number | undefined => {
  const time =
    value instanceof Date ? value.getTime() : typeof value === 'string' ? parseIsoDate(value) : value
  return isTime(time) ? time : undefined
}
