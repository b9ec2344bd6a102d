import { GraphError } from '../../base/errors.ts'
import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey, StoreMutation } from '../../store/contract.ts'
import { isFirstSide } from '../../store/mirrors.ts'
import { type BatchEffect, collectNodeIds, foldBatch } from '../batch.ts'
import { type CommandSender, UnreplicatedError } from './command-sender.ts'
import { createCommand } from './commands.ts'
import type { EdgeWrite } from './edge-sides.ts'
import { EdgeWriter } from './edge-writer.ts'
import {
  encodeToken,
  GENERATION_BYTES,
  type Generation,
  parseGeneration,
  type RedisKeys,
} from './encoding.ts'
import { NodeWriter, TypeConflict } from './node-writer.ts'
import type { NoteSettler } from './note-settler.ts'
import { RoundTrip } from './round-trip.ts'
import { parseRecordType } from './stored-json.ts'
import { runSteps } from './write-steps.ts'

/** The existing nodes of a batch: the records of nodes that it puts or patches, and all generations. */
type ExistingNodes = {
  readonly records: ReadonlyMap<NodeId, string>
  readonly generations: Map<NodeId, Generation>
}

/** Returns the ids of the ends of edges that a batch deletes. Their nodes need not exist. */
const collectDeletedEnds = (mutations: readonly StoreMutation[]): readonly NodeId[] =>
  mutations.flatMap(mutation =>
    mutation.op === 'deleteEdge' ? [mutation.edge.source, mutation.edge.target] : [],
  )

const readExistingNodes = async (
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
const UNKNOWN_TYPE = ''

/**
 * Creates a function that returns the types of nodes before a batch. A node that the batch deletes counts as
 * existing: an earlier attempt to write the same batch may have deleted it and then failed, and the rest of
 * the batch must still be valid. If the batch also puts the node, its type is that of the first put.
 */
const createTypeLookup = ({ records, generations }: ExistingNodes, mutations: readonly StoreMutation[]) => {
  const deletedIds = new Set(mutations.flatMap(mutation => (mutation.op === 'deleteNode' ? mutation.id : [])))
  const putTypes = new Map<NodeId, string>()
  for (const mutation of mutations)
    if (mutation.op === 'putNode' && !putTypes.has(mutation.node.id))
      putTypes.set(mutation.node.id, mutation.node.type)
  const existingIds = new Set(generations.keys())
  return (id: NodeId): string | undefined => {
    const record = records.get(id)
    if (record !== undefined) return parseRecordType(record)
    if (existingIds.has(id)) return UNKNOWN_TYPE
    return deletedIds.has(id) ? (putTypes.get(id) ?? UNKNOWN_TYPE) : undefined
  }
}

/**
 * Returns the writes of the edges of a batch. A mirrored edge is one write, of its first side. Edges without
 * both ends are omitted: they do not exist, or another writer has deleted a node in the meantime.
 */
const collectEdgeWrites = (
  { edgeDeletions, edgePuts, mirrorOf }: BatchEffect,
  generations: ReadonlyMap<NodeId, Generation>,
): readonly EdgeWrite[] => {
  const toWrites = (edge: EdgeKey, record: EdgeWrite['record']): readonly EdgeWrite[] => {
    const mirror = mirrorOf(edge)
    const sourceGeneration = generations.get(edge.source)
    const targetGeneration = generations.get(edge.target)
    if (sourceGeneration === undefined || targetGeneration === undefined) return []
    if (mirror !== undefined && !isFirstSide(edge, mirror)) return []
    return [{ edge, record, mirror, sourceGeneration, targetGeneration }]
  }
  return [
    ...edgeDeletions.flatMap(edge => toWrites(edge, undefined)),
    ...edgePuts.flatMap(edge => toWrites(edge, edge)),
  ]
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
const MAX_CERTAIN_MS = 800

/** The ids and digests that were certainly written. */
type Applied = {
  readonly deletedNodes: NodeId[]
  readonly nodes: NodeId[]
  readonly tokens: string[]
  readonly sources: NodeId[]
  readonly targets: NodeId[]
}

/** Returns the error of a write that failed midway. */
const toWriteError = (cause: unknown, applied: Applied): GraphError => {
  const message =
    cause instanceof UnreplicatedError
      ? '(#2) The store failed: the write is on the master, no replica confirmed it, and it may be lost'
      : cause instanceof TypeConflict
        ? '(#2) The store failed during a write: another writer has put a node of the batch with another type'
        : '(#2) The store failed during a write; writing the same batch again completes it'
  return new GraphError('store_error', message, { applied }, { cause })
}

/**
 * Validates a batch against the existing nodes, and writes it: nodes, then tokens, then edges. `reader` sends
 * the commands that only read, and `sender` all others.
 *
 * @throws GraphError `invalid_mutation` if the batch is invalid, before anything is written; `store_error` if
 * the write failed midway. Its `data.applied` lists the parts that were certainly written. Writing the same
 * batch again completes it, unless it is not valid any more.
 */
export const writeBatch = async (
  reader: CommandSender,
  sender: CommandSender,
  keys: RedisKeys,
  settler: NoteSettler,
  mutations: readonly StoreMutation[],
): Promise<void> => {
  const { servers } = settler
  const existingNodes = await readExistingNodes(reader, keys, mutations)
  const effect = foldBatch(mutations, createTypeLookup(existingNodes, mutations))
  const applied: Applied = { deletedNodes: [], nodes: [], tokens: [], sources: [], targets: [] }
  const edgeWriter = new EdgeWriter(sender, keys, applied)
  try {
    const nodeWriter = new NodeWriter(reader, sender, keys, applied, existingNodes.generations)
    await nodeWriter.write(effect, existingNodes.records)
    await writeTokens(sender, keys, effect, applied.tokens)
    const edgeWrites = collectEdgeWrites(effect, nodeWriter.generations)
    const start = performance.now()
    await edgeWriter.write(edgeWrites)
    const isCertain = !edgeWriter.isContested && performance.now() - start < MAX_CERTAIN_MS
    settler.addNotes(edgeWriter.savedNotes, isCertain ? servers : undefined)
    settler.addDeletions(nodeWriter.purgedNodes, servers)
    settler.addUnfinished(edgeWriter.oldNotes, nodeWriter.unfinishedPurges)
  } catch (cause) {
    settler.addNotes(edgeWriter.savedNotes, undefined)
    if (!(cause instanceof TypeConflict) || applied.nodes.length + applied.deletedNodes.length > 0)
      throw toWriteError(cause, applied)
    // Nothing was written. The batch is not valid any more, or the node of another type is gone again.
    await writeBatch(reader, sender, keys, settler, mutations)
  }
}
