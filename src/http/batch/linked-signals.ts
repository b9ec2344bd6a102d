/**
 * The number of requests that listen to one signal. Each waits for a read of up to four statements, each of
 * which may add a listener, and Node warns of a leak above ten listeners.
 */
const LISTENERS_PER_SIGNAL = 2

/** Signals that abort together with another signal. */
export type LinkedSignals = {
  readonly getSignal: (index: number) => AbortSignal | undefined
  /** Removes the listeners, when the signals are no longer needed. */
  readonly release: () => void
}

/** Distributes the listeners of many requests that all end with one signal over several signals. */
export const createLinkedSignals = (signal: AbortSignal | undefined, requestCount: number): LinkedSignals => {
  if (signal === undefined || requestCount <= LISTENERS_PER_SIGNAL)
    return { getSignal: () => signal, release: () => {} }
  const controllers = Array.from(
    { length: Math.ceil(requestCount / LISTENERS_PER_SIGNAL) },
    () => new AbortController(),
  )
  const abort = (): void => {
    for (const controller of controllers) controller.abort(signal.reason)
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  return {
    getSignal: index => controllers[Math.floor(index / LISTENERS_PER_SIGNAL)]?.signal,
    release: () => signal.removeEventListener('abort', abort),
  }
}
