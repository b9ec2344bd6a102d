import type { EdgeRange, StoreReadRequest } from './contract.ts'

const countsRows = ({ count, maxCounted }: EdgeRange): boolean => count && maxCounted !== undefined

/**
 * Divides the rows that a read may count between its ranges that are counted row by row. A read without such a range
 * is returned unchanged.
 */
export const divideCountedRows = (request: StoreReadRequest): StoreReadRequest => {
  const { ranges } = request
  let rangeCount = 0
  for (let index = 0; index < ranges.length; index++) {
    const range = ranges[index]
    if (range !== undefined && countsRows(range)) rangeCount++
  }
  if (rangeCount < 2) return request
  return {
    ...request,
    ranges: ranges.map(range =>
      range.maxCounted === undefined
        ? range
        : { ...range, maxCounted: Math.floor(range.maxCounted / rangeCount) },
    ),
  }
}
