import type { NodeId } from '../../base/ids.ts'
import { type Command, createCommand, createScriptCommand } from './command.ts'
import { type CommandSender, parseListReply } from './command-sender.ts'
import { createEdgeSteps, createReverseRemoveSteps, type EdgeWriteStep } from './edge-writes.ts'
import { decodeReverseEntry, parseMember, type RedisKeys } from './keys.ts'
import { READ_REVERSE_SCRIPT, REMOVE_LIST_SCRIPT, REMOVE_REVERSE_SCRIPT } from './scripts.ts'

/** The number of edges that are purged at a time, so that no command of a hub blocks the server. */
const CHUNK_SIZE = 1000

const sendSteps = (sender: CommandSender, steps: readonly EdgeWriteStep[]) =>
  sender.send(steps.map(step => step.command))

const readTexts = async (sender: CommandSender, listCommand: Command): Promise<readonly string[]> => {
  const [reply] = await sender.send([listCommand])
  return parseListReply(reply).map(String)
}

/**
 * Removes the list of a deleted node: the reverse entry of each edge, and then the list itself. An edge that
 * was put again meanwhile is removed too, since it would otherwise have no reverse entry.
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
 * Removes the edges to a deleted node: each from its list, and then its reverse entry. Stops if another
 * writer has finished this purge and the node exists again.
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
 * Removes the edges of a node whose record is deleted. Its reverse entries are the work list, and each is
 * removed when it is done. If a purge is interrupted, the next one continues it, and no node with this id can
 * be put before that.
 */
export const purgeEdges = async (sender: CommandSender, keys: RedisKeys, id: NodeId): Promise<void> => {
  for (const name of await readTexts(sender, createCommand('smembers', keys.listNames(id))))
    await purgeList(sender, keys, id, name)
  await purgeReverseEntries(sender, keys, id)
}
