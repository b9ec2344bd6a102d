import type { Micros } from './times.ts'

const MICROS_PER_DAY = 86_400_000_000n
const MICROS_PER_SECOND = 1_000_000n

/** A day of the proleptic Gregorian calendar. The year 0 is the year 1 BC. */
type CalendarDay = { readonly year: number; readonly month: number; readonly day: number }

/** Converts days since the epoch to a calendar day, in eras of 400 years whose years begin in March. */
const toCalendarDay = (daysSinceEpoch: number): CalendarDay => {
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
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  }
}

const pad = (value: number | bigint, length: number): string => `${value}`.padStart(length, '0')

/**
 * Formats microseconds since the epoch as a time in UTC that every `DateStyle` of Postgres reads, such as
 * `2024-05-01 10:00:00.000250+00` or `0044-03-15 00:00:00.000000+00 BC`. A `timestamp` ignores the zone.
 */
export const formatPostgresTime = (micros: bigint): string => {
  const remainder = micros % MICROS_PER_DAY
  const timeOfDay = remainder < 0n ? remainder + MICROS_PER_DAY : remainder
  const { year, month, day } = toCalendarDay(Number((micros - timeOfDay) / MICROS_PER_DAY))
  const seconds = Number(timeOfDay / MICROS_PER_SECOND)
  const date = `${pad(year > 0 ? year : 1 - year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(part =>
    pad(part, 2),
  )
  const fraction = pad(timeOfDay % MICROS_PER_SECOND, 6)
  return `${date} ${time.join(':')}.${fraction}+00${year > 0 ? '' : ' BC'}`
}

/** Formats a time as {@link formatPostgresTime} does. An infinity stays as it is. */
export const formatMicros = (micros: Micros): string =>
  micros.endsWith('infinity') ? micros : formatPostgresTime(BigInt(micros))

const DATE_PATTERN = /^(\d{4,7})-(\d\d)-(\d\d)( BC)?$/
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
/** The limits of a `date`: 4713 BC, whose first days are in November of 4714 BC, and 5874897 AD. */
const MIN_YEAR = -4712
const MAX_YEAR = 5_874_897

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Whether a text is a day that a `date` can contain, in the form in which Postgres writes it into JSON. */
export const isPostgresDate = (text: string): boolean => {
  if (text === 'infinity' || text === '-infinity') return true
  const [, yearText = '', monthText, dayText, era] = DATE_PATTERN.exec(text) ?? []
  const hasExtraZero = yearText.length > 4 && yearText.startsWith('0')
  const year = era === undefined ? Number(yearText) : 1 - Number(yearText)
  if (hasExtraZero || Number(yearText) === 0 || year < MIN_YEAR || year > MAX_YEAR) return false
  const [month, day] = [Number(monthText), Number(dayText)]
  const length = month === 2 && isLeapYear(year) ? 29 : (MONTH_LENGTHS[month - 1] ?? 0)
  return day >= 1 && day <= length
}
