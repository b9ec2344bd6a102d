import type { Awaitable } from '../../../src/base/awaitable.ts'
import { type GraphError, isGraphError } from '../../../src/base/faults.ts'

/** Calls a function with arguments that the compiler would refuse. */
export const loosely = async (call: (...args: never[]) => unknown, ...args: unknown[]): Promise<unknown> =>
  Reflect.apply(call, undefined, args)

/** The fault that a promise ends in; anything else that it comes to is thrown. */
export const faultOf = async (promise: Awaitable<unknown>): Promise<GraphError> => {
  const [answer, fault] = await Promise.resolve(promise).then(
    answer => [answer, undefined] as const,
    (error: unknown) => [undefined, error] as const,
  )
  if (isGraphError(fault)) return fault
  throw fault ?? new Error(`expected a fault, came ${JSON.stringify(answer)}`)
}
