/**
 * A value or a promise of the value. An embedded store returns values, and a remote store returns promises.
 */
export type Awaitable<T> = T | PromiseLike<T>

/** Whether a value is a promise. */
export const isPromiseLike = <T>(value: Awaitable<T>): value is PromiseLike<T> => {
  const { then }: { readonly then?: unknown } = value ?? {}
  return typeof then === 'function'
}

/**
 * Ignores the rejection of a promise that a function of the user returned by mistake. Without this, the
 * unhandled rejection would end the process.
 */
export const ignoreRejection = (received: unknown): void => {
  if (isPromiseLike(received)) received.then(undefined, () => undefined)
}
