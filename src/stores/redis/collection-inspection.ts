import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import type { Finding, InspectedEdge } from '../../store/inspection.ts'
import { wait } from '../wait.ts'
import {
  completeEntries,
  parseEntrySuffix,
  parseEntryText,
  removeEntry,
  toEntrySuffix,
} from './collection-entries.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand } from './commands.ts'
import { parseMember, toMember } from './encoding.ts'
import { type IdState, readIdState } from './id-state.ts'
import { type NodeInfo, readNodeInfos, readStoredEdges } from './inspection-reads.ts'
import type { RedisKeys } from './redis-keys.ts'
import { readShards, shardOf } from './shards.ts'

/** The entry of a node in a collection as the node requires it. */
type RequiredEntry = {
  readonly info: NodeInfo | undefined
  /** The member of the entry in its shard; undefined if the collection must not contain the node. */
  readonly member: string | undefined
  readonly time: number
}

type EntryKey = Pick<EdgeKey, 'name' | 'target'>

const readRequiredEntries = async (
  sender: CommandSender,
  keys: RedisKeys,
  entryKeys: readonly EntryKey[],
): Promise<readonly RequiredEntry[]> => {
  const infos = await readNodeInfos(
    sender,
    keys,
    entryKeys.map(({ target }) => target),
  )
  const texts = await sender.send(
    entryKeys.map(({ name, target }) => createCommand('hget', keys.entries(target), name)),
  )
  return entryKeys.map(({ target }, index) => {
    const [info, { number, time }] = [infos.get(target), parseEntryText(String(texts[index] ?? ''))]
    const suffix = toEntrySuffix({ generation: info?.generation ?? '', number })
    const isRequired = info !== undefined && time !== ''
    return { info, member: isRequired ? toMember(target) + suffix : undefined, time: Number(time) }
  })
}

const readScores = async (
  sender: CommandSender,
  keys: RedisKeys,
  rows: readonly { readonly name: string; readonly target: NodeId; readonly member: string }[],
): Promise<readonly unknown[]> => {
  const shards = await readShards(sender, keys)
  return sender.send(
    rows.map(({ name, target, member }) =>
      createCommand('zscore', keys.shardList(shardOf(shards, target), name), member),
    ),
  )
}

/** Whether a recovery note names the entry of a node in a collection. */
const isNamed = ({ notes }: IdState, collection: string): boolean =>
  notes.some(({ collections }) => collections.includes(collection))

const readStateWithNotes = (sender: CommandSender, keys: RedisKeys, id: NodeId): Promise<IdState> =>
  readIdState(sender, keys, id, { notesAbout: { member: '', age: 'all' } })

/**
 * Reads the entries of collections as reads return them. An entry that its shard lacks is returned too if a recovery
 * note names it, because its writer or a recovery writes it.
 */
const readCollectionEntries = async (
  sender: CommandSender,
  keys: RedisKeys,
  entryKeys: readonly EntryKey[],
): Promise<readonly (InspectedEdge | undefined)[]> => {
  const required = await readRequiredEntries(sender, keys, entryKeys)
  const rows = entryKeys.map((key, index) => ({ ...key, member: required[index]?.member ?? '' }))
  const scores = await readScores(sender, keys, rows)
  return Promise.all(
    rows.map(async ({ name, target, member }, index) => {
      const { info, time = 0 } = required[index] ?? {}
      if (member === '') return undefined
      const isWritten =
        scores[index] !== null || isNamed(await readStateWithNotes(sender, keys, target), name)
      const types = { sourceType: undefined, targetType: info?.type }
      return isWritten ? { source: ROOT_ID, name, target, time, data: undefined, ...types } : undefined
    }),
  )
}

/** Reads edges between existing nodes, and entries of collections. */
export const readEdgesAndEntries = async (
  sender: CommandSender,
  keys: RedisKeys,
  edgeKeys: readonly EdgeKey[],
): Promise<readonly (InspectedEdge | undefined)[]> => {
  const isEntry = ({ source }: EdgeKey): boolean => source === ROOT_ID
  const entries = await readCollectionEntries(sender, keys, edgeKeys.filter(isEntry))
  const edges = await readStoredEdges(
    sender,
    keys,
    edgeKeys.filter(key => !isEntry(key)),
  )
  const [nextEntry, nextEdge] = [entries.values(), edges.values()]
  return edgeKeys.map(key => (isEntry(key) ? nextEntry : nextEdge).next().value)
}

/** An entry of a collection in its shard. `text` is its member. */
type ShardRow = { readonly name: string; readonly text: string; readonly time: number }

/** An entry that its node does not require. Reads hide it, but the count of the collection includes it. */
type StaleRow = EntryKey & { readonly member: string }

/** Returns the rows that exist, that their nodes do not require, and that no unfinished write explains. */
const findStaleRows = async (
  sender: CommandSender,
  keys: RedisKeys,
  rows: readonly StaleRow[],
): Promise<readonly (StaleRow & { readonly hasNode: boolean })[]> => {
  const required = await readRequiredEntries(sender, keys, rows)
  const scores = await readScores(sender, keys, rows)
  const states = await Promise.all(rows.map(({ target }) => readStateWithNotes(sender, keys, target)))
  return rows.flatMap((row, index) => {
    const [state, entry] = [states[index], required[index]]
    if (state === undefined || entry === undefined || scores[index] === null) return []
    if (entry.member === row.member || state.purges.length > 0 || isNamed(state, row.name)) return []
    return { ...row, hasNode: state.generation !== undefined }
  })
}

/** The waits before each look at a row that seems stale, in milliseconds. */
const WAITS_MS = [0, 50, 250]

/**
 * Returns the entries of rows of a shard as reads return them, and the rows that reads hide.
 */
export const inspectShardRows = async (
  sender: CommandSender,
  keys: RedisKeys,
  rows: readonly ShardRow[],
): Promise<{ readonly edges: readonly InspectedEdge[]; readonly findings: readonly Finding[] }> => {
  const keyed = rows.map(({ text, ...row }) => ({ ...row, member: text, target: parseMember(text) }))
  const required = await readRequiredEntries(sender, keys, keyed)
  const edges = keyed.flatMap(({ name, target, member, time }, index): readonly InspectedEdge[] => {
    const { info, member: requiredMember } = required[index] ?? {}
    const types = { sourceType: undefined, targetType: info?.type }
    return requiredMember === member
      ? [{ source: ROOT_ID, name, target, time, data: undefined, ...types }]
      : []
  })
  let suspects: readonly StaleRow[] = keyed.filter((row, index) => required[index]?.member !== row.member)
  let findings: readonly Finding[] = []
  for (const waitMs of WAITS_MS) {
    if (suspects.length === 0) return { edges, findings: [] }
    if (waitMs > 0) await wait(waitMs)
    const stale = await findStaleRows(sender, keys, suspects)
    findings = stale.map(({ name, target, member, hasNode }) => ({
      kind: hasNode ? 'staleEdge' : 'danglingEdge',
      edge: { source: ROOT_ID, name, target },
      member,
    }))
    suspects = stale
  }
  return { edges, findings }
}

/** Removes an entry that its node does not require from its shard. Returns whether it was there. */
export const removeStaleRow = async (
  sender: CommandSender,
  keys: RedisKeys,
  { name, target }: EdgeKey,
  member: string,
): Promise<boolean> => {
  const [stale] = await findStaleRows(sender, keys, [{ name, target, member }])
  if (stale === undefined) return false
  if (stale.hasNode) await completeEntries(sender, keys, target)
  else await removeEntry(sender, keys, { id: target, collection: name, suffix: parseEntrySuffix(member) })
  const [required] = await readRequiredEntries(sender, keys, [stale])
  if (required?.member === member) return false
  const shards = await readShards(sender, keys)
  await sender.send([createCommand('zrem', keys.shardList(shardOf(shards, target), name), member)])
  return true
}
