import { effect } from '@preact/signals'

const DEBOUNCE_MS = 250

/**
 * Runs an effect when the result of `readValue` has changed and has then stayed the same for a short time.
 * Typing therefore does not send a request for every letter. The signal aborts at the next change.
 */
export const debounceEffect = <TValue>(
  readValue: () => TValue,
  run: (value: TValue, signal: AbortSignal) => Promise<void>,
): void => {
  effect(() => {
    const value = readValue()
    const controller = new AbortController()
    const timer = setTimeout(() => {
      run(value, controller.signal).catch((error: unknown) => {
        if (!controller.signal.aborted) reportError(error)
      })
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  })
}
