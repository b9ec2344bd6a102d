import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey, EdgeRecord } from '../../store/contract.ts'
import {
  type Command,
  type CommandSender,
  createCommand,
  createScriptCommand,
  parseListReply,
} from './command-sender.ts'
import {
  decodeReverseEntry,
  encodeData,
  encodeReverseEntry,
  parseMember,
  type RedisKeys,
  toMember,
} from './encoding.ts'
import {
  ADD_REVERSE_SCRIPT,
  READ_REVERSE_SCRIPT,
  REMOVE_LIST_SCRIPT,
  REMOVE_REVERSE_SCRIPT,
  WRITE_EDGES_SCRIPT,
} from './scripts.ts'

/** A command of a write, and the id that it writes. */
type EdgeWriteStep = { readonly id: NodeId; readonly command: Command }

const groupBy = <TItem, TKey>(
  items: readonly TItem[],
  keyOf: (item: TItem) => TKey,
): ReadonlyMap<TKey, TItem[]> => {
  const groups = new Map<TKey, TItem[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** An edge to put, or an edge to delete if there is no record. */
type EdgeWrite = { readonly edge: EdgeKey; readonly record?: EdgeRecord }

const encodeEdgeData = ({ time, data }: EdgeRecord): string =>
  data === undefined ? '' : encodeData(time, data)

const createWriteCommand = (keys: RedisKeys, source: NodeId, writes: readonly EdgeWrite[]): Command => {
  const names = [...new Set(writes.map(({ edge }) => edge.name))]
  const nameNumbers = new Map(names.map((name, index) => [name, `${index + 1}`]))
  return createScriptCommand(
    WRITE_EDGES_SCRIPT,
    [
      keys.node(source),
      keys.listNames(source),
      ...names.flatMap(name => [keys.list(source, name), keys.edgeData(source, name)]),
    ],
    [
      ...names,
      ...writes.flatMap(({ edge, record }) => [
        nameNumbers.get(edge.name) ?? '',
        toMember(edge.target),
        record === undefined ? '' : `${record.time}`,
        record === undefined ? '' : encodeEdgeData(record),
      ]),
    ],
  )
}

/** Creates the commands that put and delete edges: one step for each source. */
export const createEdgeSteps = (keys: RedisKeys, writes: readonly EdgeWrite[]): readonly EdgeWriteStep[] =>
  [...groupBy(writes, ({ edge }) => edge.source)].map(([id, group]) => ({
    id,
    command: createWriteCommand(keys, id, group),
  }))

/** Creates the commands that add reverse entries at the targets: one step for each target. */
export const createReverseAddSteps = (keys: RedisKeys, edges: readonly EdgeKey[]): readonly EdgeWriteStep[] =>
  [...groupBy(edges, edge => edge.target)].map(([id, group]) => ({
    id,
    command: createScriptCommand(
      ADD_REVERSE_SCRIPT,
      [keys.node(id), keys.reverseEntries(id)],
      group.map(encodeReverseEntry),
    ),
  }))

/** Creates the commands that remove reverse entries at the targets: one step for each target. */
export const createReverseRemoveSteps = (
  keys: RedisKeys,
  edges: readonly EdgeKey[],
): readonly EdgeWriteStep[] =>
  [...groupBy(edges, edge => edge.target)].map(([id, group]) => {
    const key = keys.reverseEntries(id)
    return { id, command: { key, name: 'srem', args: [key, ...group.map(encodeReverseEntry)] } }
  })

/** The number of edges that are purged at once, so that the commands for a hub do not block the server. */
const CHUNK_SIZE = 1000

const sendSteps = (sender: CommandSender, steps: readonly EdgeWriteStep[]) =>
  sender.send(steps.map(step => step.command))

const readTexts = async (sender: CommandSender, listCommand: Command): Promise<readonly string[]> => {
  const [reply] = await sender.send([listCommand])
  return parseListReply(reply).map(String)
}

/**
 * Removes a list of a deleted node: first the reverse entry of each edge, then the list. An edge that was put
 * again in the meantime is removed too, because its reverse entry has been removed.
 */
const purgeList = async (
  sender: CommandSender,
  keys: RedisKeys,
  source: NodeId,
  name: string,
): Promise<void> => {
  const listKey = keys.deletedList(source, name)
  for (;;) {
    const members = await readTexts(sender, createCommand('zrange', listKey, '0', `${CHUNK_SIZE - 1}`))
    if (members.length === 0) break
    const edges = members.map(member => ({ source, name, target: parseMember(member) }))
    await sendSteps(sender, createReverseRemoveSteps(keys, edges))
    const steps = createEdgeSteps(
      keys,
      edges.map(edge => ({ edge })),
    )
    await sender.send([...steps.map(step => step.command), createCommand('zrem', listKey, ...members)])
  }
  await sender.send([
    createScriptCommand(REMOVE_LIST_SCRIPT, [keys.node(source), keys.listNames(source), listKey], [name]),
  ])
}

/**
 * Removes the edges to a deleted node: first each edge from its list, then its reverse entry. Stops if
 * another writer has finished this purge and the node exists again.
 */
const purgeReverseEntries = async (sender: CommandSender, keys: RedisKeys, target: NodeId): Promise<void> => {
  const nodeKeys = [keys.node(target), keys.reverseEntries(target)] as const
  for (;;) {
    const entries = await readTexts(
      sender,
      createScriptCommand(READ_REVERSE_SCRIPT, nodeKeys, [`${CHUNK_SIZE}`]),
    )
    if (entries.length === 0) return
    const deletions = entries.map(entry => ({ edge: { ...decodeReverseEntry(entry), target } }))
    await sendSteps(sender, createEdgeSteps(keys, deletions))
    await sender.send([createScriptCommand(REMOVE_REVERSE_SCRIPT, nodeKeys, entries)])
  }
}

/**
 * Removes the edges of a node whose record is deleted. The lists and reverse entries of the node remain until
 * their edges are removed. Therefore, the next purge continues an interrupted purge, and no node with this id
 * can be put before the purge has ended.
 */
export const purgeEdges = async (sender: CommandSender, keys: RedisKeys, id: NodeId): Promise<void> => {
  for (const name of await readTexts(sender, createCommand('smembers', keys.listNames(id))))
    await purgeList(sender, keys, id, name)
  await purgeReverseEntries(sender, keys, id)
}
