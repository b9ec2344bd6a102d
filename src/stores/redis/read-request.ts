import type { NodeId } from '../../base/ids.ts'
import type {
  NodeRecord,
  RangeResult,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
} from '../../store/contract.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import type { CommandSender } from './command-sender.ts'
import { enqueueChecks } from './edge-checks.ts'
import type { RedisKeys } from './keys.ts'
import {
  type CompletePage,
  enqueueData,
  enqueueRange,
  enqueueRangeWithData,
  isComplete,
  type RangePage,
  toRangeResult,
} from './range.ts'
import { decodeNodes, decodeToken } from './records.ts'
import { RoundTrip } from './round-trip.ts'

type NodesById = Map<NodeId, NodeRecord>

/**
 * Enqueues reads of nodes, each once, and returns a function that adds those that exist to the known nodes.
 */
const enqueueNodes = (
  roundTrip: RoundTrip,
  keys: RedisKeys,
  nodeIds: Iterable<NodeId>,
): ((nodes: NodesById) => void) => {
  const ids = [...new Set(nodeIds)]
  const readTexts = roundTrip.enqueueTexts(ids.map(id => keys.node(id)))
  return nodes => {
    for (const node of decodeNodes(ids, readTexts())) if (node !== undefined) nodes.set(node.id, node)
  }
}

/**
 * Executes a read request in one round trip, and a second one for the edges of its ranges: their data, and
 * their targets. If an edge with data was written in between, the range is read again atomically with its
 * data, and then its new targets.
 */
export const executeRead = async (
  sender: CommandSender,
  keys: RedisKeys,
  request: StoreReadRequest,
  options: StoreReadOptions,
): Promise<StoreReadResult> => {
  const roundTrip = new RoundTrip(sender)
  const addNodes = enqueueNodes(roundTrip, keys, request.nodes)
  const readTokens = roundTrip.enqueueTexts(request.tokens.map(digest => keys.token(digest)))
  const readChecks = enqueueChecks(roundTrip, keys, request.checks)
  const pageReaders = request.ranges.map(range => enqueueRange(roundTrip, keys, range))
  await roundTrip.send()

  const nodes: NodesById = new Map()
  addNodes(nodes)
  const pages = pageReaders.map(readPage => readPage())
  const rangeResults = pages.length === 0 ? [] : await readRangeResults(sender, keys, pages, nodes, options)
  return {
    nodes: request.nodes.map(id => nodes.get(id)),
    ranges: rangeResults,
    checks: readChecks(),
    tokens: readTokens().map(text => (typeof text === 'string' ? decodeToken(text) : undefined)),
  }
}

/**
 * Reads the data of edges, and their targets, which it adds to the known nodes. Skipped if nobody waits any
 * more.
 */
const readRangeResults = async (
  sender: CommandSender,
  keys: RedisKeys,
  pages: readonly RangePage[],
  nodes: NodesById,
  options: StoreReadOptions,
): Promise<readonly RangeResult[]> => {
  assertInTime(options)
  const roundTrip = new RoundTrip(sender)
  const missingIds: NodeId[] = []
  for (const { rows } of pages) for (const { target } of rows) if (!nodes.has(target)) missingIds.push(target)
  const addNodes = enqueueNodes(roundTrip, keys, missingIds)
  const pageReaders = pages.map(page => enqueueData(roundTrip, keys, page))
  await roundTrip.send()
  addNodes(nodes)
  const readPages = pageReaders.map(readPage => readPage())
  if (readPages.every(isComplete)) return readPages.map(page => toRangeResult(page, nodes))
  return readRangeResults(
    sender,
    keys,
    await readCompletePages(sender, keys, readPages, options),
    nodes,
    options,
  )
}

/** Reads those pages again in which an edge was written between two round trips. */
const readCompletePages = async (
  sender: CommandSender,
  keys: RedisKeys,
  pages: readonly RangePage[],
  options: StoreReadOptions,
): Promise<readonly CompletePage[]> => {
  assertInTime(options)
  const roundTrip = new RoundTrip(sender)
  const pageReaders = pages.map(page =>
    isComplete(page) ? () => page : enqueueRangeWithData(roundTrip, keys, page.range),
  )
  await roundTrip.send()
  return pageReaders.map(readPage => readPage())
}
