import type { Awaitable } from '../../base/awaitable.ts'
import type { NodeId } from '../../base/ids.ts'
import type {
  EdgeKey,
  RangeResult,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
} from '../../store/contract.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import { assertDigest } from '../../store/token-record.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand, parseListReply } from './commands.ts'
import {
  decodeNodes,
  decodeToken,
  GENERATION_BYTES,
  type Generation,
  parseGeneration,
  type RedisKeys,
  toMember,
  toMemberWithData,
} from './encoding.ts'
import {
  type CompletePage,
  enqueueData,
  enqueueRange,
  enqueueRangeWithData,
  FoundNodes,
  isComplete,
  type RangePage,
  toRangeResult,
} from './range.ts'
import { RoundTrip } from './round-trip.ts'

/** The member of a list that an edge would have. */
type Lookup = { readonly list: string; readonly member: string }

/**
 * Enqueues lookups of edges, with one command for each list. The result is available after the round trip.
 */
const enqueueLookups = (roundTrip: RoundTrip, lookups: readonly Lookup[]): ((lookup: Lookup) => boolean) => {
  const membersByList = new Map<string, Set<string>>()
  for (const { list, member } of lookups) {
    const members = membersByList.get(list) ?? new Set()
    membersByList.set(list, members.add(member).add(toMemberWithData(member)))
  }
  const readFoundMembers = [...membersByList].map(([list, members]) => {
    const texts = [...members]
    const readReply = roundTrip.enqueue(createCommand('zmscore', list, ...texts))
    return () => {
      const scores = parseListReply(readReply())
      return [list, new Set(texts.filter((_, index) => scores[index] !== null))] as const
    }
  })
  let foundMembers: ReadonlyMap<string, ReadonlySet<string>> | undefined
  return ({ list, member }) => {
    foundMembers ??= new Map(readFoundMembers.map(read => read()))
    const found = foundMembers.get(list)
    return found !== undefined && (found.has(member) || found.has(toMemberWithData(member)))
  }
}

/**
 * Enqueues checks. An edge exists only if its target exists too, because edges to a deleted node may not have
 * been purged yet. The returned function reads the edges to nodes that were deleted before in a second round
 * trip, because only the record of such a node contains the generation that its edges need.
 */
const enqueueChecks = (
  sender: CommandSender,
  roundTrip: RoundTrip,
  keys: RedisKeys,
  checks: readonly EdgeKey[],
): (() => Awaitable<readonly boolean[]>) => {
  const toLookup = ({ source, name, target }: EdgeKey, generation: Generation): Lookup => ({
    list: keys.list(source, name),
    member: toMember(target, generation),
  })
  const isFound = enqueueLookups(
    roundTrip,
    checks.map(check => toLookup(check, '')),
  )
  const recordEnds = roundTrip.enqueueEach(
    checks.map(({ target }) => target),
    id => createCommand('getrange', keys.node(id), `${-GENERATION_BYTES}`, '-1'),
  )
  return () => {
    const ends = checks.map(({ target }) => String(recordEnds.get(target)?.() ?? ''))
    const later = checks.map((check, index) => toLookup(check, parseGeneration(ends[index] ?? '')))
    const results = checks.map((check, index) => ends[index] !== '' && isFound(toLookup(check, '')))
    const isOfLaterGeneration = (index: number) => parseGeneration(ends[index] ?? '') !== ''
    if (!ends.some((_, index) => isOfLaterGeneration(index))) return results
    const secondRoundTrip = new RoundTrip(sender)
    const isFoundLater = enqueueLookups(
      secondRoundTrip,
      later.filter((_, index) => isOfLaterGeneration(index)),
    )
    return secondRoundTrip.send().then(() =>
      results.map((result, index) => {
        const lookup = later[index]
        return isOfLaterGeneration(index) && lookup !== undefined ? isFoundLater(lookup) : result
      }),
    )
  }
}

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
  const readChecks = enqueueChecks(sender, roundTrip, keys, request.checks)
  const pageReaders = request.ranges.map(range => enqueueRange(roundTrip, keys, range))
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
