import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey } from '../../store/contract.ts'
import { isFirstSide } from '../../store/mirrors.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { type BatchEffect, collectNodeIds, foldBatch } from '../batch.ts'
import { addOrders, type BatchEntries, collectEntries, findStoredEntries } from './batch-entries.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand } from './commands.ts'
import type { EdgeWrite } from './edge-sides.ts'
import { EdgeWriter } from './edge-writer.ts'
import { encodeToken, GENERATION_BYTES, type Generation, parseGeneration } from './encoding.ts'
import { EntrySender } from './entry-sender.ts'
import { NodeWriter, TypeConflict } from './node-writer.ts'
import type { RedisKeys } from './redis-keys.ts'
import { RoundTrip } from './round-trip.ts'
import { deriveStoredEntries } from './stored-entries.ts'
import { parseRecordType } from './stored-json.ts'
import type { WriteContext } from './write-context.ts'
import { createApplied, toWriteError } from './write-errors.ts'
import { runSteps, type StepSender } from './write-steps.ts'

/** The existing nodes of a batch: the records of nodes that it puts or patches, and all generations. */
export type ExistingNodes = {
  readonly records: ReadonlyMap<NodeId, string>
  readonly generations: Map<NodeId, Generation>
}

/** Returns the ids of the ends of edges that a batch deletes. Their nodes need not exist. */
export const collectDeletedEnds = (mutations: readonly StoreMutation[]): readonly NodeId[] =>
  mutations.flatMap(mutation =>
    mutation.op === 'deleteEdge' ? [mutation.edge.source, mutation.edge.target] : [],
  )

/** Reads the nodes on which the validity of a batch depends, and those that it changes. */
export const readExistingNodes = async (
  sender: CommandSender,
  keys: RedisKeys,
  mutations: readonly StoreMutation[],
): Promise<ExistingNodes> => {
  const roundTrip = new RoundTrip(sender)
  const writtenIds = new Set(
    mutations.flatMap(mutation =>
      mutation.op === 'putNode' ? mutation.node.id : mutation.op === 'patchNode' ? mutation.id : [],
    ),
  )
  const ids = [...writtenIds]
  const readRecords = roundTrip.enqueueTexts(ids.map(id => keys.node(id)))
  const endIds = [...collectNodeIds(mutations), ...collectDeletedEnds(mutations)]
  const recordEnds = roundTrip.enqueueEach(
    endIds.filter(id => !writtenIds.has(id)),
    id => createCommand('getrange', keys.node(id), `${-GENERATION_BYTES}`, '-1'),
  )
  await roundTrip.send()
  const records = new Map<NodeId, string>()
  const generations = new Map<NodeId, Generation>()
  for (const [index, text] of readRecords().entries()) {
    const id = ids[index]
    if (id === undefined || typeof text !== 'string') continue
    records.set(id, text)
    generations.set(id, parseGeneration(text))
  }
  for (const [id, readEnd] of recordEnds) {
    const end = String(readEnd())
    if (end !== '') generations.set(id, parseGeneration(end))
  }
  return { records, generations }
}

/** The type of a node whose record has not been read. */
export const UNKNOWN_TYPE = ''

/** Returns the type of each node that a batch puts, as its first put has it. */
const collectPutTypes = (mutations: readonly StoreMutation[]): ReadonlyMap<NodeId, string> => {
  const types = new Map<NodeId, string>()
  for (const mutation of mutations)
    if (mutation.op === 'putNode' && !types.has(mutation.node.id))
      types.set(mutation.node.id, mutation.node.type)
  return types
}

/**
 * Creates a function that returns types of nodes with which a batch is valid. It is for a batch that was
 * accepted before, and then failed midway: it stays valid, whatever others have written since.
 */
export const createAcceptedTypeLookup = (mutations: readonly StoreMutation[]) => {
  const putTypes = collectPutTypes(mutations)
  return (id: NodeId): string => putTypes.get(id) ?? UNKNOWN_TYPE
}

/**
 * Creates a function that returns the types of nodes before a batch. A node that the batch deletes counts as
 * existing: an earlier attempt to write the same batch may have deleted it and then failed, and the rest of
 * the batch must still be valid. If the batch also puts the node, its type is that of the first put.
 */
export const createTypeLookup = (
  { records, generations }: ExistingNodes,
  mutations: readonly StoreMutation[],
) => {
  const deletedIds = new Set(mutations.flatMap(mutation => (mutation.op === 'deleteNode' ? mutation.id : [])))
  const putTypes = collectPutTypes(mutations)
  const existingIds = new Set(generations.keys())
  return (id: NodeId): string | undefined => {
    const record = records.get(id)
    if (record !== undefined) return parseRecordType(record)
    if (existingIds.has(id)) return UNKNOWN_TYPE
    return deletedIds.has(id) ? (putTypes.get(id) ?? UNKNOWN_TYPE) : undefined
  }
}

/**
 * Returns the writes of the edges of a batch, with the orders that contain them. A mirrored edge is one write, of
 * its first side. Edges without both ends are omitted: they do not exist, or another writer has deleted a node in the meantime.
 */
export const collectEdgeWrites = (
  { edgeDeletions, edgePuts, mirrorOf }: BatchEffect,
  generations: ReadonlyMap<NodeId, Generation>,
  entries: BatchEntries,
): readonly EdgeWrite[] => {
  const toWrites = (edge: EdgeKey, record: EdgeWrite['record']): readonly EdgeWrite[] => {
    const mirror = mirrorOf(edge)
    const sourceGeneration = generations.get(edge.source)
    const targetGeneration = generations.get(edge.target)
    if (sourceGeneration === undefined || targetGeneration === undefined) return []
    if (mirror !== undefined && !isFirstSide(edge, mirror)) return []
    return [{ edge, record, mirror, sourceGeneration, targetGeneration }]
  }
  const writes = [
    ...edgeDeletions.flatMap(edge => toWrites(edge, undefined)),
    ...edgePuts.flatMap(edge => toWrites(edge, edge)),
  ]
  return addOrders(writes, entries)
}

const writeTokens = async (
  sender: CommandSender,
  keys: RedisKeys,
  { tokenDeletions, tokenPuts }: BatchEffect,
  doneDigests: string[],
): Promise<void> => {
  const deletions = tokenDeletions.map(digest => ({
    id: digest,
    command: createCommand('del', keys.token(digest)),
  }))
  const puts = tokenPuts.map(({ digest, token }) => ({
    id: digest,
    command: createCommand('set', keys.token(digest), encodeToken(token)),
  }))
  await runSteps(sender, [...deletions, ...puts], doneDigests)
}

/**
 * The time in which both sides of all edges must be written, in milliseconds. Otherwise, another process may have
 * deleted an edge between its two sides, and have settled this deletion a second later. So they are compared.
 */
export const MAX_CERTAIN_MS = 800

/** Sets completion flags. */
export const writeFlags = (
  sender: StepSender,
  keys: RedisKeys,
  flags: ReadonlyMap<string, string>,
): Promise<readonly unknown[]> =>
  runSteps(
    sender,
    Array.from(flags, ([name, value]) => ({
      id: name,
      command: createCommand('set', keys.flag(name), value),
    })),
  )

/**
 * Writes the effect of a valid batch: flags, then nodes with their entries in collections, then tokens, then edges
 * with their entries in orders, and then the entries of other records. Flags come first: the first write into an
 * empty store sets them, and nobody may find its nodes without them. `batchSender` sends the scripts that write
 * nodes and first sides of a batch with an id. `servers` are the masters when the write began.
 *
 * @throws TypeConflict if nothing was written, because another writer has put a node with another type.
 */
export const writeEffect = async (
  { reader, sender, keys, settler }: WriteContext,
  batchSender: StepSender | undefined,
  effect: BatchEffect,
  entries: BatchEntries,
  existingNodes: ExistingNodes,
  servers: string | undefined,
): Promise<void> => {
  const applied = createApplied()
  const edgeWriter = new EdgeWriter(sender, keys, applied, batchSender)
  const entrySender = new EntrySender(batchSender ?? sender, keys, entries.byNode)
  try {
    await writeFlags(sender, keys, effect.flags)
    const nodeWriter = new NodeWriter(reader, entrySender, keys, applied, existingNodes.generations)
    await nodeWriter.write(effect, existingNodes.records)
    await entrySender.finish(sender)
    await writeTokens(sender, keys, effect, applied.tokens)
    const edgeWrites = collectEdgeWrites(effect, nodeWriter.generations, entries)
    const start = performance.now()
    await edgeWriter.write(edgeWrites)
    const isCertain = !edgeWriter.isContested && performance.now() - start < MAX_CERTAIN_MS
    settler.addNotes([...entrySender.savedNotes], servers)
    settler.addNotes(edgeWriter.savedNotes, isCertain ? servers : undefined)
    settler.addDeletions(nodeWriter.purgedNodes, servers)
    const oldNotes = [...entrySender.oldNotes, ...edgeWriter.oldNotes]
    settler.addUnfinished(oldNotes, nodeWriter.unfinishedPurges)
    await deriveStoredEntries({ sender, keys, settler }, findStoredEntries(entries, effect, edgeWrites))
  } catch (cause) {
    settler.addNotes([...entrySender.savedNotes, ...edgeWriter.savedNotes], undefined)
    if (cause instanceof TypeConflict && applied.nodes.length + applied.deletedNodes.length === 0) throw cause
    throw toWriteError(cause, applied, batchSender === undefined ? 'again' : 'again with its id')
  }
}

/**
 * Validates a batch without an id against the existing nodes, and writes it.
 *
 * @throws GraphError `invalid_mutation` if the batch is invalid, before anything is written; `store_error` if
 * the write failed midway. Its `data.applied` lists the parts that were certainly written. Writing the same
 * batch again completes it, unless it is not valid any more.
 */
export const writeBatch = async (
  context: WriteContext,
  mutations: readonly StoreMutation[],
): Promise<void> => {
  const { servers } = context.settler
  const existingNodes = await readExistingNodes(context.reader, context.keys, mutations)
  const effect = foldBatch(mutations, createTypeLookup(existingNodes, mutations))
  try {
    await writeEffect(context, undefined, effect, collectEntries(mutations), existingNodes, servers)
  } catch (error) {
    if (!(error instanceof TypeConflict)) throw error
    // Nothing was written. The batch is not valid any more, or the node of another type is gone again.
    await writeBatch(context, mutations)
  }
}
