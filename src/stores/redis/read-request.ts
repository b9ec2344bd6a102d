import type { NodeId } from '../../base/ids.ts'
import type {
  EdgeKey,
  NodeRecord,
  RangeResult,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
} from '../../store/contract.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import { assertDigest } from '../../store/token-record.ts'
import { type CommandSender, createCommand, parseListReply } from './command-sender.ts'
import { decodeNodes, decodeToken, type RedisKeys, toMember, toMemberWithData } from './encoding.ts'
import {
  type CompletePage,
  enqueueData,
  enqueueRange,
  enqueueRangeWithData,
  isComplete,
  type RangePage,
  toRangeResult,
} from './range.ts'
import { RoundTrip } from './round-trip.ts'

/** Returns the members to look up, without duplicates, by the key of their list. */
const groupMembersByList = (
  keys: RedisKeys,
  checks: readonly EdgeKey[],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const lists = new Map<string, Set<string>>()
  for (const { source, name, target } of checks) {
    const key = keys.list(source, name)
    const members = lists.get(key) ?? new Set()
    lists.set(key, members.add(toMember(target)).add(toMemberWithData(target)))
  }
  return lists
}

/**
 * Enqueues checks, with one command for each list. The results are available after the round trip. An edge
 * exists only if its target exists too, because edges to a deleted node may not have been purged yet.
 */
const enqueueChecks = (
  roundTrip: RoundTrip,
  keys: RedisKeys,
  checks: readonly EdgeKey[],
): (() => readonly boolean[]) => {
  if (checks.length === 0) return () => []
  const lookups = [...groupMembersByList(keys, checks)].map(([key, members]) => {
    const texts = [...members]
    return { key, texts, readReply: roundTrip.enqueue(createCommand('zmscore', key, ...texts)) }
  })
  const targetReplies = roundTrip.enqueueEach(
    checks.map(({ target }) => target),
    id => createCommand('exists', keys.node(id)),
  )
  return () => {
    const foundMembersByList = new Map(
      lookups.map(({ key, texts, readReply }) => {
        const scores = parseListReply(readReply())
        return [key, new Set(texts.filter((_, index) => scores[index] !== null))] as const
      }),
    )
    return checks.map(({ source, name, target }) => {
      const members = foundMembersByList.get(keys.list(source, name))
      const isListed = members?.has(toMember(target)) || members?.has(toMemberWithData(target))
      return isListed === true && Number(targetReplies.get(target)?.()) === 1
    })
  }
}

type NodesById = Map<NodeId, NodeRecord>

/** Enqueues reads of nodes, without duplicates. Returns a function that adds the existing nodes to a map. */
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
 * Executes a read request in one round trip, and a second one for the data and the targets of the edges of
 * its ranges. If an edge with data was written in between, its range is read again, atomically with the data,
 * and then the new targets are read.
 */
export const executeRead = async (
  sender: CommandSender,
  keys: RedisKeys,
  request: StoreReadRequest,
  options: StoreReadOptions,
): Promise<StoreReadResult> => {
  for (const digest of request.tokens) assertDigest('store.read', digest)
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
 * Reads the data of edges, and their targets, which it adds to `nodes`. Throws if the read is aborted or its
 * deadline has passed.
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
