import type { AbortSignalLike } from '../base/shared-signals.ts'
import type { ClientSettings } from './client-options.ts'
import type { HttpResult } from './http-result.ts'

/**
 * Returns the milliseconds until the next attempt, or undefined if there is none. `attempt` is the number of
 * the attempt that failed. `jitter`, a random number from 0 to 1, is the part of the longest wait that is
 * added to the delay that the server requests, so that clients that failed together do not retry together.
 */
export const computeRetryDelay = (
  { attempts, baseDelayMs, maxDelayMs }: ClientSettings['retry'],
  result: HttpResult,
  attempt: number,
  jitter: number,
): number | undefined => {
  if ('body' in result || !result.retryable || attempt >= attempts) return undefined
  const { retryAfterMs = 0 } = result
  if (retryAfterMs > maxDelayMs) return undefined
  return Math.min(maxDelayMs, retryAfterMs + jitter * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1)))
}

/** Resolves after this many milliseconds, or as soon as the signal aborts. */
export const sleep = (durationMs: number, signal: AbortSignalLike): Promise<void> =>
  new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, durationMs)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
