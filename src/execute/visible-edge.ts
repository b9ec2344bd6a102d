import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import type { ReadTask } from '../core/batching.ts'
import { edgeNotFoundError } from '../plan/not-found-errors.ts'
import type { GivenValue } from '../plan/parameter-values.ts'
import type { PendingChecks } from '../policy/edge-checks.ts'
import { evaluatePolicies, type PolicyCheck } from '../policy/policy-evaluator.ts'
import { createEntryTest } from '../read/list-filter.ts'
import { bindParameters } from '../read/parameters.ts'
import type { EdgeType } from '../schema/edge.ts'
import type {
  EdgeCheck,
  EdgeEntry,
  EdgeRecord,
  NodeRecord,
  StoreReadRequest,
  StoreReadResult,
  WantedFields,
} from '../store/contract.ts'
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

const hasFilter = ({ edgeList: { filter } }: EdgeReadMode): boolean => filter !== undefined

const createCheck = (source: NodeId, name: string, target: NodeId, data: boolean): EdgeCheck =>
  data ? { source, name, target, data } : { source, name, target }

/** Returns the stored list that may contain the edge, if it is the same for all types that have the edge. */
const assumedListOf = ({ modes, errors }: EdgeReadModes): string | undefined => {
  const [assumedList, ...otherLists] = new Set([...modes.values()].map(listByTimeOf))
  return otherLists.length > 0 || errors.size > 0 ? undefined : assumedList
}

/**
 * Creates one store read that requests both ends of an edge and the check of the edge. With `data`, and for a list
 * with a filter, the check requests the record of the edge. `fields` are the fields that the ends need.
 */
export const createLookupRequest = (
  { engine, context }: Query<EdgeLookup>,
  edgeEnds: EdgeEnds,
  data: boolean,
  fields: WantedFields | undefined,
): StoreReadRequest | undefined => {
  const { ends, modes } = edgeEnds
  if (context !== undefined) assertViewer(context, ends, false)
  const nodes = resolveIds(engine, ends, context)
  const [{ rawId: source }, { rawId: target }] = ends
  if (nodes === undefined) return undefined
  // Without an assumed list, the edge is checked when the type of its source is known.
  const list = assumedListOf(edgeEnds)
  if (source === undefined || target === undefined || list === undefined) return nodesRequest(nodes, fields)
  const needsRecord = data || [...modes.values()].some(hasFilter)
  return { ...EMPTY_REQUEST, nodes, checks: [createCheck(source, list, target, needsRecord)], fields }
}

/** An edge as the viewer sees it. */
export type VisibleEdge = {
  readonly source: NodeRecord
  readonly edgeType: EdgeType
  readonly mode: EdgeReadMode
  /**
   * The result of the check: false if the edge does not exist, does not pass the filter of the list, or if the viewer
   * may not see the list or the target. Otherwise the record of the edge, or true if it was not requested.
   */
  readonly found: boolean | EdgeRecord
  readonly target: NodeRecord | undefined
}

/** What differs between the kinds of lookups. */
export type LookupKind = {
  /** Whether the result has the record of the edge. */
  readonly data: boolean
  /** Adds to the read of checks those that the fields of the target need later. */
  collectTargetChecks?(
    target: NodeRecord,
    source: NodeRecord,
    edgeType: EdgeType,
    pendingChecks: PendingChecks,
  ): void
  /**
   * Validates the call once the source is visible, before the edge is read and its filter is evaluated.
   *
   * @throws GraphError for names, scopes or costs.
   */
  validate(source: NodeRecord, edgeType: EdgeType): ReadTask<void>
}

/** Whether a node may be a target: as in a list, a node of a type that the edge does not declare is no entry. */
const isTargetOf = (
  { query: { engine, input } }: QueryContext<EdgeLookup>,
  edgeType: EdgeType | undefined,
  target: NodeRecord,
): boolean =>
  edgeType?.targets.includes(target.type) === true && matchesRequest(engine, input.target, undefined, target)

/**
 * Decides whether the viewer may see an edge, and whether it passes the filter of the edge.
 *
 * @throws GraphError `node_not_found`, `viewer_required`, `field_not_found`, `invalid_parameter`, and the errors of
 * `validate`.
 */
export function* readVisibleEdge(
  context: QueryContext<EdgeLookup>,
  edgeEnds: EdgeEnds,
  result: StoreReadResult,
  kind: LookupKind,
): ReadTask<VisibleEdge> {
  const { engine, input } = context.query
  const { registry } = engine
  const { id, type, edge } = input
  const [record, targetRecord] = alignToIds(edgeEnds.ends, result.nodes)
  if (record === undefined || !matchesRequest(engine, id, type, record)) throw rootNotFoundError(context, id)
  const edgeType = registry.getEdge(record.type, edge)
  const hasTarget = targetRecord !== undefined && isTargetOf(context, edgeType, targetRecord)
  const policyChecks: PolicyCheck[] = [
    { policy: registry.policyOf(record.type), record },
    { policy: edgeType?.policy, record },
    ...(hasTarget ? [{ policy: registry.policyOf(targetRecord.type), record: targetRecord }] : []),
  ]
  const [isSourceVisible, isListVisible, isTargetVisible = false] = yield* evaluatePolicies(
    context.policyEvaluator,
    policyChecks,
    pendingChecks => {
      if (hasTarget && edgeType !== undefined)
        kind.collectTargetChecks?.(targetRecord, record, edgeType, pendingChecks)
    },
  )
  if (!isSourceVisible) throw nodeNotFoundError(id)
  const mode = requireEdgeReadMode(engine, edgeEnds, record.type, edge)
  assertStored(mode)
  if (edgeType === undefined) throw edgeNotFoundError(registry, record.type, edge)
  yield* kind.validate(record, edgeType)
  const mayExist = isListVisible === true && isTargetVisible && targetRecord !== undefined
  const found =
    mayExist &&
    (yield* findInList(context, { source: record, target: targetRecord }, mode, kind.data, result.checks[0]))
  return { source: record, edgeType, mode, found, target: targetRecord }
}

/**
 * Returns the result of the check of an edge, or false if the edge does not pass the filter of its list.
 * `knownResult` is undefined if the check has not been read.
 */
function* findInList(
  context: QueryContext<EdgeLookup>,
  { source, target }: { readonly source: NodeRecord; readonly target: NodeRecord },
  mode: EdgeReadMode,
  data: boolean,
  knownResult: boolean | EdgeRecord | undefined,
): ReadTask<boolean | EdgeRecord> {
  const { edgeList, parameters: given, values } = mode
  const check = createCheck(source.id, listByTimeOf(mode), target.id, data || hasFilter(mode))
  const found = knownResult ?? (yield checksRequest([check])).checks[0] ?? false
  if (edgeList.filter === undefined || typeof found === 'boolean') return found
  const { values: parameters } = bindParameters(given, values, context)
  const isInList = createEntryTest(context, source.type, edgeList, { parameters })
  return isInList(createEntry(found, target)) && found
}

/** Creates the entry of an edge. */
export const createEntry = ({ target, time, data }: EdgeRecord, node: NodeRecord): EdgeEntry => ({
  target,
  time,
  data,
  node,
})
