import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type { StoreReadRequest, StoreReadResult } from '../store/contract.ts'
import { divideExaminedRows } from '../store/divide-examined-rows.ts'
import { addCounts, createCountRequest } from '../store/missing-counts.ts'

/**
 * Reads a request whose ranges share the rows that it may examine. Lists that were too long for their
 * shares are then counted by a second read, because the count of a list must not depend on the other ranges.
 */
export const readAndCount = (
  request: StoreReadRequest,
  read: (request: StoreReadRequest) => Awaitable<StoreReadResult>,
): Awaitable<StoreReadResult> => {
  const divided = divideExaminedRows(request)
  const addMissingCounts = (result: StoreReadResult): Awaitable<StoreReadResult> => {
    const countRequest = createCountRequest(request, divided, result)
    if (countRequest === undefined) return result
    const counts = read(countRequest)
    return isPromiseLike(counts)
      ? counts.then(settledCounts => addCounts(divided, result, settledCounts))
      : addCounts(divided, result, counts)
  }
  const result = read(divided)
  return isPromiseLike(result) ? result.then(addMissingCounts) : addMissingCounts(result)
}
