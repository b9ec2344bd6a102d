/**
 * How many requests listen to one signal. Each waits for a read of up to four statements, each of which may listen too, and
 * of more than ten Node warns as of listeners that nobody takes off again.
 */
const TOGETHER = 2

/** Signals that abort along with another. */
export type Branches = {
  readonly at: (place: number) => AbortSignal | undefined
  /** Ends the listening, once nobody needs the signals any more. */
  readonly release: () => void
}

/** Spreads the listeners of many requests that all end with one signal over several. */
export const branchesOf = (signal: AbortSignal | undefined, count: number): Branches => {
  if (signal === undefined || count <= TOGETHER) return { at: () => signal, release: () => {} }
  const aborters = Array.from({ length: Math.ceil(count / TOGETHER) }, () => new AbortController())
  const abort = (): void => {
    for (const aborter of aborters) aborter.abort(signal.reason)
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  return {
    at: place => aborters[Math.floor(place / TOGETHER)]?.signal,
    release: () => signal.removeEventListener('abort', abort),
  }
}
