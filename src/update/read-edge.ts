import { conflictError } from '../base/errors.ts'
import { isNodeId, type NodeId } from '../base/ids.ts'
import type { TurnQueue } from '../base/turn-queue.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { EdgeEntry, EdgeKey, EdgePosition, EdgeRange, RangeResult } from '../store/contract.ts'
import { EMPTY_REQUEST, rangesRequest } from '../store/requests.ts'
import type { NodeTypes } from '../write/write-batch.ts'
import type { ReadNewest } from './write-update.ts'

/** The size of the first page of a list. Most lists are short. */
const FIRST_PAGE_SIZE = 100
/** The size of each later page of a list. */
const PAGE_SIZE = 1000

/** The search for an edge in its list, which continues after a position. */
type ListSearch = { readonly edge: EdgeKey; readonly from: EdgePosition | undefined }

const toRange = ({ edge: { source, name }, from }: ListSearch, limit: number): EdgeRange => ({
  source,
  name,
  direction: 'newest',
  from,
  minTime: undefined,
  maxTime: undefined,
  limit,
  count: false,
})

const findEntry = (
  searches: readonly ListSearch[],
  ranges: readonly RangeResult[],
): EdgeEntry | undefined => {
  for (const [index, { edge }] of searches.entries()) {
    const entry = ranges[index]?.entries.find(({ target }) => target === edge.target)
    if (entry !== undefined) return entry
  }
  return undefined
}

/** Returns the searches that have not reached the end of their list. */
const continueSearches = (
  searches: readonly ListSearch[],
  ranges: readonly RangeResult[],
): readonly ListSearch[] =>
  searches.flatMap(({ edge }, index) => {
    const range = ranges[index]
    return range?.hasMore && range.lastExamined !== undefined ? [{ edge, from: range.lastExamined }] : []
  })

/** Asserts that an id is valid, because a store may reject a read of another text. */
const assertEnd = (id: NodeId, path: string): void => {
  if (!isNodeId(id)) throw new ValidationIssue('the id of an existing node', id, path)
}

/** The first read of an edge. */
export type EdgeStart = {
  /** The types of its ends. */
  readonly types: NodeTypes
  readonly exists: boolean
  /** The beginning of its list. */
  readonly range: RangeResult | undefined
}

/** Reads the ends of an edge, whether it exists, and the beginning of its list. */
export const readEdgeStart = async (readNewest: ReadNewest, edge: EdgeKey): Promise<EdgeStart> => {
  const { source, target } = edge
  assertEnd(source, 'edge.source')
  assertEnd(target, 'edge.target')
  const { nodes, checks, ranges } = await readNewest({
    ...EMPTY_REQUEST,
    nodes: [source, target],
    checks: [edge],
    ranges: [toRange({ edge, from: undefined }, FIRST_PAGE_SIZE)],
  })
  const types: NodeTypes = new Map([source, target].map((id, index) => [id, nodes[index]?.type]))
  return { types, exists: checks[0] === true, range: ranges[0] }
}

/**
 * Returns the entry of an existing edge. Searches the list of the edge and that of its mirror at once, page by page,
 * until one of them contains the edge.
 *
 * @throws GraphError `conflict` if another writer moves or deletes the edge during the search.
 */
export const findEdgeEntry = async (
  readNewest: ReadNewest,
  turnQueue: TurnQueue,
  edge: EdgeKey,
  mirror: EdgeKey | undefined,
  firstRange: RangeResult | undefined,
): Promise<EdgeEntry> => {
  let searches: readonly ListSearch[] = [{ edge, from: undefined }]
  let ranges = firstRange === undefined ? [] : [firstRange]
  let pendingMirror = mirror
  for (;;) {
    const entry = findEntry(searches, ranges)
    if (entry !== undefined) return entry
    searches = continueSearches(searches, ranges)
    if (pendingMirror !== undefined) searches = [...searches, { edge: pendingMirror, from: undefined }]
    pendingMirror = undefined
    if (searches.length === 0) throw conflictError(0, 'when.exists', undefined)
    // A long list of a store in the process must not block the other work of the process.
    await turnQueue.waitForTurn()
    const result = await readNewest(rangesRequest(searches.map(search => toRange(search, PAGE_SIZE))))
    ranges = [...result.ranges]
  }
}
