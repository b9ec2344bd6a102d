import type { NodeId } from '../../base/ids.ts'
import type {
  EdgeKey,
  NodeRecord,
  RangeResult,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
} from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import { assertDigest } from '../../store/token-record.ts'
import { enqueueChecks } from './checks.ts'
import { enqueueCollectionRange, enqueueRequiredEntries } from './collection-range.ts'
import type { CommandSender } from './command-sender.ts'
import type { EmptyStore } from './empty-store.ts'
import { decodeNodes, decodeToken, parseGeneration } from './encoding.ts'
import {
  type CompletePage,
  enqueueData,
  enqueueRange,
  enqueueRangeWithData,
  FoundNodes,
  isComplete,
  type ListRow,
  type RangePage,
  toRangeResult,
} from './range.ts'
import type { RedisKeys } from './redis-keys.ts'
import { RoundTrip } from './round-trip.ts'
import { readShards, type Shards } from './shards.ts'

/** Enqueues reads of nodes, without duplicates. Returns a function that adds the existing nodes. */
const enqueueNodes = (
  roundTrip: RoundTrip,
  keys: RedisKeys,
  nodeIds: Iterable<NodeId>,
): ((nodes: FoundNodes) => void) => {
  const ids = [...new Set(nodeIds)]
  const readTexts = roundTrip.enqueueTexts(ids.map(id => keys.node(id)))
  return nodes => {
    const texts = readTexts()
    for (const [index, node] of decodeNodes(ids, texts).entries())
      if (node !== undefined) nodes.add(node, parseGeneration(String(texts[index])))
  }
}

/** The dependencies of reads. */
export type ReadContext = {
  readonly sender: CommandSender
  readonly keys: RedisKeys
  readonly emptyStore: EmptyStore
}

/** Enqueues reads of completion flags. All flags of a store without nodes are set. */
const enqueueFlags = (
  { keys, emptyStore }: ReadContext,
  roundTrip: RoundTrip,
  { flags }: StoreReadRequest,
  options: StoreReadOptions,
): (() => Promise<readonly boolean[] | undefined>) => {
  if (flags === undefined || flags.length === 0) return async () => flags && []
  const readTexts = roundTrip.enqueueTexts([...flags.map(({ name }) => keys.flag(name)), keys.knownNode()])
  return async () => {
    const texts = readTexts()
    const results = flags.map(({ value }, index) => texts[index] === value)
    if (results.every(isSet => isSet)) return results
    const isEmpty = await emptyStore.isEmpty(String(texts[flags.length] ?? ''), options)
    return isEmpty ? flags.map(() => true) : results
  }
}

const NO_SHARDS: Shards = []

const isOfCollection = ({ source }: Pick<EdgeKey, 'source'>): boolean => source === ROOT_ID

/**
 * Executes a read request in one round trip, and a second one for the data and the targets of the edges of
 * its ranges. If an edge with data was written in between, its range is read again, atomically with the data,
 * and then the new targets are read.
 */
export const executeRead = async (
  context: ReadContext,
  request: StoreReadRequest,
  options: StoreReadOptions,
): Promise<StoreReadResult> => {
  const { sender, keys } = context
  for (const digest of request.tokens) assertDigest('store.read', digest)
  const hasCollections = request.ranges.some(isOfCollection) || request.checks.some(isOfCollection)
  const shards = hasCollections ? await readShards(sender, keys) : NO_SHARDS
  const roundTrip = new RoundTrip(sender)
  const addNodes = enqueueNodes(roundTrip, keys, request.nodes)
  const readFlags = enqueueFlags(context, roundTrip, request, options)
  const readTokens = roundTrip.enqueueTexts(request.tokens.map(digest => keys.token(digest)))
  const readChecks = enqueueChecks(sender, roundTrip, keys, shards, request.checks)
  const pageReaders = request.ranges.map(range =>
    isOfCollection(range)
      ? enqueueCollectionRange(roundTrip, keys, shards, range)
      : enqueueRange(roundTrip, keys, range),
  )
  await roundTrip.send()

  const nodes = new FoundNodes()
  addNodes(nodes)
  const pages = pageReaders.map(readPage => readPage())
  const rangeResults = pages.length === 0 ? [] : await readRangeResults(sender, keys, pages, nodes, options)
  return {
    nodes: request.nodes.map(id => nodes.get(id)),
    ranges: rangeResults,
    checks: await readChecks(),
    tokens: readTokens().map(text => (typeof text === 'string' ? decodeToken(text) : undefined)),
    ...(request.flags && { flags: await readFlags() }),
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
  nodes: FoundNodes,
  options: StoreReadOptions,
): Promise<readonly RangeResult[]> => {
  assertInTime(options)
  const roundTrip = new RoundTrip(sender)
  const missingIds: NodeId[] = []
  for (const { rows } of pages)
    for (const { target } of rows) if (nodes.get(target) === undefined) missingIds.push(target)
  const addNodes = enqueueNodes(roundTrip, keys, missingIds)
  const isRequired = enqueueRequiredEntries(roundTrip, keys, pages)
  const pageReaders = pages.map(page => enqueueData(roundTrip, keys, page))
  await roundTrip.send()
  addNodes(nodes)
  const readPages = pageReaders.map(readPage => readPage())
  const findTarget = (page: RangePage, row: ListRow): NodeRecord | undefined => {
    if (!isOfCollection(page.range)) return nodes.findTarget(row)
    return isRequired(page, row, nodes) ? nodes.get(row.target) : undefined
  }
  if (readPages.every(isComplete))
    return readPages.map(page => toRangeResult(page, row => findTarget(page, row)))
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
