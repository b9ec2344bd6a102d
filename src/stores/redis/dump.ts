import type { NodeId } from '../../base/ids.ts'
import type { EdgeRange, StoreReadRequest, StoreReadResult } from '../../store/contract.ts'
import { EMPTY_REQUEST } from '../../store/requests.ts'
import { toDumpLine } from '../dump-lines.ts'
import { parseListReply, type RedisClient } from './command-sender.ts'

/** The number of keys that the server examines for one `scan`. */
const SCAN_COUNT = 1000

/**
 * The parts of a key: its id, and the text after the letter for its kind. For a list, that text is the name
 * of its edges.
 */
type ParsedKey = { readonly id: NodeId; readonly suffix: string }

/** Escapes text for a pattern of `scan`. */
const escapePattern = (text: string): string => text.replaceAll(/[\\*?[\]]/g, '\\$&')

/**
 * Generates pages of the keys of one kind, master by master. The pattern can match other keys too, so the
 * keys are filtered again.
 */
async function* scanKeys(
  client: RedisClient,
  prefix: string,
  kind: string,
): AsyncGenerator<readonly ParsedKey[]> {
  // A client adds its own prefix to keys, but not to patterns, and does not remove it from replies.
  const fullPrefix = `${client.options?.keyPrefix ?? ''}${prefix}`
  const pattern = `${escapePattern(fullPrefix)}{*}${kind}*`
  const parseKey = (key: string): ParsedKey | undefined => {
    const [, id, kindAndSuffix] = /^\{(\d+)\}(.*)$/s.exec(key.slice(fullPrefix.length)) ?? []
    return id !== undefined && kindAndSuffix?.startsWith(kind)
      ? { id, suffix: kindAndSuffix.slice(kind.length) }
      : undefined
  }
  for (const master of client.nodes?.('master') ?? [client]) {
    let cursor = '0'
    do {
      const reply = await master.call('scan', [cursor, 'match', pattern, 'count', `${SCAN_COUNT}`])
      const [next, keys] = parseListReply(reply)
      yield parseListReply(keys).flatMap(key => parseKey(String(key)) ?? [])
      cursor = String(next)
    } while (cursor !== '0')
  }
}

/**
 * The maximum number of lists in one read, and the number of edges to read from all of them. They limit the
 * memory of a dump.
 */
const LISTS_PER_READ = 100
const EDGES_PER_READ = 1000

type ExecuteRead = (request: StoreReadRequest) => Promise<StoreReadResult>

/** A list, and the position after which its edges have not been read yet. */
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
 * Generates all nodes, then all edges, as lines of NDJSON. Scans each master for keys, and reads their
 * records with read requests.
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
