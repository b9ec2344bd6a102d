/**
 * The number of requests that listen to one signal. A read runs up to four statements, and each statement may
 * add a listener. Node warns about signals with more than ten listeners.
 */
const LISTENERS_PER_SIGNAL = 2

/** Signals that abort together with another signal. */
export type LinkedSignals = {
  readonly getSignal: (index: number) => AbortSignal | undefined
  /** Stops listening to the other signal. Call this function when the requests have ended. */
  readonly release: () => void
}

/**
 * Creates signals that abort together with another signal, so that the listeners of many requests are
 * distributed over several signals.
 */
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
