import { describeValue } from '../base/describe.ts'
import { GraphError } from '../base/errors.ts'
import { isNonArrayObject, isText } from '../base/json.ts'
import { usageError } from '../base/usage-error.ts'
import type { EdgeCheck, EdgeRange, RangeResult } from './contract.ts'
import { areExaminedRowsValid, EXAMINED_EXPECTED } from './range-conditions.ts'

/** The maximum length of the key of a position, in UTF-8, so that cursors stay short. */
const MAX_KEY_BYTES = 500

/** Describes the keys that a store may return. */
export const POSITION_KEY_EXPECTED = `a well-formed string of at most ${MAX_KEY_BYTES} bytes`

/** The maximum number of bytes of a character of a string in UTF-8. A character of two code units has four bytes. */
const MAX_BYTES_PER_UNIT = 3

/** Whether a value may be the key of a position. Only long keys are encoded, because most keys are short. */
export const isPositionKey = (value: unknown): value is string =>
  isText(value) &&
  (value.length * MAX_BYTES_PER_UNIT <= MAX_KEY_BYTES ||
    new TextEncoder().encode(value).length <= MAX_KEY_BYTES)

/** Whether a value is the record of the edge that a check requested. */
const isRecordOf = ({ source, name, target }: EdgeCheck, value: unknown): boolean =>
  isNonArrayObject(value) &&
  value.source === source &&
  value.name === name &&
  value.target === target &&
  Number.isSafeInteger(value.time) &&
  (value.data === undefined || isNonArrayObject(value.data))

/** Whether a store may return a value as the result of a check. */
export const isCheckResult = (check: EdgeCheck, result: unknown): boolean =>
  result === false || (check.data === true ? isRecordOf(check, result) : result === true)

/** Describes the results that a store may return for a check. */
export const describeExpectedResult = ({ data }: EdgeCheck): string =>
  data === true
    ? 'false, or the record { source, name, target, time, data } of the edge, for each check with data'
    : 'true or false for each check without data'

/** Creates the error for a part of a result that a store may not return. */
export const createMalformedResultError = (part: string, expected: string, received: unknown): GraphError =>
  new GraphError(
    'store_error',
    `(#2) The store returned a malformed result: ${part}`,
    { part },
    { cause: usageError('store', part, expected, describeValue(received)) },
  )

/**
 * Asserts that the keys from which ranges may continue are valid, and the numbers of examined rows. The keys of
 * entries are validated when a cursor needs them, because that is only a few of them.
 *
 * @throws GraphError `store_error`.
 */
export const assertRangeResults = (
  requested: readonly Pick<EdgeRange, 'conditions' | 'maxExamined'>[],
  ranges: readonly RangeResult[],
): void => {
  // An iterator would be allocated in each read.
  for (let index = 0; index < ranges.length; index++) {
    const result = ranges[index]
    if (result?.examined !== undefined && !areExaminedRowsValid(requested[index], result))
      throw createMalformedResultError('ranges', EXAMINED_EXPECTED, result.examined)
    const key = result?.lastExamined?.key
    if (key !== undefined && !isPositionKey(key))
      throw createMalformedResultError('ranges', `${POSITION_KEY_EXPECTED} as the key of a position`, key)
  }
}
