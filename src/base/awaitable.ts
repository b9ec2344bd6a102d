/** A value or a promise of it: an embedded store returns values, a remote store returns promises. */
export type Awaitable<T> = T | PromiseLike<T>

/** Whether a value is a promise. */
export const isPromiseLike = <T>(value: Awaitable<T>): value is PromiseLike<T> => {
  const { then }: { readonly then?: unknown } = value ?? {}
  return typeof then === 'function'
}
