import { type GraphError, isGraphError } from 'kithgraph'

/** Returns the error of a call. @throws if the call succeeds, or fails with another error than a `GraphError`. */
export const errorOf = async (call: Promise<unknown>): Promise<GraphError> => {
  const error: unknown = await call.then(
    () => new Error('The call succeeded'),
    (thrown: unknown) => thrown,
  )
  if (!isGraphError(error)) throw error
  return error
}

/** Returns the reason of the error of a call. */
export const reasonOf = async (call: Promise<unknown>): Promise<string> => (await errorOf(call)).reason
