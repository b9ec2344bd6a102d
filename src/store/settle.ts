import { GraphError, isGraphError } from '../base/faults.ts'
import type { ReadOptions } from './contract.ts'

/** Refuses a read whose answer nobody waits for any more. */
export const assertTimely = ({ signal, deadline }: Pick<ReadOptions, 'signal' | 'deadline'>): void => {
  if (signal?.aborted) throw aborted(signal)
  if (deadline !== undefined && Date.now() >= deadline) throw late()
}

/** What timers can wait for at most; no read is pending for 24 days. */
const LONGEST_TIMER = 2 ** 31 - 1

/** What a promise comes to, unless the signal or the deadline comes first; what comes after them is dropped. */
export const settle = <T>(
  promise: PromiseLike<T>,
  signal: AbortSignal | undefined,
  deadline: number | undefined,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => end(() => reject(aborted(signal)))
    const wait = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - Date.now()
    const timer = wait <= LONGEST_TIMER ? setTimeout(() => end(() => reject(late())), wait) : undefined
    const end = (answer: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      answer()
    }
    signal?.addEventListener('abort', abort)
    // A signal that was aborted before says so no more.
    if (signal?.aborted) abort()
    promise.then(
      value => end(() => resolve(value)),
      cause => end(() => reject(toFault(cause))),
    )
  })

/** What a call answers; what it throws is a fault. */
export const attempt = <T>(call: () => T): T => {
  try {
    return call()
  } catch (cause) {
    throw toFault(cause)
  }
}

/** What a store threw, as a fault that says nothing of it but keeps it as its cause. Faults stay as they are. */
export const toFault = (cause: unknown): GraphError =>
  isGraphError(cause) ? cause : new GraphError('store_fault', '(#2) The store failed', {}, { cause })

export const aborted = (signal: AbortSignal | undefined): GraphError =>
  new GraphError('aborted', '(#2) The request was aborted', {}, { cause: signal?.reason })

const late = (): GraphError => new GraphError('deadline', '(#2) The deadline of the request has passed')
