import type {
  CompletionFlag,
  EdgeCheck,
  EdgeEntry,
  EdgeRange,
  EdgeRecord,
  RangeResult,
  StoreReadRequest,
  StoreReadResult,
} from '../../store/contract.ts'
import { assertDigest } from '../../store/token-record.ts'
import { TARGET_COLUMN } from './edge-table.ts'
import { findEdge, findList, findSource, type GraphTables } from './graph-tables.ts'
import type { SortBoundary } from './sort-order.ts'

const NO_ENTRIES: readonly EdgeEntry[] = Object.freeze([])
const createEmptyResult = (total: number | undefined): RangeResult =>
  Object.freeze({ entries: NO_ENTRIES, hasMore: false, lastExamined: undefined, total })
const EMPTY_RANGE_RESULT = createEmptyResult(undefined)
const EMPTY_RANGE_RESULT_WITH_TOTAL = createEmptyResult(0)

type RangeBounds = {
  readonly isDescending: boolean
  readonly boundary: SortBoundary
  readonly lastTime: number
}

/**
 * Computes the bounds of a range. A range begins after `from`, whether or not an edge exists there, or at the
 * time limit if the limit is further in the direction of the range.
 */
const toRangeBounds = ({ direction, from, minTime, maxTime }: EdgeRange): RangeBounds => {
  const isDescending = direction === 'newest'
  const earliest = minTime ?? Number.NEGATIVE_INFINITY
  const latest = maxTime ?? Number.POSITIVE_INFINITY
  const lastTime = isDescending ? earliest : latest
  if (from !== undefined && (isDescending ? from.time <= latest : from.time >= earliest)) {
    return {
      isDescending,
      lastTime,
      boundary: { key: from.time, id: from.target, ids: isDescending ? 'below' : 'through' },
    }
  }
  const ids = isDescending ? 'all' : 'none'
  return { isDescending, lastTime, boundary: { key: isDescending ? latest : earliest, id: '', ids } }
}

/** Reads a range of a list. Finding the start takes O(log n), and each entry takes one more step. */
const readRange = (tables: GraphTables, list: number, range: EdgeRange): RangeResult => {
  const { limit, count } = range
  const length = list === 0 ? 0 : tables.outgoing.lengthOf(list)
  if (length === 0) return count ? EMPTY_RANGE_RESULT_WITH_TOTAL : EMPTY_RANGE_RESULT
  const total = count ? length : undefined
  if (limit <= 0) return { entries: NO_ENTRIES, hasMore: false, lastExamined: undefined, total }
  const bounds = toRangeBounds(range)
  const edgeNumbers = tables.outgoing.readFrom(list, bounds.isDescending, bounds.boundary, limit + 1)
  return toRangeResult(tables, bounds, edgeNumbers, limit, total)
}

/**
 * Creates the result of a range from the edges that were read. These may include one edge more than the limit
 * and, at the end, edges beyond the time limit.
 */
const toRangeResult = (
  { nodes, edges }: GraphTables,
  { isDescending, lastTime }: RangeBounds,
  edgeNumbers: readonly number[],
  limit: number,
  total: number | undefined,
): RangeResult => {
  const entries: EdgeEntry[] = []
  let hasMore = false
  for (const edge of edgeNumbers) {
    const time = edges.timeOf(edge)
    if (isDescending ? time < lastTime : time > lastTime) break
    hasMore = entries.length === limit
    if (hasMore) break
    const node = nodes.getByNumber(edges.getCell(edge, TARGET_COLUMN))
    if (node !== undefined) entries.push({ target: node.id, time, data: edges.dataOf(edge), node })
  }
  const last = entries.at(-1)
  const lastExamined = last && { time: last.time, target: last.target }
  return { entries, hasMore, lastExamined, total }
}

/**
 * Reads ranges. Looks up all sources, then all lists, so that the processor can wait for many rows at once.
 */
const readRanges = (tables: GraphTables, ranges: readonly EdgeRange[]): RangeResult[] => {
  const sourceNumbers = tables.nodes.numbersOf(ranges.map(({ source }) => source))
  const listNumbers = ranges.map(({ source, name }, index) =>
    findList(tables, sourceNumbers[index] || findSource(tables, source), name),
  )
  return ranges.map((range, index) => readRange(tables, listNumbers[index] ?? 0, range))
}

/** The number of sequential reads in a list that take as long as one search. */
const READS_PER_SEARCH = 16

/**
 * Returns the list of each check, or 0 if there is none. Consecutive checks of the same list need only one
 * lookup.
 */
const findCheckLists = (tables: GraphTables, checks: readonly EdgeCheck[]): number[] => {
  let previousCheck: EdgeCheck | undefined
  let list = 0
  return checks.map(check => {
    if (previousCheck?.source !== check.source || previousCheck.name !== check.name)
      list = findList(tables, findSource(tables, check.source), check.name)
    previousCheck = check
    return list
  })
}

/** Reads a list completely if this is faster than searching it. Returns the targets of these lists. */
const readTargetsByList = (
  { outgoing, edges }: GraphTables,
  lists: readonly number[],
): ReadonlyMap<number, ReadonlySet<number>> => {
  const checkCounts = new Map<number, number>()
  for (const list of lists) checkCounts.set(list, (checkCounts.get(list) ?? 0) + 1)
  const targetsByList = new Map<number, Set<number>>()
  for (const [list, checkCount] of checkCounts) {
    if (list === 0 || checkCount === 1 || outgoing.lengthOf(list) > READS_PER_SEARCH * checkCount) continue
    const targetsOfList = new Set<number>()
    for (const edge of outgoing.edgesOf(list)) targetsOfList.add(edges.getCell(edge, TARGET_COLUMN))
    targetsByList.set(list, targetsOfList)
  }
  return targetsByList
}

/** Returns the record of the edge that a check names, or false if it does not exist. */
const readEdgeRecord = (
  tables: GraphTables,
  { source, name, target }: EdgeCheck,
  list: number,
): EdgeRecord | false => {
  const { edges, nodes } = tables
  const edge = list === 0 ? 0 : findEdge(tables, list, nodes.findNumber(target))
  if (edge === 0) return false
  return { source, name, target, time: edges.timeOf(edge), data: edges.dataOf(edge) }
}

/**
 * Reads checks. Policies often check many targets in one list, such as the friends of a viewer. The list is
 * read completely if this is less work than searching for each target.
 */
export const readChecks = (
  tables: GraphTables,
  checks: readonly EdgeCheck[],
): readonly (boolean | EdgeRecord)[] => {
  const lists = findCheckLists(tables, checks)
  const targetsByList = readTargetsByList(tables, lists)
  return checks.map((check, index) => {
    const { target } = check
    const list = lists[index] ?? 0
    if (check.data === true) return readEdgeRecord(tables, check, list)
    const targetNumber = tables.nodes.findNumber(target)
    return (
      targetsByList.get(list)?.has(targetNumber) ?? (list !== 0 && findEdge(tables, list, targetNumber) !== 0)
    )
  })
}

const readTokens = ({ tokens }: GraphTables, digests: readonly string[]) =>
  digests.map(digest => {
    assertDigest('store.read', digest)
    return tokens.get(digest)
  })

const NO_RESULTS: readonly never[] = Object.freeze([])

/** Whether the store has no node. Entries of collections then do not exist either. */
const hasNoNode = ({ nodes }: GraphTables): boolean => {
  for (const _ of nodes.numbers()) return false
  return true
}

const readFlags = (tables: GraphTables, flags: readonly CompletionFlag[]): boolean[] =>
  flags.map(({ name, value }) => tables.flags.get(name) === value || hasNoNode(tables))

/** Executes a read request on the tables of a store or a snapshot. */
export const executeRead = (
  tables: GraphTables,
  { nodes, ranges, checks, tokens, flags }: StoreReadRequest,
): StoreReadResult => {
  const result = {
    nodes: nodes.length === 0 ? NO_RESULTS : tables.nodes.getAll(nodes),
    ranges: ranges.length === 0 ? NO_RESULTS : readRanges(tables, ranges),
    checks: checks.length === 0 ? NO_RESULTS : readChecks(tables, checks),
    tokens: tokens.length === 0 ? NO_RESULTS : readTokens(tables, tokens),
  }
  return flags === undefined ? result : { ...result, flags: readFlags(tables, flags) }
}
