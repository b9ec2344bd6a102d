import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { describeValue } from '../base/describe.ts'
import { GraphError, invalidParameterError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import { type ReadTask, waitFor } from '../core/batching.ts'
import { findRootType } from '../execute/early-root.ts'
import { createPlannedNodes, planFields } from '../execute/plan-roots.ts'
import type { QueryContext, ReadOperation } from '../execute/query.ts'
import { matchesRequest, type RootId, resolveIds, rootNotFoundError } from '../execute/root-nodes.ts'
import {
  assertScopes,
  type EarlyValidation,
  keepValidationError,
  VALID,
  validateQuery,
} from '../execute/validate-query.ts'
import type { PendingChecks } from '../policy/edge-checks.ts'
import type { NodeRecord } from '../store/contract.ts'
import { nodesRequest } from '../store/requests.ts'
import type { Action } from './action.ts'
import { computeActionCost } from './action-cost.ts'
import { unsupportedRequestOf } from './action-registry.ts'
import { checkParameters } from './check-parameters.ts'
import type { GivenNode } from './given-node.ts'
import { type ParsedParameters, type ParsedValues, parseCallParameters } from './parse-parameters.ts'
import { type ActionInput, type PreparedCall, prepareCall } from './prepare-call.ts'

/** A call that has passed all checks. */
export type CheckedCall = {
  readonly action: Action
  readonly source: NodeRecord
  /** The parameters. All their nodes have been read. */
  readonly values: ParsedValues
  readonly session: Session
  /** The time of the call in milliseconds since the epoch. */
  readonly now: number
}

type Context = QueryContext<ActionInput>
type Records = Map<NodeId, NodeRecord>

const sourceNotFoundError = (context: Context): GraphError => {
  const { id, target } = context.query.input.call
  return rootNotFoundError(context, id, unsupportedRequestOf(target))
}

const addRecords = (records: Records, nodes: readonly (NodeRecord | undefined)[]): void => {
  for (const node of nodes) if (node !== undefined) records.set(node.id, node)
}

/** Returns the parameters of a call of an action. They are parsed again if the source has another type than expected. */
const parametersOf = ({ query }: Context, prepared: PreparedCall, action: Action): ParsedParameters => {
  if (prepared.parameters?.action !== action)
    prepared.parameters = parseCallParameters(query.engine, action, query.input.call)
  return prepared.parameters
}

/**
 * Validates a call for a source of a type, in this order: the name of the action, names in `fields`, scopes, cost.
 * Then the hooks charge the cost.
 *
 * @throws GraphError the first error in this order.
 */
const validateCall = (context: Context, prepared: PreparedCall, type: string): Awaitable<EarlyValidation> => {
  const { query, session } = context
  const { engine, input } = query
  const action = input.actions.require(type, input.call)
  input.action = action
  const { nodes } = parametersOf(context, prepared, action)
  const cost = computeActionCost(engine.registry, action, nodes)
  const requiredScopes = action.scope === undefined ? [] : [{ scope: action.scope, name: action.name, type }]
  const { parsedFields } = prepared
  if (parsedFields === undefined) {
    assertScopes(requiredScopes, session)
    return validateQuery(context, [], cost, VALID)
  }
  if (action.returns === undefined)
    throw invalidParameterError(
      'fields',
      'left out of an action that returns no node',
      describeValue(query.call.fields),
    )
  const plan = planFields(context, parsedFields, action.returns)
  const roots = { ...createPlannedNodes(parsedFields, plan, undefined, 1), requiredScopes }
  return validateQuery(context, [roots], cost, VALID)
}

/**
 * Validates the call with its source. If the call is valid already, and whether the viewer may see the source needs
 * checks, they are not read yet, but with all others.
 *
 * @throws GraphError for a source that the viewer may not see, and then for an invalid call.
 */
function* validateWithSource(
  context: Context,
  prepared: PreparedCall,
  source: NodeRecord,
  early: EarlyValidation | undefined,
): ReadTask<void> {
  const { policyEvaluator, query } = context
  const policy = query.engine.registry.policyOf(source.type)
  const pendingChecks: PendingChecks = []
  const isVisible = policyEvaluator.allows(policy, source, pendingChecks)
  // The call is charged before the first read under a policy, if the type of the source is known before it is read.
  if (isVisible === undefined && early?.isValid === true) return
  yield* policyEvaluator.readChecks(pendingChecks)
  if ((isVisible ?? policyEvaluator.allows(policy, source, [])) !== true) throw sourceNotFoundError(context)
  if (early?.isValid === false) throw early.error
  if (early === undefined) {
    const validation = validateCall(context, prepared, source.type)
    if (isPromiseLike(validation)) yield* waitFor(validation)
  }
}

const requestedIdsOf = (nodes: readonly GivenNode[]): readonly RootId[] => nodes.flatMap(({ id = [] }) => id)

/** Reads the nodes of the parameters that have not been read yet. */
function* readGivenNodes(context: Context, nodes: readonly GivenNode[], records: Records): ReadTask<void> {
  const rawIds = new Set(resolveIds(context.query.engine, requestedIdsOf(nodes), context))
  for (const id of records.keys()) rawIds.delete(id)
  if (rawIds.size > 0) addRecords(records, (yield nodesRequest([...rawIds])).nodes)
}

/** Returns the record of a requested id and type, which the viewer may not see. */
const findRecord = (
  { query: { engine } }: Context,
  records: Records,
  { requestedId, rawId }: RootId,
  type: string | undefined,
): NodeRecord | undefined => {
  const record = rawId === undefined ? undefined : records.get(rawId)
  return record !== undefined && matchesRequest(engine, requestedId, type, record) ? record : undefined
}

/** Sets the records of the nodes that exist and have one of their types. */
const setRecords = (context: Context, nodes: readonly GivenNode[], records: Records): void => {
  for (const node of nodes) {
    const record = node.id && findRecord(context, records, node.id, undefined)
    if (record !== undefined && node.types.includes(record.type)) node.record = record
  }
}

/** Reads the checks of the policies of the source, of the action and of the nodes of the parameters together. */
function* readAllChecks(
  context: Context,
  action: Action,
  source: NodeRecord,
  nodes: readonly GivenNode[],
): ReadTask<void> {
  const { policyEvaluator, query } = context
  const pendingChecks: PendingChecks = []
  if (action.policy !== undefined) policyEvaluator.collectChecks(action.policy, source, pendingChecks)
  // Nodes of other types are not charged, so they have no record and their policies are not evaluated.
  for (const record of new Set([source, ...nodes.flatMap(({ record = [] }) => record)])) {
    const policy = query.engine.registry.policyOf(record.type)
    if (policy !== undefined) policyEvaluator.collectChecks(policy, record, pendingChecks)
  }
  yield* policyEvaluator.readChecks(pendingChecks)
}

const actionDeniedError = ({ type, name }: Action): GraphError =>
  new GraphError('action_denied', `(#200) The action ${name} of ${type} is not allowed`, {
    action: name,
    type,
  })

/** The check of a call: everything that comes before `run`. */
export const ACTION_CHECK: ReadOperation<ActionInput, PreparedCall, CheckedCall> = {
  prepare: prepareCall,
  rootRequest({ engine, context }, { id, parameters }) {
    const rawIds = resolveIds(engine, [id, ...requestedIdsOf(parameters?.nodes ?? [])], context)
    return rawIds && nodesRequest([...new Set(rawIds)])
  },
  *read(context, prepared, { nodes }) {
    const { query, policyEvaluator, session } = context
    const { call, actions } = query.input
    const { parameters: parametersWithNodes } = prepared
    const records: Records = new Map()
    addRecords(records, nodes)
    const knownType = findRootType(context, prepared.id, call.type)
    const early =
      knownType === undefined
        ? undefined
        : yield* keepValidationError(() => validateCall(context, prepared, knownType))
    const source = findRecord(context, records, prepared.id, call.type)
    if (source === undefined) throw sourceNotFoundError(context)
    // The viewer's node may have been deleted and added with another type since the token was issued.
    const validation = knownType === source.type ? early : undefined
    yield* validateWithSource(context, prepared, source, validation)
    const action = actions.require(source.type, call)
    const parameters = parametersOf(context, prepared, action)
    const { nodes: givenNodes, values } = parameters
    if (parameters !== parametersWithNodes) yield* readGivenNodes(context, givenNodes, records)
    setRecords(context, givenNodes, records)
    yield* readAllChecks(context, action, source, givenNodes)
    const policy = query.engine.registry.policyOf(source.type)
    if (policyEvaluator.allows(policy, source, []) !== true) throw sourceNotFoundError(context)
    if (policyEvaluator.allows(action.policy, source, []) !== true) throw actionDeniedError(action)
    yield* checkParameters(context, parameters)
    return { action, source, values, session, now: context.now }
  },
}
