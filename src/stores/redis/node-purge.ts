import type { NodeId } from '../../base/ids.ts'
import { listOfOrder } from '../../store/derived-entries.ts'
import { removeEntries } from './collection-entries.ts'
import type { CommandSender } from './command-sender.ts'
import { type Command, createCommand, createScriptCommand, parseListReply } from './commands.ts'
import { REMOVE_EDGES_SCRIPT } from './edge-scripts.ts'
import { groupBy } from './edge-sides.ts'
import {
  decodeReverseEntry,
  encodeReverseEntry,
  type Generation,
  parseMember,
  toMember,
  toPurgeText,
} from './encoding.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { StepSender } from './write-steps.ts'

/** A deleted generation of a node. */
export type DeletedNode = { readonly id: NodeId; readonly generation: Generation }

/** A purged generation, and the commands that have removed its edges from other nodes; only the first ones. */
export type PurgedNode = DeletedNode & { readonly removals: readonly Command[] }

/** The maximum number of commands of a purge that are remembered. */
const MAX_REMOVALS = 1000

/** The number of edges that are purged at once, so that the commands for a hub do not block the server. */
const CHUNK_SIZE = 1000

const readTexts = async (sender: StepSender, listCommand: Command): Promise<readonly string[]> => {
  const [reply] = await sender.send([listCommand])
  return parseListReply(reply).map(String)
}

/** Creates the command that removes the edges from a source to a deleted node. */
const createRemoveCommand = (
  keys: RedisKeys,
  source: NodeId,
  names: readonly string[],
  target: DeletedNode,
): Command =>
  createScriptCommand(
    REMOVE_EDGES_SCRIPT,
    [
      keys.numbers(source),
      keys.listNames(source),
      ...names.flatMap(name => [keys.list(source, name), keys.edgeData(source, name)]),
    ],
    [toMember(target.id, target.generation), ...names],
  )

/** Edges from lists of one source to a deleted node. */
type EdgeRemoval = {
  readonly source: NodeId
  readonly names: readonly string[]
  readonly target: DeletedNode
}

/**
 * Removes edges to deleted nodes, and then their entries in the further orders that the sources have. No order
 * gets an entry of an edge that does not exist, so none is missed. Returns the commands.
 */
export const removeEdges = async (
  sender: StepSender,
  keys: RedisKeys,
  removals: readonly EdgeRemoval[],
): Promise<readonly Command[]> => {
  if (removals.length === 0) return []
  const commands = removals.map(({ source, names, target }) =>
    createRemoveCommand(keys, source, names, target),
  )
  const replies = await sender.send(commands)
  const orderRemovals = removals.flatMap((removal, index) => {
    const names = parseListReply(replies[index]).map(String)
    return names.length === 0 ? [] : { ...removal, names }
  })
  return [...commands, ...(await removeEdges(sender, keys, orderRemovals))]
}

/** Removes a list of a deleted node: first the reverse entry of each edge, then the entry of the list. */
const purgeList = async (
  reader: CommandSender,
  sender: StepSender,
  keys: RedisKeys,
  { id, generation }: DeletedNode,
  name: string,
  removals: Command[],
): Promise<void> => {
  const listKey = keys.deletedList(id, generation, name)
  // Other nodes have no reverse entries of orders.
  if (listOfOrder(name) !== undefined) return void (await sender.send([createCommand('unlink', listKey)]))
  const entry = encodeReverseEntry({ source: id, generation, name })
  for (;;) {
    const members = await readTexts(reader, createCommand('zrange', listKey, '0', `${CHUNK_SIZE - 1}`))
    if (members.length === 0) return
    const targets = [...new Set(members.map(parseMember))]
    const commands = targets.map(target => createCommand('srem', keys.reverseEntries(target), entry))
    await sender.send(commands)
    removals.push(...commands.slice(0, MAX_REMOVALS - removals.length))
    await sender.send([createCommand('zrem', listKey, ...members)])
  }
}

/** Removes the edges to a deleted node: first each edge from its list, then its reverse entry. */
const purgeReverseEntries = async (
  reader: CommandSender,
  sender: StepSender,
  keys: RedisKeys,
  node: DeletedNode,
  removals: Command[],
): Promise<void> => {
  const entriesKey = keys.deletedReverseEntries(node.id, node.generation)
  for (;;) {
    const entries = await readTexts(reader, createCommand('srandmember', entriesKey, `${CHUNK_SIZE}`))
    if (entries.length === 0) return
    const groups = groupBy(entries.map(decodeReverseEntry), ({ source }) => source)
    const edges = [...groups].map(([source, group]) => ({
      source,
      names: [...new Set(group.map(({ name }) => name))],
      target: node,
    }))
    const commands = await removeEdges(sender, keys, edges)
    removals.push(...commands.slice(0, MAX_REMOVALS - removals.length))
    await sender.send([createCommand('srem', entriesKey, ...entries)])
  }
}

/** Removes the entries of a deleted node from their collections. */
const purgeEntries = async (
  sender: StepSender,
  keys: RedisKeys,
  node: DeletedNode,
  removals: Command[],
): Promise<void> => {
  const commands = await removeEntries(sender, keys, node)
  removals.push(...commands.slice(0, MAX_REMOVALS - removals.length))
  await sender.send([createCommand('unlink', keys.deletedEntries(node.id, node.generation))])
}

/**
 * Removes the edges and the entries of a deleted generation of a node. Its lists and reverse entries remain until their edges
 * are removed, so the next purge continues an interrupted purge. Edges of other generations never change, so
 * a node with this id can be put, and several processes can purge, at the same time. `reader` sends the commands
 * that only read.
 */
export const purgeNode = async (
  reader: CommandSender,
  sender: StepSender,
  keys: RedisKeys,
  node: DeletedNode,
): Promise<PurgedNode> => {
  const removals: Command[] = []
  const namesKey = keys.deletedListNames(node.id, node.generation)
  const [names, hasEntries] = await reader.send([
    createCommand('smembers', namesKey),
    createCommand('exists', keys.deletedEntries(node.id, node.generation)),
  ])
  for (const name of parseListReply(names).map(String)) {
    await purgeList(reader, sender, keys, node, name, removals)
    await sender.send([createCommand('srem', namesKey, name)])
  }
  await purgeReverseEntries(reader, sender, keys, node, removals)
  if (Number(hasEntries) === 1) await purgeEntries(sender, keys, node, removals)
  await sender.send([createCommand('zrem', keys.pendingPurges(node.id), toPurgeText(node.generation))])
  return { ...node, removals }
}
