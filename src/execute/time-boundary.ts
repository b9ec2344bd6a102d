import { isTime, parseIsoDate } from '../base/dates.ts'
import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'

const SECOND = 1000

/** Beyond it (the year 5138) an integer is not in seconds: milliseconds of our time are larger. */
const MOST_SECONDS = 1e11

/**
 * Date, time and offset as ISO 8601 writes them, with other signs between them: a space in the place of the `T`, and a space
 * in the place of the `+`, as a URL has it that is not encoded. An expression drops spaces, so they may be missing too.
 */
const LENIENT =
  /^(\d{4}-\d\d-\d\d)[T ]?(\d\d:\d\d(?::\d\d(?:[.,]\d{1,9}(?!\d))?)?)(?:(Z|[+-]\d\d(?::?\d\d)?)| ?(\d\d:?\d\d))?$/

const timeInText = (text: string): number | undefined => {
  const time = parseIsoDate(text)
  if (time !== undefined) return time
  const [, date, clock, offset = '', unsigned] = LENIENT.exec(text) ?? []
  if (date === undefined || clock === undefined) return undefined
  return parseIsoDate(`${date}T${clock}${unsigned === undefined ? offset : `+${unsigned}`}`)
}

const secondsIn = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value

const timeOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return Number.isInteger(value) ? value * SECOND : undefined
  if (typeof value === 'string') return timeInText(value)
  return value instanceof Date ? value.getTime() : undefined
}

/**
 * The first or last millisecond of a boundary: unix seconds, ISO 8601 or a `Date`.
 *
 * @throws GraphError `bad_parameter`.
 */
export const boundary = (parameter: 'since' | 'until', value: unknown): number | undefined => {
  if (value === undefined) return undefined
  const seconds = secondsIn(value)
  if (typeof seconds === 'number' && Math.abs(seconds) > MOST_SECONDS) {
    throw badParameter(
      parameter,
      'unix seconds, which are at most 100000000000 (milliseconds are not accepted)',
      describe(value),
    )
  }
  const time = timeOf(seconds)
  if (!isTime(time)) {
    throw badParameter(
      parameter,
      'unix seconds, a date such as 2020-01-31 or 2020-01-31T12:00:00+0000, or a Date; words such as yesterday are not accepted',
      describe(value),
    )
  }
  return parameter === 'until' && time % SECOND === 0 ? time + SECOND - 1 : time
}
