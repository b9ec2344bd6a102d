import type { EdgeRange } from './contract.ts'
import type { EdgeEntry, RangeResult } from './records.ts'

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
  range: Pick<EdgeRange, 'conditions' | 'maxExamined'> | undefined,
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
