import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { ReadTask } from '../core/batching.ts'
import { edgeNotFoundError } from '../plan/not-found-errors.ts'
import type { GivenValue } from '../plan/parameter-values.ts'
import type { PendingChecks } from '../policy/edge-checks.ts'
import { evaluatePolicies, type PolicyCheck } from '../policy/policy-evaluator.ts'
import { createEntryTest, findEntry } from '../read/list-filter.ts'
import { bindParameters } from '../read/parameters.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { NodeRecord, StoreReadRequest, StoreReadResult } from '../store/contract.ts'
import { listOfOrder } from '../store/derived-entries.ts'
import { checksRequest, EMPTY_REQUEST, nodesRequest } from '../store/requests.ts'
import {
  chooseEdgeReadModes,
  type EdgeReadMode,
  type EdgeReadModes,
  requireEdgeReadMode,
} from './edge-read-modes.ts'
import type { Query, QueryContext } from './query.ts'
import {
  alignToIds,
  assertViewer,
  matchesRequest,
  nodeNotFoundError,
  parseId,
  type RootId,
  resolveIds,
  rootNotFoundError,
} from './root-nodes.ts'
import { assertScopes } from './validate-query.ts'

/** The input of a lookup of an edge by its two ends. */
export type EdgeLookup = {
  readonly id: string
  readonly type: string | undefined
  readonly edge: string
  readonly target: string
  /** The values of the edge's parameters by name. */
  readonly parameters: ReadonlyMap<string, GivenValue>
}

/** The ids of both ends, and the modes in which the edge is read. */
export type EdgeEnds = EdgeReadModes & { readonly ends: readonly [source: RootId, target: RootId] }

/**
 * Validates the ids and the parameters of a lookup.
 *
 * @throws GraphError `invalid_parameter`.
 */
export const parseEnds = ({ engine, input }: Query<EdgeLookup>): EdgeEnds => ({
  ends: [parseId(engine, 'id', input.id), parseId(engine, 'target', input.target)],
  ...chooseEdgeReadModes(engine, { ...input, ids: [input.id] }, undefined),
})

/** @throws GraphError `invalid_parameter` for a computed edge, whose entries are not stored. */
const assertStored = ({ edgeList: { name, computation } }: EdgeReadMode): void => {
  if (computation !== undefined)
    throw invalidParameterError('edge', 'an edge that is not computed', describeValue(name))
}

/** Returns the stored list by time, which contains every edge, even while another order is being built. */
const listByTimeOf = ({ edgeList: { list } }: EdgeReadMode): string => listOfOrder(list) ?? list

/** Returns the stored list that may contain the edge, if it is the same for all types that have the edge. */
const assumedListOf = ({ modes, errors }: EdgeReadModes): string | undefined => {
  const [assumedList, ...otherLists] = new Set([...modes.values()].map(listByTimeOf))
  return otherLists.length > 0 || errors.size > 0 ? undefined : assumedList
}

/** Creates one store read that requests both ends of an edge and whether the edge exists. */
export const createLookupRequest = (
  { context }: Query<EdgeLookup>,
  edgeEnds: EdgeEnds,
): StoreReadRequest | undefined => {
  const { ends } = edgeEnds
  if (context !== undefined) assertViewer(context, ends, false)
  const nodes = resolveIds(ends, context)
  const [{ rawId: source }, { rawId: target }] = ends
  if (nodes === undefined) return undefined
  // Without an assumed list, the edge is checked when the type of its source is known.
  const list = assumedListOf(edgeEnds)
  if (source === undefined || target === undefined || list === undefined) return nodesRequest(nodes)
  return { ...EMPTY_REQUEST, nodes, checks: [{ source, name: list, target }] }
}

/** An edge as the viewer sees it. */
export type VisibleEdge = {
  readonly source: NodeRecord
  readonly edgeType: EdgeType
  readonly mode: EdgeReadMode
  /**
   * The target, or `undefined` if the edge does not exist or if the viewer may not see the list or the
   * target.
   */
  readonly target: NodeRecord | undefined
}

/** Adds the checks that the fields of a target need later. */
type CollectTargetChecks = (
  target: NodeRecord,
  source: NodeRecord,
  edgeType: EdgeType,
  pendingChecks: PendingChecks,
) => void

/**
 * Decides whether the viewer may see an edge, with at most one read of policy checks, and whether it passes the
 * filter of the edge. `collectTargetChecks` adds to the read of checks those that the fields of the target need
 * later.
 *
 * @throws GraphError `node_not_found`, `viewer_required`, `field_not_found`, `invalid_parameter`.
 */
export function* readVisibleEdge(
  context: QueryContext<EdgeLookup>,
  edgeEnds: EdgeEnds,
  result: StoreReadResult,
  collectTargetChecks?: CollectTargetChecks,
): ReadTask<VisibleEdge> {
  const { engine, input } = context.query
  const { registry } = engine
  const { id, type, edge } = input
  const [record, targetRecord] = alignToIds(edgeEnds.ends, result.nodes)
  if (record === undefined || !matchesRequest(engine, id, type, record)) throw rootNotFoundError(context, id)
  const edgeType = registry.getEdge(record.type, edge)
  const hasTarget =
    targetRecord !== undefined && matchesRequest(engine, input.target, undefined, targetRecord)
  const policyChecks: PolicyCheck[] = [
    { policy: registry.getType(record.type)?.policy, record },
    { policy: edgeType?.policy, record },
    ...(hasTarget ? [{ policy: registry.getType(targetRecord.type)?.policy, record: targetRecord }] : []),
  ]
  const [isSourceVisible, isListVisible, isTargetVisible = false] = yield* evaluatePolicies(
    context.policyEvaluator,
    policyChecks,
    pendingChecks => {
      if (hasTarget && edgeType !== undefined)
        collectTargetChecks?.(targetRecord, record, edgeType, pendingChecks)
    },
  )
  if (!isSourceVisible) throw nodeNotFoundError(id)
  const mode = requireEdgeReadMode(engine, edgeEnds, record.type, edge)
  assertStored(mode)
  if (edgeType === undefined) throw edgeNotFoundError(registry, record.type, edge)
  // Without the scope, a list under a filter is not walked.
  if (mode.edgeList.filter !== undefined && edgeType.scope !== undefined)
    assertScopes([{ scope: edgeType.scope, name: edge, type: record.type }], context.session)
  const [check] = result.checks
  const knownToExist = check === undefined ? undefined : check !== false
  const mayExist = isListVisible === true && isTargetVisible && targetRecord !== undefined
  const exists = mayExist && (yield* existsInList(context, record, targetRecord, mode, knownToExist))
  return { source: record, edgeType, mode, target: exists ? targetRecord : undefined }
}

/**
 * Returns whether an edge exists and passes the filter of its list. `knownToExist` is undefined if the check
 * has not been read.
 */
function* existsInList(
  context: QueryContext<EdgeLookup>,
  source: NodeRecord,
  { id: target }: NodeRecord,
  mode: EdgeReadMode,
  knownToExist: boolean | undefined,
): ReadTask<boolean> {
  const { edgeList, parameters: given, values } = mode
  const list = listByTimeOf(mode)
  const check = { source: source.id, name: list, target }
  const exists = knownToExist ?? (yield checksRequest([check])).checks[0] === true
  if (!exists || edgeList.filter === undefined) return exists
  const { values: parameters } = bindParameters(given, values, context)
  const entry = yield* findEntry(context, source, { name: edgeList.name, list }, target)
  return entry !== undefined && createEntryTest(context, source.type, edgeList, { parameters })(entry)
}
