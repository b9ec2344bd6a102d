import { type ErrorData, GraphError, invalidParameterError } from '../base/errors.ts'

/** The maximum number of issues in an error: a short request can have many more invalid values. */
export const MAX_ISSUES = 100

/** What is wrong with a parameter. */
export type ParameterIssue =
  | { readonly parameter: string; readonly expected: string; readonly received: string }
  | { readonly parameter: string; readonly message: string }

/** Creates the error for the parameters of a call. The message is about the first issue. */
export const invalidParametersError = (allIssues: readonly ParameterIssue[]): GraphError => {
  const issues = allIssues.slice(0, MAX_ISSUES)
  const [first = { parameter: '', message: 'must be valid' }] = issues
  const { message } =
    'message' in first
      ? { message: `(#100) Invalid parameter "${first.parameter}": ${first.message}` }
      : invalidParameterError(first.parameter, first.expected, first.received)
  const data: ErrorData = { ...first, parameters: issues.map(issue => ({ ...issue })) }
  return new GraphError('invalid_parameter', message, data)
}
