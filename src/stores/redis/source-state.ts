import type { NodeId } from '../../base/ids.ts'
import { type BatchId, isConditional } from '../../store/conditional.ts'
import type { EdgeKey, NodeRecord } from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { collectNodeIds, toEdgeKeyText } from '../batch.ts'
import type { StoredEdge, StoredState } from '../resolve-mutations.ts'
import { createCommand, createScriptCommand, parseListReply } from './commands.ts'
import { findFirstSide } from './condition-rules.ts'
import { READ_SOURCE_SCRIPT } from './condition-scripts.ts'
import { decodeNode, GENERATION_BYTES, type Generation, parseGeneration } from './encoding.ts'
import type { OldNotes } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'
import { createReadSidesCommand, parseSideAt, type SideKey } from './stored-sides.ts'
import { collectDeletedEnds } from './write-batch.ts'
import type { StepSender } from './write-steps.ts'

/** A batch that writes to one source, with its id. */
export type SourceBatch = {
  readonly source: NodeId
  readonly mutations: readonly StoreMutation[]
  readonly batch: BatchId
}

/** The generations of the existing nodes of a batch. */
export type Generations = ReadonlyMap<NodeId, Generation>

/** A source as it was at one moment, with the generations of the other nodes. */
export type SourceState = StoredState & {
  /** Whether the batch was written before: `result` is the score of its recovery note. */
  readonly status: 'new' | 'known' | 'conflict'
  readonly result: string
  /** The text of the record; empty if the node does not exist. */
  readonly text: string
  readonly record: NodeRecord | undefined
  readonly lastGeneration: string
  /** The time of the server in microseconds. */
  readonly time: number
  readonly purges: readonly string[]
  /** The purges that nobody has continued for two seconds. */
  readonly oldPurges: readonly string[]
  readonly listNames: readonly string[]
  /** The recovery notes of the source that nobody has completed in time. */
  readonly oldNotes: readonly OldNotes[]
  readonly generations: Generations
  /** The sides on which conditions depend, and the cells of `READ_SIDES_SCRIPT` that describe them. */
  readonly sideKeys: readonly SideKey[]
  readonly sideCells: readonly string[]
}

/** Returns the sides on which the conditions of a batch depend, by the texts of the named edges. */
const collectConditionSides = (mutations: readonly StoreMutation[]): ReadonlyMap<string, EdgeKey> =>
  new Map(
    mutations.flatMap((mutation, index) =>
      (mutation.op === 'putEdge' || mutation.op === 'deleteEdge') && isConditional(mutation)
        ? [[toEdgeKeyText(mutation.edge), findFirstSide(mutation, index)] as const]
        : [],
    ),
  )

/** Reads the generations of the nodes of a batch, except its source. */
const readGenerations = async (
  sender: StepSender,
  keys: RedisKeys,
  { source, mutations }: SourceBatch,
): Promise<Map<NodeId, Generation>> => {
  const ids = new Set([...collectNodeIds(mutations), ...collectDeletedEnds(mutations)])
  ids.delete(source)
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

/** Reads the source, and sides of edges to given generations of their targets. */
const readSource = async (
  sender: StepSender,
  keys: RedisKeys,
  { source, batch }: SourceBatch,
  sideKeys: readonly SideKey[],
) => {
  const sidesCommand = createReadSidesCommand(keys, source, sideKeys)
  const command = createScriptCommand(
    READ_SOURCE_SCRIPT,
    [
      keys.batchStep(source, 'c', batch.id),
      keys.node(source),
      keys.lastGeneration(source),
      keys.pendingPurges(source),
      keys.listNames(source),
      keys.recoveryNotes(source),
      ...sidesCommand.keys,
    ],
    [batch.digest, ...sidesCommand.args],
  )
  const [reply] = await sender.send([command])
  const [status, result, text, lastGeneration, time, purges, oldPurges, listNames, maxScore, sides] =
    parseListReply(reply)
  const record = text === '' ? undefined : decodeNode(source, String(text))
  return {
    status: status === 'known' || status === 'conflict' ? status : 'new',
    result: String(result),
    text: String(text),
    record,
    lastGeneration: String(lastGeneration),
    time: Number(time),
    purges: parseListReply(purges).map(String),
    oldPurges: parseListReply(oldPurges).map(String),
    listNames: parseListReply(listNames).map(String),
    oldNotes: maxScore === '' ? [] : [{ source, maxScore: String(maxScore) }],
    sideKeys,
    sideCells: parseListReply(sides).slice(1).map(String),
  } as const
}

/** Returns an edge whose side was read; undefined if it does not exist. */
const findEdge = (cells: readonly string[], index: number): StoredEdge | undefined => {
  const { content } = parseSideAt(cells, index)
  return content && { time: content.time, data: content.data ?? {} }
}

/**
 * Reads what the conditions of a batch depend on. Entries of lists contain the generations of their targets,
 * which are read at the same time: they are expected to be those in `expected`, and otherwise the source is
 * read again.
 */
export const readSourceState = async (
  sender: StepSender,
  keys: RedisKeys,
  batch: SourceBatch,
  expected: Generations,
): Promise<SourceState> => {
  const sides = collectConditionSides(batch.mutations)
  const sideEdges = [...sides.values()]
  const targetGenerationOf = (edge: EdgeKey, generations: Generations) => generations.get(edge.target) ?? ''
  const sideKeys = sideEdges.map(edge => ({
    edge,
    sourceGeneration: '',
    targetGeneration: targetGenerationOf(edge, expected),
  }))
  const [generations, state] = await Promise.all([
    readGenerations(sender, keys, batch),
    readSource(sender, keys, batch, sideKeys),
  ])
  if (state.text !== '') generations.set(batch.source, parseGeneration(state.text))
  const isExpected = sideKeys.every(
    ({ edge, targetGeneration }) => targetGenerationOf(edge, generations) === targetGeneration,
  )
  if (!isExpected) return readSourceState(sender, keys, batch, generations)
  const sideIndexes = new Map([...sides.keys()].map((text, index) => [text, index]))
  return {
    ...state,
    generations,
    nodeOf: id => (id === batch.source ? state.record?.fields : undefined),
    edgeOf: edge => {
      const index = sideIndexes.get(toEdgeKeyText(edge)) ?? -1
      const target = sideEdges[index]?.target
      return target !== undefined && generations.has(target) ? findEdge(state.sideCells, index) : undefined
    },
  }
}
