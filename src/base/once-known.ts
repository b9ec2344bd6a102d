import { type Awaitable, isPromiseLike } from './awaitable.ts'

/** Goes on from a value at once, and from a promise when it has come: what is there need not wait for a turn of its own. */
export const onceKnown = <TValue, TResult>(
  value: Awaitable<TValue>,
  goOn: (value: TValue) => Awaitable<TResult>,
): Awaitable<TResult> => (isPromiseLike(value) ? value.then(goOn) : goOn(value))
