import type { Wave, WaveAnswer } from '../store/contract.ts'

/** What a call waits for: a read of the store, or something that others promised. */
export type CourseStep = Wave | { readonly until: PromiseLike<WaveAnswer> }

/**
 * A whole call. As a {@link Walk} it says what it must read, is given the answer, and goes on; and beside it what else it
 * waits for. A query leads it: at once, as long as nothing is promised.
 */
export type Course<TResult> = Generator<CourseStep, TResult, WaveAnswer>

/** What is answered where nothing is asked. */
export const EMPTY: WaveAnswer = Object.freeze({ nodes: [], ranges: [], tests: [], tokens: [] })

/** Goes on once a promise has come to something. */
export function* settled<TValue>(promise: PromiseLike<TValue>): Course<TValue> {
  const come: TValue[] = []
  yield {
    until: promise.then(value => {
      come.push(value)
      return EMPTY
    }),
  }
  for (const value of come) return value
  throw new Error('A call went on before what it waits for had come')
}
