import { internalError } from '../base/errors.ts'
import { type ReadTask, waitFor } from '../core/batching.ts'
import type { QueryContext } from '../execute/query.ts'
import { settleInTime } from '../store/settle-in-time.ts'
import { mapNodes } from './given-node.ts'
import { invalidParametersError, type ParameterIssue } from './parameter-issues.ts'
import type { ParsedParameters, ParsedValues } from './parse-parameters.ts'
import { type ActionInput, keyNameOf } from './prepare-call.ts'
import { formatIssuePath, type StandardSchema } from './standard-schema.ts'

/** Validates the parameters with the validator of the action. Its output is dropped. */
function* validateTogether(
  { readOptions: { signal, deadline } }: QueryContext,
  validate: StandardSchema,
  values: ParsedValues,
): ReadTask<void> {
  const validatedValues = mapNodes(values, (_record, requestedId) => requestedId)
  // An error that `validate` throws at once rejects the promise too.
  const validating = (async () => validate['~standard'].validate(validatedValues))()
  const { issues } = yield* waitFor(settleInTime(validating, signal, deadline, internalError))
  if (issues === undefined) return
  throw invalidParametersError(
    issues.map(issue => ({ parameter: formatIssuePath(issue), message: issue.message })),
  )
}

/**
 * Checks the parsed parameters of a call. The checks of the policies of their nodes have been read.
 *
 * @throws GraphError `invalid_parameter` with all issues; `internal_error` if the validator of the action throws.
 */
export function* checkParameters(
  context: QueryContext<ActionInput>,
  { action: { idempotent, validate }, values, issues, nodes }: ParsedParameters,
): ReadTask<void> {
  const { query, policyEvaluator } = context
  const { call } = query.input
  const allIssues: ParameterIssue[] = [...issues]
  if (!idempotent && call.idempotencyKey !== undefined)
    allIssues.push({
      parameter: keyNameOf(call),
      expected: 'left out of an action that is not idempotent',
      received: 'a key',
    })
  for (const node of nodes) {
    const { record } = node
    const policy = record && query.engine.registry.policyOf(record.type)
    if (record === undefined || policyEvaluator.allows(policy, record, []) !== true)
      allIssues.push(node.issue)
  }
  if (allIssues.length > 0) throw invalidParametersError(allIssues)
  if (validate !== undefined) yield* validateTogether(context, validate, values)
}
