import type { NodeId } from '../../base/ids.ts'
import { isConditional } from '../../store/conditional.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { type BatchEffect, foldBatch } from '../batch.ts'
import { resolveMutations } from '../resolve-mutations.ts'
import { type BatchEntries, collectEntries, findStoredEntries } from './batch-entries.ts'
import { createScriptCommand, type ScriptCommand } from './commands.ts'
import { CONDITIONAL_WRITE_SCRIPT } from './condition-scripts.ts'
import { createFirstSides, createSidesCommand, type EdgeWrite } from './edge-sides.ts'
import { decodeNode, encodeNode, type Generation } from './encoding.ts'
import { toEntryCells } from './entry-sender.ts'
import { createDeleteCommand, patchRecord } from './node-writer.ts'
import { encodeEntryNote, encodeNote } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'
import { EMPTY_PART, encodeParts, type ScriptPart } from './script-parts.ts'
import type { Generations, SourceBatch, SourceState } from './source-state.ts'
import { createReadSidesCommand } from './stored-sides.ts'
import { collectEdgeWrites, UNKNOWN_TYPE } from './write-batch.ts'

/** A batch that writes to one source, as it changes the state that was read. */
export type SourceChange = {
  /** The new text of the record; empty if it stays or is deleted. */
  readonly newText: string
  /** The generation that is deleted; undefined if the node stays, or does not exist. */
  readonly deletedGeneration: Generation | undefined
  /** The writes of edges whose first sides are at the source. */
  readonly edgeWrites: readonly EdgeWrite[]
  /** The writes of mirrored edges whose first sides are at other sources. They have no condition. */
  readonly otherEdgeWrites: readonly EdgeWrite[]
  /** The recovery note of `edgeWrites`; empty if there are none. */
  readonly note: string
  /** The entries of the source in collections; undefined if the batch does not write the node with entries. */
  readonly entries: SourceEntries | undefined
  /** The entries that are derived from other records after the change. */
  readonly storedEntries: BatchEntries
}

/** The entries of a source in collections, as the script of a change saves them. */
export type SourceEntries = {
  readonly generation: Generation
  readonly names: readonly string[]
  /** The name of each collection and the time of the entry there. */
  readonly cells: readonly string[]
  readonly note: string
}

/** The number of digits of a generation. */
const GENERATION_WIDTH = 16

/** Returns a generation that follows all generations of the id. */
const createGeneration = (lastGeneration: string, time: number): Generation =>
  `${Math.max(time, Number(lastGeneration) + 1)}`.padStart(GENERATION_WIDTH, '0')

/** Returns the generation of the source after a batch that puts it. */
const findNewGeneration = (
  { source }: SourceBatch,
  { generations, lastGeneration, time, purges }: SourceState,
  isDeleted: boolean,
): Generation => {
  const generation = generations.get(source)
  if (generation !== undefined) return isDeleted ? createGeneration(generation, time) : generation
  return lastGeneration === '' && purges.length === 0 ? '' : createGeneration(lastGeneration, time)
}

/** Returns the new text of the record of the source; empty if the batch neither puts nor patches it. */
const encodeSource = (
  batch: SourceBatch,
  state: SourceState,
  { nodePuts: [put], nodePatches: [patch] }: BatchEffect,
  generation: Generation,
): string => {
  if (put !== undefined) return encodeNode(put, generation)
  return patch === undefined ? '' : patchRecord(batch.source, state.text, patch.fields)
}

/** Returns the entries of the source in collections, if the batch writes it. */
const planEntries = (
  { source }: SourceBatch,
  { byNode }: BatchEntries,
  newText: string,
  generation: Generation,
): SourceEntries | undefined => {
  const entries = byNode.get(source)
  if (entries === undefined || newText === '') return undefined
  const names = entries.map(({ name }) => name)
  const cells = toEntryCells(entries, { members: decodeNode(source, newText).fields })
  return { generation, names, cells, note: encodeEntryNote(names) }
}

/** Returns the generations of all nodes after the batch. */
const collectNewGenerations = (
  batch: SourceBatch,
  { generations }: SourceState,
  { nodePuts, nodeDeletions }: BatchEffect,
  newGeneration: Generation,
): Generations => {
  const newGenerations = new Map<NodeId, Generation>(generations)
  if (nodePuts.length > 0) newGenerations.set(batch.source, newGeneration)
  else if (nodeDeletions.length > 0) newGenerations.delete(batch.source)
  return newGenerations
}

/**
 * Evaluates the conditions of a batch on the state of its source, and returns the change.
 *
 * @throws GraphError `conflict` for a condition that does not hold, `invalid_mutation` if the batch is invalid.
 */
export const planChange = (batch: SourceBatch, state: SourceState): SourceChange => {
  const { source, mutations } = batch
  const { generations, record } = state
  const typeOf = (id: NodeId): string | undefined => {
    if (id === source) return record?.type
    return generations.has(id) ? UNKNOWN_TYPE : undefined
  }
  const effect = foldBatch(resolveMutations(mutations, state, 'unchanged'), typeOf)
  const entries = collectEntries(mutations)
  const isDeleted = effect.nodeDeletions.length > 0
  const newGeneration = findNewGeneration(batch, state, isDeleted)
  const newGenerations = collectNewGenerations(batch, state, effect, newGeneration)
  const writes = collectEdgeWrites(effect, newGenerations, entries)
  const edgeWrites = writes.filter(({ edge }) => edge.source === source)
  const newText = encodeSource(batch, state, effect, newGeneration)
  return {
    newText,
    deletedGeneration: isDeleted ? generations.get(source) : undefined,
    edgeWrites,
    otherEdgeWrites: writes.filter(({ edge }) => edge.source !== source),
    note: edgeWrites.length === 0 ? '' : encodeNote(newGenerations.get(source) ?? '', edgeWrites),
    entries: planEntries(batch, entries, newText, newGeneration),
    storedEntries: findStoredEntries(entries, effect, writes),
  }
}

/** Whether the change of a batch depends on the text of the record. Otherwise, the node only has to exist. */
const dependsOnText = (
  { source }: SourceBatch,
  { generations }: SourceState,
  mutations: readonly StoreMutation[],
) =>
  !generations.has(source) ||
  mutations.some(
    mutation =>
      mutation.op === 'patchNode' ||
      ((mutation.op === 'putNode' || mutation.op === 'deleteNode') && isConditional(mutation)),
  )

/** Matches every record of the expected generation. */
const ANY_TEXT = '*'

/** Creates the part of the command that compares the sides on which conditions depend. */
const createComparison = (keys: RedisKeys, { source }: SourceBatch, state: SourceState): ScriptPart => {
  const { sideKeys, sideCells } = state
  if (sideKeys.length === 0) return EMPTY_PART
  const command = createReadSidesCommand(keys, source, sideKeys)
  return { keys: command.keys, args: [`${sideCells.length}`, ...sideCells, ...command.args] }
}

/** Creates the command that writes a change if the source is as it was read. */
export const createChangeCommand = (
  keys: RedisKeys,
  batch: SourceBatch,
  state: SourceState,
  change: SourceChange,
): ScriptCommand => {
  const { source, mutations } = batch
  const { id, digest, keepMs } = batch.batch
  const { newText, deletedGeneration, edgeWrites, note, entries } = change
  const generation = state.generations.get(source) ?? ''
  const text = dependsOnText(batch, state, mutations) ? state.text : ANY_TEXT
  const stepKey = keys.batchStep(source, 'c', id)
  const sides = edgeWrites.flatMap(write => createFirstSides(write, 'new'))
  const sourceGeneration = edgeWrites[0]?.sourceGeneration ?? ''
  const parts: readonly ScriptPart[] = [
    {
      keys: [stepKey, keys.node(source), keys.lastGeneration(source)],
      args: [digest, `${keepMs}`, text, generation, state.lastGeneration, newText],
    },
    createComparison(keys, batch, state),
    deletedGeneration === undefined
      ? EMPTY_PART
      : createDeleteCommand(keys, { id: source, generation: deletedGeneration }, state.listNames, ''),
    sides.length === 0 ? EMPTY_PART : createSidesCommand(keys, source, sourceGeneration, sides, note),
    entries === undefined
      ? EMPTY_PART
      : {
          keys: [keys.entries(source), keys.recoveryNotes(source)],
          args: [entries.generation, entries.note, ...entries.cells],
        },
  ]
  return createScriptCommand(
    CONDITIONAL_WRITE_SCRIPT,
    [stepKey, ...parts.flatMap(part => part.keys).slice(1)],
    encodeParts(parts),
  )
}
