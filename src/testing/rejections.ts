import { type GraphError, isGraphError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { assertEqual, assertRejects, fail } from './assertions.ts'

/** Returns the GraphError that a write throws or rejects with. Throws if it succeeds, or fails otherwise. */
export const assertGraphError = async (write: () => unknown, label: string): Promise<GraphError> => {
  const error = await assertRejects(write, label)
  return isGraphError(error) ? error : fail(`${label}: expected a GraphError; received ${error}`)
}

/** Asserts that a write is a conflict with exactly the given data, and returns the error. */
export const assertConflict = async (
  write: () => unknown,
  data: JsonObject,
  label: string,
): Promise<GraphError> => {
  const error = await assertGraphError(write, label)
  assertEqual(
    { reason: error.reason, data: error.data },
    { reason: 'conflict', data },
    `the error of ${label}`,
  )
  return error
}

/** Asserts that a write is rejected because of the mutation at `index`, which is not valid. */
export const assertInvalid = async (write: () => unknown, index: number, label: string): Promise<void> => {
  const { reason, data } = await assertGraphError(write, label)
  assertEqual({ reason, index: data.index }, { reason: 'invalid_mutation', index }, `the error of ${label}`)
}
