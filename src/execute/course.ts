import type { StoreReadRequest, StoreReadResult } from '../store/contract.ts'

/** A step that a call waits for: a read of the store, or a promise of something else. */
export type CourseStep = StoreReadRequest | { readonly until: PromiseLike<StoreReadResult> }

/**
 * The steps of a whole call. Like a `ReadTask` it yields the reads that it needs and receives their results;
 * it also yields promises that it waits for. `Query.run` runs it, synchronously until the first step that
 * returns a promise.
 */
export type Course<TResult> = Generator<CourseStep, TResult, StoreReadResult>

/** The result of an empty request. */
export const EMPTY_READ_RESULT: StoreReadResult = Object.freeze({
  nodes: [],
  ranges: [],
  checks: [],
  tokens: [],
})

/** Waits for a promise and returns its value. */
export function* waitFor<TValue>(promise: PromiseLike<TValue>): Course<TValue> {
  const values: TValue[] = []
  yield {
    until: promise.then(value => {
      values.push(value)
      return EMPTY_READ_RESULT
    }),
  }
  for (const value of values) return value
  throw new Error('A call continued before its promise was resolved')
}
