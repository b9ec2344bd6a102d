import { edgeNotFoundError } from '../plan/edge-not-found-error.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { NodeRecord, StoreReadRequest, StoreReadResult } from '../store/contract.ts'
import { EMPTY_REQUEST, nodesRequest } from '../store/requests.ts'
import { assertId } from './call.ts'
import type { Course } from './course.ts'
import { evaluatePolicies, type PendingChecks, type PolicyCheck } from './policy-evaluator.ts'
import type { Query } from './query.ts'
import type { ReadTask } from './read-task.ts'
import {
  alignToIds,
  matchesRequest,
  needsSession,
  nodeNotFoundError,
  resolveRootIds,
  rootNotFoundError,
} from './root-nodes.ts'
import { assertScopes } from './validate-query.ts'

/** The input of a lookup of an edge by its two ends. */
export type EdgeLookup = {
  readonly id: string
  readonly type: string | undefined
  readonly edge: string
  readonly target: string
}

/**
 * Creates the request for an edge: both of its ends and whether it exists, in one store read.
 *
 * @throws GraphError `invalid_parameter` for an end that is not an id.
 */
export const createEdgeLookupRequest = (query: Query, { id, edge, target }: EdgeLookup): StoreReadRequest => {
  const { registry, appIds } = query.engine
  const endIds = [id, target]
  assertId('id', id, appIds !== undefined)
  assertId('target', target, appIds !== undefined)
  const nodes = resolveRootIds(query, endIds, false)
  const [source, targetId] = endIds.map(endId => query.resolveId(endId))
  // For a name that no type has, an error is thrown later, and the store is not read.
  const isKnownEdge = registry.sourceTypesOf(edge).length > 0
  if (source === undefined || targetId === undefined || !isKnownEdge) return nodesRequest(nodes)
  return { ...EMPTY_REQUEST, nodes, checks: [{ source, name: edge, target: targetId }] }
}

/** Whether an end of the edge depends on the session, so that the token has to be read first. */
export const lookupNeedsSession = ({ id, target }: EdgeLookup): boolean =>
  needsSession(id) || needsSession(target)

/** An edge as the viewer sees it. */
type VisibleEdge = {
  readonly source: NodeRecord
  readonly edgeType: EdgeType
  /** The target; undefined if the edge does not exist or if the viewer may not see the list or the target. */
  readonly target: NodeRecord | undefined
}

/**
 * Decides whether the viewer may see an edge, with at most one read of policy checks. `collectTargetChecks`
 * adds the checks that the fields of the target need later, so that they are part of the same read.
 *
 * @throws GraphError `node_not_found`, `viewer_required`, `field_not_found`.
 */
export function* readVisibleEdge(
  query: Query,
  { id, type, edge, target }: EdgeLookup,
  result: StoreReadResult,
  collectTargetChecks?: (
    target: NodeRecord,
    source: NodeRecord,
    edgeType: EdgeType,
    pendingChecks: PendingChecks,
  ) => void,
): ReadTask<VisibleEdge> {
  const { registry } = query.engine
  const [sourceRecord, targetRecord] = alignToIds(query, [id, target], result.nodes)
  if (sourceRecord === undefined || !matchesRequest(query, id, type, sourceRecord))
    throw rootNotFoundError(query, id)
  const edgeType = registry.getEdge(sourceRecord.type, edge)
  const hasTarget = targetRecord !== undefined && matchesRequest(query, target, undefined, targetRecord)
  const policyChecks: PolicyCheck[] = [
    { policy: registry.getType(sourceRecord.type)?.policy, record: sourceRecord },
    { policy: edgeType?.policy, record: sourceRecord },
    ...(hasTarget ? [{ policy: registry.getType(targetRecord.type)?.policy, record: targetRecord }] : []),
  ]
  const [isSourceVisible, isListVisible, isTargetVisible = false] = yield* evaluatePolicies(
    query.policyEvaluator,
    policyChecks,
    pendingChecks => {
      if (hasTarget && edgeType !== undefined)
        collectTargetChecks?.(targetRecord, sourceRecord, edgeType, pendingChecks)
    },
  )
  if (!isSourceVisible) throw nodeNotFoundError(id)
  if (edgeType === undefined) throw edgeNotFoundError(registry, sourceRecord.type, edge)
  const isVisible = isListVisible === true && isTargetVisible && result.checks[0] === true
  return { source: sourceRecord, edgeType, target: isVisible ? targetRecord : undefined }
}

/**
 * Returns whether a node has an edge to another. An edge that the viewer may not see does not exist for the
 * viewer.
 */
export function* hasEdge(query: Query, lookup: EdgeLookup): Course<boolean> {
  const { result } = yield* query.open({
    prepare: () => ({ prepared: undefined, request: createEdgeLookupRequest(query, lookup) }),
    needsSession: lookupNeedsSession(lookup),
  })
  const { source, edgeType, target } = yield* readVisibleEdge(query, lookup, result)
  const { scope } = edgeType
  if (scope !== undefined) assertScopes([{ scope, name: lookup.edge, type: source.type }], query.session)
  return target !== undefined
}
