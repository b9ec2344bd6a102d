import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey } from '../../store/contract.ts'
import type { BatchEntries, OrdersByEdge } from './batch-entries.ts'
import { type Command, createCommand, createScriptCommand, parseListReply } from './commands.ts'
import { createFirstSides, createSidesCommand, groupBy } from './edge-sides.ts'
import { GENERATION_BYTES, type Generation, parseGeneration } from './encoding.ts'
import { DERIVE_ORDERS_SCRIPT } from './entry-scripts.ts'
import { EntrySender } from './entry-sender.ts'
import { KEEP_NODE_SCRIPT } from './node-scripts.ts'
import type { RedisKeys } from './redis-keys.ts'
import { encodeParts } from './script-parts.ts'
import { createReadSidesCommand, parseSideAt, type SideKey } from './stored-sides.ts'
import type { WriteContext } from './write-context.ts'
import type { StepSender } from './write-steps.ts'

/** How often entries are derived again while other writers change their records. */
const MAX_ATTEMPTS = 1000

const assertFewAttempts = (attempt: number): void => {
  if (attempt === MAX_ATTEMPTS) throw new Error('other writers changed a record all the time')
}

/** Derives the entries of nodes in collections from their stored records. */
const deriveFromNodes = async (
  sender: StepSender,
  keys: RedisKeys,
  entrySender: EntrySender,
  ids: readonly NodeId[],
): Promise<void> => {
  const replies = await sender.send(ids.map(id => createCommand('get', keys.node(id))))
  let records = new Map(ids.map((id, index) => [id, replies[index]]))
  for (let attempt = 0; ; attempt++) {
    assertFewAttempts(attempt)
    const found = [...records].flatMap(([id, text]) => (typeof text === 'string' ? { id, text } : []))
    if (found.length === 0) return
    const texts = await entrySender.send(
      found.map(({ id, text }) => createScriptCommand(KEEP_NODE_SCRIPT, [keys.node(id)], [text])),
    )
    records = new Map(
      found.flatMap(({ id, text }, index) => (texts[index] === text ? [] : [[id, texts[index]] as const])),
    )
  }
}

/** Reads the generations of the existing nodes. */
const readGenerations = async (
  sender: StepSender,
  keys: RedisKeys,
  ids: ReadonlySet<NodeId>,
): Promise<ReadonlyMap<NodeId, Generation>> => {
  const replies = await sender.send(
    Array.from(ids, id => createCommand('getrange', keys.node(id), `${-GENERATION_BYTES}`, '-1')),
  )
  return new Map(
    [...ids].flatMap((id, index) => {
      const end = String(replies[index])
      return end === '' ? [] : [[id, parseGeneration(end)] as const]
    }),
  )
}

/** The orders of one edge between existing nodes. */
type EdgeOrders = SideKey & Pick<Parameters<typeof createFirstSides>[0], 'orders'>

/** Creates the command that derives the entries of edges of one source, as the edges were read. */
const createDeriveCommand = (
  keys: RedisKeys,
  source: NodeId,
  edges: readonly EdgeOrders[],
  cells: readonly string[],
): Command => {
  const read = createReadSidesCommand(keys, source, edges)
  const sides = edges.flatMap((key, index) => {
    const { content } = parseSideAt(cells, index)
    const record = content && { ...key.edge, ...content }
    return createFirstSides({ ...key, record, mirror: undefined }, '').slice(1)
  })
  const write = createSidesCommand(keys, source, edges[0]?.sourceGeneration ?? '', sides)
  const parts = [{ keys: read.keys, args: [`${cells.length}`, ...cells, ...read.args] }, write]
  return createScriptCommand(
    DERIVE_ORDERS_SCRIPT,
    [keys.node(source), ...parts.flatMap(part => part.keys).slice(1)],
    encodeParts(parts),
  )
}

/** Derives entries of orders once. Returns the sources whose edges or nodes have changed meanwhile. */
const tryToDerive = async (
  sender: StepSender,
  keys: RedisKeys,
  edges: readonly EdgeOrders[],
): Promise<ReadonlySet<NodeId>> => {
  const groups = [...groupBy(edges, ({ edge }) => edge.source)]
  const read = await sender.send(groups.map(([source, group]) => createReadSidesCommand(keys, source, group)))
  const commands = groups.map(([source, group], index) =>
    createDeriveCommand(keys, source, group, parseListReply(read[index]).slice(1).map(String)),
  )
  const replies = await sender.send(commands)
  return new Set(groups.flatMap(([source], index) => (replies[index] === 'done' ? [] : source)))
}

/** Derives the entries of edges in further orders from the stored edges. */
const deriveFromEdges = async (sender: StepSender, keys: RedisKeys, byEdge: OrdersByEdge): Promise<void> => {
  let remaining: readonly { readonly edge: EdgeKey }[] = [...byEdge.values()]
  for (let attempt = 0; remaining.length > 0; attempt++) {
    assertFewAttempts(attempt)
    const ids = new Set(remaining.flatMap(({ edge }) => [edge.source, edge.target]))
    const generations = await readGenerations(sender, keys, ids)
    const edges = remaining.flatMap((item): readonly EdgeOrders[] => {
      const sourceGeneration = generations.get(item.edge.source)
      const targetGeneration = generations.get(item.edge.target)
      if (sourceGeneration === undefined || targetGeneration === undefined) return []
      return [{ ...item, sourceGeneration, targetGeneration }]
    })
    const changedSources = await tryToDerive(sender, keys, edges)
    remaining = remaining.filter(({ edge }) => changedSources.has(edge.source))
  }
}

/**
 * Derives entries from stored records. If another writer changes a record meanwhile, its entries are derived
 * again.
 */
export const deriveStoredEntries = async (
  { sender, keys, settler }: Pick<WriteContext, 'sender' | 'keys' | 'settler'>,
  { byNode, byEdge }: BatchEntries,
): Promise<void> => {
  const { servers } = settler
  if (byNode.size > 0) {
    const entrySender = new EntrySender(sender, keys, byNode)
    let isFinished = false
    try {
      await deriveFromNodes(sender, keys, entrySender, [...byNode.keys()])
      await entrySender.finish(sender)
      isFinished = true
    } finally {
      settler.addNotes([...entrySender.savedNotes], isFinished ? servers : undefined)
    }
    settler.addUnfinished(entrySender.oldNotes, [])
  }
  await deriveFromEdges(sender, keys, byEdge)
}
