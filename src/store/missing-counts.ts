import type { EdgeRange, RangeResult, StoreReadRequest, StoreReadResult } from './contract.ts'
import { MAX_ROWS_PER_READ } from './divide-examined-rows.ts'
import { rangesRequest } from './requests.ts'

/** Whether a store did not count a list under conditions, because the list has more rows than the range's share. */
const isUncounted = (
  { count, conditions, maxExamined }: EdgeRange,
  result: RangeResult | undefined,
): boolean =>
  count &&
  conditions !== undefined &&
  maxExamined !== undefined &&
  result?.passing === undefined &&
  result?.total !== undefined &&
  result.total > maxExamined

/**
 * Returns the request that counts the lists of a read that were too long for their shares of the rows. Returns
 * undefined if there is no such list, or if together they have more rows than the read may examine: `ranges` are the
 * ranges before the rows were divided, of which each may examine them all.
 */
export const createCountRequest = (
  { ranges }: StoreReadRequest,
  divided: StoreReadRequest,
  { ranges: results }: StoreReadResult,
): StoreReadRequest | undefined => {
  let maxRows = MAX_ROWS_PER_READ
  let rowCount = 0
  const uncounted: EdgeRange[] = []
  for (const [index, range] of divided.ranges.entries()) {
    const total = results[index]?.total
    if (total === undefined || !isUncounted(range, results[index])) continue
    maxRows = Math.min(maxRows, ranges[index]?.maxExamined ?? MAX_ROWS_PER_READ)
    rowCount += total
    const { source, name, direction, conditions } = range
    const whole = { from: undefined, minTime: undefined, maxTime: undefined }
    uncounted.push({
      source,
      name,
      direction,
      ...whole,
      limit: 0,
      count: true,
      conditions,
      maxExamined: total,
    })
  }
  return uncounted.length > 0 && rowCount <= maxRows ? rangesRequest(uncounted, undefined) : undefined
}

/** Adds the counts that {@link createCountRequest} requested to the results of the divided read. */
export const addCounts = (
  { ranges }: StoreReadRequest,
  result: StoreReadResult,
  counts: StoreReadResult,
): StoreReadResult => {
  const counted = counts.ranges.values()
  return {
    ...result,
    ranges: result.ranges.map((rangeResult, index) => {
      const range = ranges[index]
      if (range === undefined || !isUncounted(range, rangeResult)) return rangeResult
      const passing = counted.next().value?.passing
      return passing === undefined ? rangeResult : { ...rangeResult, passing }
    }),
  }
}
