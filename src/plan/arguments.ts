import { isTime, parseIsoDate } from '../base/dates.ts'
import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { EdgeType } from '../schema/edge.ts'
import { findOrder, formatOrders, type ListOrder } from '../schema/list-order.ts'

/** Parses JSON. Returns `undefined` for a text that is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Converts 1 and 0 to a boolean. */
export const binaryToBoolean = (value: unknown): unknown => (value === 1 ? true : value === 0 ? false : value)

/**
 * Parses the size of a page: an integer of at least 1, which is lowered to the maximum. With a summary, 0
 * requests only the count.
 */
export const readLimit = (value: unknown, maxLimit: number, summary = false): number => {
  const limit = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  const minLimit = summary ? 0 : 1
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= minLimit)
    return Math.min(limit, maxLimit)
  throw invalidParameterError('limit', 'an integer of at least 1, or 0 with a summary', describeValue(value))
}

/**
 * Returns the requested order of an edge. Without a request, returns its default order.
 *
 * @throws GraphError `invalid_parameter` for an order that the edge does not have.
 */
export const readOrder = (
  { order, orders }: Pick<EdgeType, 'order' | 'orders'>,
  requested: unknown,
): ListOrder => {
  const name = requested === undefined ? order : requested
  const found = typeof name === 'string' ? findOrder(orders, name) : undefined
  if (found === undefined)
    throw invalidParameterError('order', formatOrders(orders), describeValue(requested))
  return found
}

/**
 * Parses the option `summary`. Existing clients may send a list of the summary's members. The list is
 * ignored.
 */
export const readSummary = (value: unknown): boolean => {
  const parsed = binaryToBoolean(typeof value === 'string' ? parseJson(value) : value)
  if (typeof parsed === 'boolean') return parsed
  const isList =
    typeof value === 'string' && (Array.isArray(parsed) || value.split(',').includes('total_count'))
  if (isList) return true
  throw invalidParameterError('summary', 'true or false', describeValue(value))
}

const MS_PER_SECOND = 1000

/** Larger integers (seconds after the year 5138) are rejected, because they are probably milliseconds. */
const MAX_SECONDS = 1e11

/**
 * The date, time and offset of ISO 8601 with lenient separators. A space may replace the `T`, and also the
 * `+`, as in a URL that is not encoded. Both spaces may be missing, because the parser of expressions removes
 * white space.
 */
const LENIENT_DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[T ]?(\d\d:\d\d(?::\d\d(?:[.,]\d{1,9}(?!\d))?)?)(?:(Z|[+-]\d\d(?::?\d\d)?)| ?(\d\d:?\d\d))?$/

/** Parses ISO 8601 with lenient separators to milliseconds. Returns `undefined` for any other text. */
export const parseTimeText = (text: string): number | undefined => {
  const time = parseIsoDate(text)
  if (time !== undefined) return time
  const [, date, timeOfDay, offset = '', unsignedOffset] = LENIENT_DATE_TIME.exec(text) ?? []
  if (date === undefined || timeOfDay === undefined) return undefined
  return parseIsoDate(`${date}T${timeOfDay}${unsignedOffset === undefined ? offset : `+${unsignedOffset}`}`)
}

/** Converts the text of an integer to a number. Returns any other value unchanged. */
export const parseDigitsAsNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value

const toMilliseconds = (boundary: unknown): number | undefined => {
  if (typeof boundary === 'number') return Number.isInteger(boundary) ? boundary * MS_PER_SECOND : undefined
  if (typeof boundary === 'string') return parseTimeText(boundary)
  return boundary instanceof Date ? boundary.getTime() : undefined
}

/**
 * Returns the first millisecond of `since`, or the last millisecond of `until`. The value is a number of unix
 * seconds, ISO 8601 text or a `Date`.
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
