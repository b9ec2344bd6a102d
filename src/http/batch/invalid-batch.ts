import { GraphError } from '../../base/errors.ts'
import { formatIssue } from '../../base/usage-error.ts'

/** Creates the error for an invalid batch. None of its requests run. */
export const invalidBatchError = (
  message: string,
  data: { readonly [name: string]: string | number } = {},
): GraphError => new GraphError('invalid_batch', `(#100) ${message}`, data)

/**
 * Creates the error for an invalid member of a request: `(#100) Request 0 of the batch: "method" must be a
 * string; received 5`.
 */
export const invalidBatchItemError = (
  index: number,
  path: string,
  expected: string,
  received: string,
): GraphError =>
  invalidBatchError(formatIssue(`Request ${index} of the batch`, `"${path}"`, expected, received), {
    index,
    path,
  })
