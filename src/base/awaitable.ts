/** A value that an embedded store answers at once and a remote one promises. */
export type Awaitable<T> = T | PromiseLike<T>

/** Tells a promise from a value. Every other place may await without asking. */
export const isPromiseLike = <T>(value: Awaitable<T>): value is PromiseLike<T> => {
  const { then }: { readonly then?: unknown } = value ?? {}
  return typeof then === 'function'
}
