import type { NodeId } from '../../base/ids.ts'
import { type Command, command, runScript } from './command.ts'
import { edgeSteps, removeReverseSteps, type Step } from './edge-writes.ts'
import { decodeReverse, fromMember, type Keys } from './keys.ts'
import { FORGET_LIST, FORGET_REVERSE, READ_REVERSE } from './scripts.ts'
import { listOf, type Sender } from './sender.ts'

/** Edges that are purged at a time, so that no command of a hub holds up the server. */
const CHUNK = 1000

const send = (sender: Sender, steps: readonly Step[]) => sender.send(steps.map(step => step.command))

const askList = async (sender: Sender, asked: Command): Promise<readonly string[]> => {
  const [reply] = await sender.send([asked])
  return listOf(reply).map(String)
}

/**
 * Removes the list of a deleted node: each edge where its target remembers it, and then itself. What was put again
 * meanwhile goes as well, rather than that its target does not remember it.
 */
const purgeList = async (sender: Sender, keys: Keys, source: NodeId, name: string): Promise<void> => {
  const list = keys.deadList(source, name)
  for (;;) {
    const members = await askList(sender, command('zrange', list, '0', `${CHUNK - 1}`))
    if (members.length === 0) break
    const edges = members.map(member => ({ source, name, target: fromMember(member) }))
    await send(sender, removeReverseSteps(keys, edges))
    const steps = edgeSteps(
      keys,
      edges.map(edge => ({ edge })),
    )
    await sender.send([...steps.map(step => step.command), command('zrem', list, ...members)])
  }
  await sender.send([runScript(FORGET_LIST, [keys.node(source), keys.names(source), list], [name])])
}

/**
 * Removes the edges to a deleted node: each from its list, and then where the node remembers it. Ends where the node
 * was put again meanwhile, by one who had finished this work.
 */
const purgeReverse = async (sender: Sender, keys: Keys, target: NodeId): Promise<void> => {
  const own = [keys.node(target), keys.reverse(target)] as const
  for (;;) {
    const entries = await askList(sender, runScript(READ_REVERSE, own, [`${CHUNK}`]))
    if (entries.length === 0) return
    const edges = entries.map(entry => ({ edge: { ...decodeReverse(entry), target } }))
    await send(sender, edgeSteps(keys, edges))
    await sender.send([runScript(FORGET_REVERSE, own, entries)])
  }
}

/**
 * Removes the edges of a node whose record is gone. What the node remembers is the list of this work, and goes entry by
 * entry as it is done: a purge that broke off is taken up by the next one, and the id gets no new node before that.
 */
export const purgeEdges = async (sender: Sender, keys: Keys, id: NodeId): Promise<void> => {
  for (const name of await askList(sender, command('smembers', keys.names(id))))
    await purgeList(sender, keys, id, name)
  await purgeReverse(sender, keys, id)
}
