import type { Awaitable } from '../../../src/base/awaitable.ts'
import { type GraphError, isGraphError } from '../../../src/base/errors.ts'

/** Calls a function with arguments that the compiler rejects. */
export const callUntyped = async (
  call: (...args: never[]) => unknown,
  ...args: unknown[]
): Promise<unknown> => Reflect.apply(call, undefined, args)

/** Returns the `GraphError` that a promise rejects with. Throws if the promise has another outcome. */
export const expectGraphError = async (promise: Awaitable<unknown>): Promise<GraphError> => {
  const [result, error] = await Promise.resolve(promise).then(
    result => [result, undefined] as const,
    (reason: unknown) => [undefined, reason] as const,
  )
  if (isGraphError(error)) return error
  throw error ?? new Error(`expected a GraphError; received ${JSON.stringify(result)}`)
}
