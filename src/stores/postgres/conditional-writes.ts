import { batchConflictError } from '../../base/errors.ts'
import type { NodeId } from '../../base/ids.ts'
import type { BatchId } from '../../store/conditional.ts'
import type { EdgeKey } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { type BatchEffect, toEdgeKeyText } from '../batch.ts'
import { collectDependencies, type StoredEdge } from '../resolve-mutations.ts'
import { toSourceNumber } from '../source-number.ts'
import type { RunStatement } from './database.ts'
import { decodeText, encodeText } from './stored-text.ts'
import { WriteConflict } from './write-conflict.ts'
import type { WriteStatements } from './write-statements.ts'

/** Converts the keys of edges to the first parameters of a statement. */
export const toKeyColumns = (edges: readonly EdgeKey[]) => [
  edges.map(edge => toSourceNumber(edge.source)),
  edges.map(edge => encodeText(edge.name)),
  edges.map(edge => edge.target),
]

/**
 * Adds the id of a batch within its transaction. Returns whether the batch is new.
 *
 * @throws GraphError `conflict` if another batch was written with the same id.
 */
export const addBatch = async (
  run: RunStatement,
  { addBatch, findBatch }: WriteStatements,
  { id, digest, keepMs }: BatchId,
): Promise<boolean> => {
  const added = await run(addBatch, [encodeText(id), encodeText(digest), `${keepMs}`])
  if (added.length > 0) return true
  const [known] = await run(findBatch, [encodeText(id)])
  // Another writer has removed the id, which has just expired.
  if (known === undefined) throw new WriteConflict()
  if (known[0] !== encodeText(digest)) throw batchConflictError()
  return false
}

/** Returns the edges and entries that a batch puts or deletes by name, with their mirrors. */
const collectEdges = (mutations: readonly StoreMutation[]): readonly EdgeKey[] =>
  mutations.flatMap(mutation => {
    if (mutation.op === 'deriveEntry') return mutation.entry
    return mutation.op === 'putEdge' || mutation.op === 'deleteEdge'
      ? [mutation.edge, mutation.mirror ?? []].flat()
      : []
  })

/**
 * Locks and reads the edges of a batch that depends on stored edges. It locks all edges of the batch, because two
 * writers that lock some edges before the others could deadlock. The caller has locked the sources of the
 * conditions, so that no other writer puts a missing edge.
 */
export const lockConditionEdges = async (
  run: RunStatement,
  { lockConditionEdges }: WriteStatements,
  mutations: readonly StoreMutation[],
): Promise<(edge: EdgeKey) => StoredEdge | undefined> => {
  const dependencies = collectDependencies(mutations).edges
  if (dependencies.length === 0) return () => undefined
  const keys = [...dependencies, ...collectEdges(mutations)]
  const edges = new Map<string, StoredEdge>()
  for (const [source, name, target, time, text] of await run(lockConditionEdges, toKeyColumns(keys)))
    if (source && name != null && target)
      edges.set(toEdgeKeyText({ source, name: decodeText(name), target }), {
        time: Number(time),
        data: JSON.parse(text ?? '{}'),
      })
  return edge => edges.get(toEdgeKeyText(edge))
}

/**
 * Leaves out the deletion of derived entries whose ends were not found when they were locked. No such entry
 * exists, unless another writer has put the ends since then. That writer has derived the entry, which this
 * transaction must not delete.
 */
export const keepNewerEntries = (
  effect: BatchEffect,
  mutations: readonly StoreMutation[],
  isLocked: (id: NodeId) => boolean,
): BatchEffect => {
  const newerEntries = new Set(
    mutations.flatMap(mutation => {
      if (mutation.op !== 'deriveEntry') return []
      const { source, target } = mutation.entry
      const hasEnds = (source === ROOT_ID || isLocked(source)) && isLocked(target)
      return hasEnds ? [] : toEdgeKeyText(mutation.entry)
    }),
  )
  if (newerEntries.size === 0) return effect
  const edgeDeletions = effect.edgeDeletions.filter(edge => !newerEntries.has(toEdgeKeyText(edge)))
  return { ...effect, edgeDeletions }
}
