import type { NodeId } from '../../base/ids.ts'
import type { EdgeRange, StoreReadRequest, StoreReadResult } from '../../store/contract.ts'
import { EMPTY_REQUEST } from '../../store/requests.ts'
import { toDumpLine } from '../dump/dump-line.ts'
import type { RedisClient } from './redis-client.ts'
import { scanKeys } from './scan.ts'

/** The number of lists that are read at once, and of edges from all of them: few enough for memory. */
const LISTS_PER_READ = 100
const EDGES_PER_READ = 1000

type ExecuteRead = (request: StoreReadRequest) => Promise<StoreReadResult>

/** A list, and the position after which it is still to be read. */
type UnreadList = Pick<EdgeRange, 'source' | 'name' | 'from'>

const toRange = (list: UnreadList, limit: number): EdgeRange => ({
  ...list,
  direction: 'oldest',
  minTime: undefined,
  maxTime: undefined,
  limit,
  count: false,
})

async function* readNodeLines(read: ExecuteRead, ids: readonly NodeId[]): AsyncGenerator<string> {
  const { nodes } = await read({ ...EMPTY_REQUEST, nodes: ids })
  for (const node of nodes) if (node !== undefined) yield toDumpLine({ node })
}

async function* readEdgeLines(read: ExecuteRead, lists: readonly UnreadList[]): AsyncGenerator<string> {
  let remainingLists = lists
  while (remainingLists.length > 0) {
    const listsToRead = remainingLists.slice(0, LISTS_PER_READ)
    const limit = Math.ceil(EDGES_PER_READ / listsToRead.length)
    const result = await read({ ...EMPTY_REQUEST, ranges: listsToRead.map(list => toRange(list, limit)) })
    const unfinishedLists: UnreadList[] = []
    for (const [index, { source, name }] of listsToRead.entries()) {
      const rangeResult = result.ranges[index]
      for (const { target, time, data } of rangeResult?.entries ?? [])
        yield toDumpLine({ edge: { source, name, target, time, data } })
      if (rangeResult?.hasMore) unfinishedLists.push({ source, name, from: rangeResult.lastExamined })
    }
    remainingLists = [...unfinishedLists, ...remainingLists.slice(LISTS_PER_READ)]
  }
}

/**
 * Generates all nodes, then all edges, as lines of NDJSON. Keys are found on each master; records are read by
 * read requests.
 */
export async function* dumpLines(
  client: RedisClient,
  prefix: string,
  read: ExecuteRead,
): AsyncGenerator<string> {
  for await (const parsedKeys of scanKeys(client, prefix, 'n'))
    yield* readNodeLines(
      read,
      parsedKeys.map(({ id }) => id),
    )
  for await (const parsedKeys of scanKeys(client, prefix, 'e'))
    yield* readEdgeLines(
      read,
      parsedKeys.map(({ id, suffix }) => ({ source: id, name: suffix, from: undefined })),
    )
}
