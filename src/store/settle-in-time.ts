import { abortedError, GraphError, isGraphError, timeoutError } from '../base/errors.ts'
import type { StoreReadOptions } from './contract.ts'

/** Throws if the signal of a read is aborted or its deadline has passed. */
export const assertInTime = ({ signal, deadline }: Pick<StoreReadOptions, 'signal' | 'deadline'>): void => {
  if (signal?.aborted) throw abortedError(signal.reason)
  if (deadline !== undefined && Date.now() >= deadline) throw timeoutError()
}

/**
 * The maximum delay of a timer: 24 days. A later deadline needs no timer, because no read takes that long.
 */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Settles like a promise, or rejects as soon as the signal aborts or the deadline passes. A result that
 * arrives later is dropped. A rejection becomes a GraphError, by default `store_error`; so does the end of the time, by
 * default `timeout`.
 */
export const settleInTime = <T>(
  promise: PromiseLike<T>,
  signal: AbortSignal | undefined,
  deadline: number | undefined,
  toError: (cause: unknown) => GraphError = toStoreError,
  createTimeoutError: () => GraphError = timeoutError,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const rejectAsAborted = () => cleanUpAndSettle(() => reject(abortedError(signal?.reason)))
    const delayMs = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - Date.now()
    const timer =
      delayMs <= MAX_TIMER_MS
        ? setTimeout(() => cleanUpAndSettle(() => reject(createTimeoutError())), delayMs)
        : undefined
    const cleanUpAndSettle = (settle: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', rejectAsAborted)
      settle()
    }
    signal?.addEventListener('abort', rejectAsAborted)
    // A signal that is already aborted emits no event.
    if (signal?.aborted) rejectAsAborted()
    promise.then(
      value => cleanUpAndSettle(() => resolve(value)),
      cause => cleanUpAndSettle(() => reject(toError(cause))),
    )
  })

/** Calls a store and converts any error that it throws to a GraphError. */
export const runStoreCall = <T>(call: () => T): T => {
  try {
    return call()
  } catch (cause) {
    throw toStoreError(cause)
  }
}

/**
 * Converts an error of a store to a GraphError that shows no details and keeps the error as its cause.
 * GraphErrors stay unchanged.
 */
export const toStoreError = (cause: unknown): GraphError =>
  isGraphError(cause) ? cause : new GraphError('store_error', '(#2) The store failed', {}, { cause })
