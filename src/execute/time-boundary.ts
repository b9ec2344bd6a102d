import { isTime, parseIsoDate } from '../base/dates.ts'
import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'

const MS_PER_SECOND = 1000

/** Larger integers (seconds after the year 5138) are rejected: they are probably milliseconds. */
const MAX_SECONDS = 1e11

/**
 * Date, time and offset of ISO 8601 with lenient separators: a space instead of the `T`, and a space instead
 * of the `+`, as in a URL that is not encoded. Both may be missing, because the parser of expressions removes
 * spaces.
 */
const LENIENT_DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[T ]?(\d\d:\d\d(?::\d\d(?:[.,]\d{1,9}(?!\d))?)?)(?:(Z|[+-]\d\d(?::?\d\d)?)| ?(\d\d:?\d\d))?$/

const parseTimeText = (text: string): number | undefined => {
  const time = parseIsoDate(text)
  if (time !== undefined) return time
  const [, date, timeOfDay, offset = '', unsignedOffset] = LENIENT_DATE_TIME.exec(text) ?? []
  if (date === undefined || timeOfDay === undefined) return undefined
  return parseIsoDate(`${date}T${timeOfDay}${unsignedOffset === undefined ? offset : `+${unsignedOffset}`}`)
}

const parseDigitsAsNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value

const toMilliseconds = (boundary: unknown): number | undefined => {
  if (typeof boundary === 'number') return Number.isInteger(boundary) ? boundary * MS_PER_SECOND : undefined
  if (typeof boundary === 'string') return parseTimeText(boundary)
  return boundary instanceof Date ? boundary.getTime() : undefined
}

/**
 * Returns the first or last millisecond of a boundary, which is given as unix seconds, ISO 8601 or a `Date`.
 *
 * @throws GraphError `invalid_parameter`.
 */
export const parseTimeBoundary = (parameter: 'since' | 'until', value: unknown): number | undefined => {
  if (value === undefined) return undefined
  const boundary = parseDigitsAsNumber(value)
  if (typeof boundary === 'number' && Math.abs(boundary) > MAX_SECONDS) {
    throw invalidParameterError(
      parameter,
      'unix seconds, at most 100000000000 (milliseconds are not accepted)',
      describeValue(value),
    )
  }
  const time = toMilliseconds(boundary)
  if (!isTime(time)) {
    throw invalidParameterError(
      parameter,
      'unix seconds, a date such as 2020-01-31 or 2020-01-31T12:00:00+0000, or a Date; words such as yesterday are not accepted',
      describeValue(value),
    )
  }
  return parameter === 'until' && time % MS_PER_SECOND === 0 ? time + MS_PER_SECOND - 1 : time
}
