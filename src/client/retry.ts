import type { Abortable } from '../base/shared-signals.ts'
import type { ClientSettings } from './client-options.ts'
import type { Outcome } from './outcome.ts'

/**
 * Milliseconds until a call is tried again after so many attempts; undefined where it is not. `share`, from 0 to 1, is the
 * random part of the longest wait, so that clients that failed together do not come back together.
 */
export const waitAfter = (
  { attempts, baseDelay, maxDelay }: ClientSettings['retry'],
  outcome: Outcome,
  attempt: number,
  share: number,
): number | undefined => {
  if ('answer' in outcome || !outcome.isPassing || attempt >= attempts) return undefined
  const { rest = 0 } = outcome
  if (rest > maxDelay) return undefined
  return Math.min(maxDelay, rest + share * Math.min(maxDelay, baseDelay * 2 ** (attempt - 1)))
}

/** Ends after so many milliseconds, or at once where the signal says so. */
export const sleep = (wait: number, signal: Abortable): Promise<void> =>
  new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, wait)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
