import type { EdgeRange, StoreReadRequest } from './contract.ts'
import type { EdgeEntry, RangeResult } from './records.ts'

/** The maximum number of rows that one read may examine under conditions, for all its ranges together. */
const MAX_ROWS_PER_READ = 1_000_000

/**
 * Divides the rows that a read may examine under conditions between its ranges. A range that ends there is
 * continued, so no result depends on the division. A read without conditions is returned unchanged.
 */
export const divideExaminedRows = (request: StoreReadRequest): StoreReadRequest => {
  const { ranges } = request
  let count = 0
  for (let index = 0; index < ranges.length; index++) if (ranges[index]?.conditions !== undefined) count++
  if (count === 0) return request
  const maxShare = Math.max(1, Math.floor(MAX_ROWS_PER_READ / count))
  const divide = (range: EdgeRange): EdgeRange => {
    if (range.conditions === undefined) return range
    const { maxExamined = MAX_ROWS_PER_READ } = range
    return { ...range, maxExamined: Math.min(Math.ceil(maxExamined / count), maxShare) }
  }
  return { ...request, ranges: ranges.map(divide) }
}

const isCount = (value: unknown, max: number): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= max

/** Describes a result that a store may return for a range with conditions. */
export const EXAMINED_EXPECTED =
  'for a range with conditions, the number of examined rows, and the ordinal of each entry among them'

/**
 * Whether the numbers of a result with `examined` agree with each other and with its range. The engine counts them
 * against the scan limit, so a wrong number would count too little.
 */
export const areExaminedRowsValid = (
  range: EdgeRange | undefined,
  { entries, examined, hasMore, passing, total }: RangeResult,
): boolean => {
  if (range?.conditions === undefined) return false
  const { maxExamined = Number.MAX_SAFE_INTEGER } = range
  if (examined === undefined || !isCount(examined, maxExamined) || (hasMore && examined === 0)) return false
  if (passing !== undefined && (total === undefined || !isCount(passing, total))) return false
  let last = 0
  for (const { ordinal } of entries) {
    if (ordinal === undefined || !isCount(ordinal, examined) || ordinal <= last) return false
    last = ordinal
  }
  return true
}

const shiftOrdinal = (entry: EdgeEntry, by: number): EdgeEntry =>
  entry.ordinal === undefined ? entry : { ...entry, ordinal: entry.ordinal + by }

/** Joins the earlier result of a range with conditions with the result of its next read. */
export const joinExaminedRows = (resultSoFar: RangeResult, next: RangeResult): RangeResult => {
  const { examined = 0, entries, total, passing } = resultSoFar
  return {
    ...next,
    entries: [...entries, ...next.entries.map(entry => shiftOrdinal(entry, examined))],
    examined: examined + (next.examined ?? 0),
    total,
    passing,
  }
}
