import { effect } from '@preact/signals'

const PAUSE = 250

/**
 * Does something whenever what `watched` reads has changed and rests: people type faster than requests should be sent.
 * The signal aborts when it changes again.
 */
export const afterPause = <TValue>(
  watched: () => TValue,
  act: (value: TValue, signal: AbortSignal) => Promise<void>,
): void => {
  effect(() => {
    const value = watched()
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      act(value, leaving.signal).catch((error: unknown) => {
        if (!leaving.signal.aborted) reportError(error)
      })
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  })
}
