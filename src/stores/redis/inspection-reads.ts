import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey, NodeRecord } from '../../store/contract.ts'
import type { InspectedEdge } from '../../store/inspection.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand, parseListReply } from './commands.ts'
import { GENERATION_BYTES, type Generation, parseGeneration, toMember, toMemberWithData } from './encoding.ts'
import { TYPE_BYTES } from './id-state.ts'
import type { ParsedKey } from './keyspace-scan.ts'
import type { RedisKeys } from './redis-keys.ts'
import { RoundTrip } from './round-trip.ts'
import { parseData, parseNode, parseRecordType } from './stored-json.ts'

/** An existing node: its type, which is empty if the record is damaged, and its generation. */
export type NodeInfo = { readonly type: string; readonly generation: Generation }

/** Reads the types and generations of nodes. A missing node is not in the result. */
export const readNodeInfos = async (
  sender: CommandSender,
  keys: RedisKeys,
  ids: Iterable<NodeId>,
): Promise<ReadonlyMap<NodeId, NodeInfo>> => {
  const distinctIds = [...new Set(ids)]
  const replies = await sender.send(
    distinctIds.flatMap(id => [
      createCommand('getrange', keys.node(id), '0', `${TYPE_BYTES - 1}`),
      createCommand('getrange', keys.node(id), `${-GENERATION_BYTES}`, '-1'),
    ]),
  )
  const infos = new Map<NodeId, NodeInfo>()
  for (const [index, id] of distinctIds.entries()) {
    const [start, end] = [String(replies[2 * index]), String(replies[2 * index + 1])]
    if (start !== '') infos.set(id, { type: parseRecordType(start), generation: parseGeneration(end) })
  }
  return infos
}

/** A node that exists. `node` is undefined if its record is damaged. */
export type StoredNode = { readonly id: NodeId; readonly node: NodeRecord | undefined }

/** Reads nodes whose records may be damaged. A missing node is not in the result. */
export const readStoredNodes = async (
  sender: CommandSender,
  keys: RedisKeys,
  ids: readonly NodeId[],
): Promise<readonly StoredNode[]> => {
  const roundTrip = new RoundTrip(sender)
  const readTexts = roundTrip.enqueueTexts(ids.map(id => keys.node(id)))
  await roundTrip.send()
  const texts = readTexts()
  return ids.flatMap((id, index) => {
    const text = texts[index]
    return typeof text === 'string' ? { id, node: parseNode(id, text) } : []
  })
}

/** Reads edges between existing nodes. Both ends and the edge are not read at one moment. */
export const readStoredEdges = async (
  sender: CommandSender,
  keys: RedisKeys,
  edgeKeys: readonly EdgeKey[],
): Promise<readonly (InspectedEdge | undefined)[]> => {
  const infos = await readNodeInfos(
    sender,
    keys,
    edgeKeys.flatMap(({ source, target }) => [source, target]),
  )
  const replies = await sender.send(
    edgeKeys.flatMap(({ source, name, target }) => {
      const member = toMember(target, infos.get(target)?.generation)
      return [
        createCommand('zmscore', keys.list(source, name), member, toMemberWithData(member)),
        createCommand('hget', keys.edgeData(source, name), member),
      ]
    }),
  )
  return edgeKeys.map(({ source, name, target }, index) => {
    const [plain, marked] = parseListReply(replies[2 * index])
    const [sourceType, targetType] = [infos.get(source)?.type, infos.get(target)?.type]
    const score = marked ?? plain
    if (score === null || score === undefined || sourceType === undefined || targetType === undefined)
      return undefined
    const data = marked === null ? undefined : parseData(String(replies[2 * index + 1] ?? ''))?.[1]
    return { source, name, target, time: Number(score), data, sourceType, targetType }
  })
}

/** The numbers of lists and of entries of each list that are read at once. */
const LISTS_PER_READ = 20
const ENTRIES_PER_READ = 100

/** A list or set, and the position from which its next entries are read. */
type UnreadKey = ParsedKey & { readonly cursor: string }

/** The texts of one list or set: entries, or entries and their scores in turn. */
export type ReadTexts = ParsedKey & { readonly texts: readonly string[] }

/** Reads the entries of lists or sets, some of each at a time. */
export async function* scanEntries(
  sender: CommandSender,
  command: 'zscan' | 'sscan',
  parsedKeys: readonly ParsedKey[],
  toKey: (key: ParsedKey) => string,
): AsyncGenerator<readonly ReadTexts[]> {
  let unread: readonly UnreadKey[] = parsedKeys.map(key => ({ ...key, cursor: '0' }))
  while (unread.length > 0) {
    const part = unread.slice(0, LISTS_PER_READ)
    const replies = await sender.send(
      part.map(key => createCommand(command, toKey(key), key.cursor, 'count', `${ENTRIES_PER_READ}`)),
    )
    const pages = part.map((key, index) => {
      const [cursor, texts] = parseListReply(replies[index])
      return { ...key, cursor: String(cursor), texts: parseListReply(texts).map(String) }
    })
    yield pages
    unread = [...pages.filter(({ cursor }) => cursor !== '0'), ...unread.slice(LISTS_PER_READ)]
  }
}
