import type { NodeId } from '../../base/ids.ts'
import type { EdgePosition, EdgeRange, StoreReadRequest, StoreReadResult } from '../../store/contract.ts'
import { isDerivedList } from '../../store/derived-entries.ts'
import { EMPTY_REQUEST } from '../../store/requests.ts'
import { divideIntoPages, RECORDS_PER_SIZE_READ, toDumpLine } from '../dump-lines.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand, parseListReply } from './commands.ts'
import { hasDataSuffix, parseMember, withoutDataSuffix } from './encoding.ts'
import type { KeyspaceScanner } from './keyspace-scan.ts'
import type { RedisKeys } from './redis-keys.ts'
import { RoundTrip } from './round-trip.ts'

/** The maximum number of lists in one read. */
const LISTS_PER_READ = 100

/** Reads the sizes of records with commands, and the records with read requests. */
export type DumpReader = {
  readonly sender: CommandSender
  readonly keys: RedisKeys
  readonly read: (request: StoreReadRequest) => Promise<StoreReadResult>
}

async function* readNodeLines(reader: DumpReader, ids: readonly NodeId[]): AsyncGenerator<string> {
  for (let start = 0; start < ids.length; start += RECORDS_PER_SIZE_READ) {
    const sizedIds = ids.slice(start, start + RECORDS_PER_SIZE_READ)
    let pageStart = 0
    for (const count of divideIntoPages(await readNodeSizes(reader, sizedIds))) {
      const pageIds = sizedIds.slice(pageStart, pageStart + count)
      const { nodes } = await reader.read({ ...EMPTY_REQUEST, nodes: pageIds })
      for (const node of nodes) if (node !== undefined) yield toDumpLine({ node })
      pageStart += count
    }
  }
}

/** Reads the sizes of nodes in bytes; 0 for a missing node. */
const readNodeSizes = async (
  { sender, keys }: DumpReader,
  ids: readonly NodeId[],
): Promise<readonly number[]> => {
  const roundTrip = new RoundTrip(sender)
  const replies = ids.map(id => roundTrip.enqueue(createCommand('strlen', keys.node(id))))
  await roundTrip.send()
  return replies.map(reply => Number(reply()))
}

/** A list, and how far it has been read. */
type ListProgress = Pick<EdgeRange, 'source' | 'name'> & {
  lastExamined: EdgePosition | undefined
  examinedCount: number
  hasMore: boolean
}

/** The size of an edge in bytes: of its data and of its target, because the result of a read contains both. */
type SizedEdge = { readonly list: ListProgress; readonly size: number }

async function* readEdgeLines(reader: DumpReader, lists: readonly ListProgress[]): AsyncGenerator<string> {
  let remainingLists = lists
  while (remainingLists.length > 0) {
    const listsToRead = remainingLists.slice(0, LISTS_PER_READ)
    const edges = await readEdgeSizes(reader, listsToRead)
    let pageStart = 0
    for (const count of divideIntoPages(edges.map(({ size }) => size))) {
      yield* readEdgePage(reader, edges.slice(pageStart, pageStart + count))
      pageStart += count
    }
    const unfinishedLists = listsToRead.filter(({ hasMore }) => hasMore)
    remainingLists = [...unfinishedLists, ...remainingLists.slice(LISTS_PER_READ)]
  }
}

async function* readEdgePage({ read }: DumpReader, edges: readonly SizedEdge[]): AsyncGenerator<string> {
  const limits = new Map<ListProgress, number>()
  for (const { list } of edges) limits.set(list, (limits.get(list) ?? 0) + 1)
  const ranges = Array.from(limits, ([list, limit]) => toRange(list, limit))
  const result = await read({ ...EMPTY_REQUEST, ranges })
  for (const [index, list] of [...limits.keys()].entries()) {
    const { source, name } = list
    const rangeResult = result.ranges[index]
    for (const { target, time, data } of rangeResult?.entries ?? [])
      yield toDumpLine({ edge: { source, name, target, time, data } })
    list.lastExamined = rangeResult?.lastExamined ?? list.lastExamined
    list.examinedCount += limits.get(list) ?? 0
    list.hasMore = rangeResult?.hasMore ?? false
  }
}

const toRange = ({ source, name, lastExamined }: ListProgress, limit: number): EdgeRange => ({
  source,
  name,
  from: lastExamined,
  direction: 'oldest',
  minTime: undefined,
  maxTime: undefined,
  limit,
  count: false,
})

/**
 * Reads the sizes of the next edges of each list, list by list. A write can shift the edges of a list before
 * they are read, so the sizes limit only the memory of a page. Each list has at least one size, because only
 * a read shows that a list has ended.
 */
const readEdgeSizes = async (
  reader: DumpReader,
  lists: readonly ListProgress[],
): Promise<readonly SizedEdge[]> => {
  const { sender, keys } = reader
  const memberLists = await readMembers(reader, lists)
  const roundTrip = new RoundTrip(sender)
  const targetSizes = roundTrip.enqueueEach(memberLists.flat().map(parseMember), id =>
    createCommand('strlen', keys.node(id)),
  )
  const dataSizes = lists.map(({ source, name }, index) =>
    roundTrip.enqueueEach((memberLists[index] ?? []).filter(hasDataSuffix), member =>
      createCommand('hstrlen', keys.edgeData(source, name), withoutDataSuffix(member)),
    ),
  )
  await roundTrip.send()
  return lists.flatMap((list, index) => {
    const sizes = (memberLists[index] ?? []).map(
      member =>
        Number(targetSizes.get(parseMember(member))?.()) + Number(dataSizes[index]?.get(member)?.() ?? 0),
    )
    return (sizes.length === 0 ? [0] : sizes).map(size => ({ list, size }))
  })
}

/** Reads the members of the next edges of each list. */
const readMembers = async (
  { sender, keys }: DumpReader,
  lists: readonly ListProgress[],
): Promise<readonly (readonly string[])[]> => {
  const roundTrip = new RoundTrip(sender)
  const limit = Math.ceil(RECORDS_PER_SIZE_READ / lists.length)
  const replies = lists.map(({ source, name, examinedCount }) => {
    const [first, last] = [examinedCount, examinedCount + limit - 1]
    return roundTrip.enqueue(createCommand('zrange', keys.list(source, name), `${first}`, `${last}`))
  })
  await roundTrip.send()
  return replies.map(reply => parseListReply(reply()).map(String))
}

/**
 * Generates all nodes, then all edges, as lines of NDJSON. Reads pages of limited size, whatever the size of
 * the records.
 */
export async function* dumpLines(scanner: KeyspaceScanner, reader: DumpReader): AsyncGenerator<string> {
  for await (const parsedKeys of scanner.scan('n'))
    yield* readNodeLines(
      reader,
      parsedKeys.map(({ id }) => id),
    )
  for await (const parsedKeys of scanner.scan('e'))
    yield* readEdgeLines(
      reader,
      parsedKeys.flatMap(({ id, suffix }) =>
        isDerivedList({ source: id, name: suffix })
          ? []
          : { source: id, name: suffix, lastExamined: undefined, examinedCount: 0, hasMore: true },
      ),
    )
}
