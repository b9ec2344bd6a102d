import { isPromiseLike } from '../base/awaitable.ts'
import { type GraphError, internalError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import { type ReadTask, waitFor } from '../core/batching.ts'
import type { QueryContext } from '../execute/query.ts'
import { matchesRequest } from '../execute/root-nodes.ts'
import type { NodeRecord } from '../store/contract.ts'
import { settleInTime } from '../store/settle-in-time.ts'
import type { Action } from './action.ts'
import {
  type FindNode,
  GivenNode,
  invalidParametersError,
  MAX_ISSUES,
  mapNodes,
  type ParameterIssue,
  ValueParser,
} from './parse-values.ts'
import type { ActionInput, PreparedCall } from './prepare-call.ts'
import { formatIssuePath, type StandardResult, type StandardSchema } from './standard-schema.ts'

/** Returns the node of a requested id if it has one of the types. The viewer may not see it. */
export type FindRecord = (id: unknown, types: readonly string[]) => GivenNode | undefined

export const createRecordFinder = (
  { query: { engine } }: QueryContext<ActionInput>,
  { givenNodes }: PreparedCall,
  records: ReadonlyMap<NodeId, NodeRecord>,
): FindRecord => {
  const rawIds = new Map(givenNodes?.nodeIds.map(({ requestedId, rawId }) => [requestedId, rawId]))
  return (id, types) => {
    const rawId = typeof id === 'string' ? rawIds.get(id) : undefined
    const record = rawId === undefined ? undefined : records.get(rawId)
    if (typeof id !== 'string' || record === undefined || !types.includes(record.type)) return undefined
    return matchesRequest(engine, id, undefined, record) ? new GivenNode(id, record) : undefined
  }
}

const createNodeFinder =
  ({ query: { engine }, policyEvaluator }: QueryContext<ActionInput>, findRecord: FindRecord): FindNode =>
  (id, types) => {
    const found = findRecord(id, types)
    const policy = found && engine.registry.getType(found.record.type)?.policy
    return found !== undefined && policyEvaluator.allows(policy, found.record, []) === true
      ? found
      : undefined
  }

const startValidation = (
  validate: StandardSchema,
  values: unknown,
): StandardResult | Promise<StandardResult> => {
  try {
    return validate['~standard'].validate(values)
  } catch (error) {
    throw internalError(error)
  }
}

/** Validates the parameters with the validator of the action. Its output is dropped. */
function* validateTogether(
  { readOptions: { signal, deadline } }: QueryContext,
  validate: StandardSchema,
  values: { readonly [name: string]: unknown },
): ReadTask<void> {
  const given = mapNodes(values, ({ requestedId }) => requestedId)
  const result = startValidation(validate, given)
  const { issues } = isPromiseLike(result)
    ? yield* waitFor(settleInTime(result, signal, deadline, (error): GraphError => internalError(error)))
    : result
  if (issues === undefined) return
  throw invalidParametersError(
    issues.slice(0, MAX_ISSUES).map(issue => ({ parameter: formatIssuePath(issue), message: issue.message })),
  )
}

const NOT_IDEMPOTENT: ParameterIssue = {
  parameter: 'idempotencyKey',
  expected: 'left out, since the action is not idempotent',
  received: 'a key',
}

/**
 * Parses and validates the parameters of a call.
 *
 * @throws GraphError `invalid_parameter` with all issues; `internal_error` if the validator of the action throws.
 */
export function* checkParameters(
  context: QueryContext<ActionInput>,
  findRecord: FindRecord,
  { parameters, idempotent, validate }: Action,
): ReadTask<{ readonly [name: string]: unknown }> {
  const { call } = context.query.input
  const parser = new ValueParser(createNodeFinder(context, findRecord))
  const values = parser.parseAll(parameters, call.parameters)
  const issues =
    idempotent || call.idempotencyKey === undefined ? parser.issues : [...parser.issues, NOT_IDEMPOTENT]
  if (issues.length > 0) throw invalidParametersError(issues)
  if (validate !== undefined) yield* validateTogether(context, validate, values)
  return values
}
