import { batchConflictError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { BatchId } from '../../store/conditional.ts'
import type { EdgeKey, StoreMutation } from '../../store/contract.ts'
import { toEdgeKeyText } from '../batch.ts'
import { collectConditionKeys } from '../resolve-conditions.ts'
import type { RunStatement } from './database.ts'
import { decodeText, encodeText } from './stored-text.ts'
import { WriteConflict } from './write-conflict.ts'
import type { WriteStatements } from './write-statements.ts'

/** Converts the keys of edges to the first parameters of a statement. */
export const toKeyColumns = (edges: readonly EdgeKey[]) => [
  edges.map(edge => edge.source),
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

/** Returns the edges that a batch puts or deletes by name, with their mirrors. */
const collectEdges = (mutations: readonly StoreMutation[]): readonly EdgeKey[] =>
  mutations.flatMap(mutation =>
    mutation.op === 'putEdge' || mutation.op === 'deleteEdge'
      ? [mutation.edge, mutation.mirror ?? []].flat()
      : [],
  )

/**
 * Locks and reads the edges of a batch with conditions on edges. It locks all edges of the batch, because two
 * writers that lock some edges before the others could deadlock. The caller has locked the sources of the
 * conditions, so that no other writer puts a missing edge.
 */
export const lockConditionEdges = async (
  run: RunStatement,
  { lockConditionEdges }: WriteStatements,
  mutations: readonly StoreMutation[],
): Promise<(edge: EdgeKey) => JsonObject | undefined> => {
  if (collectConditionKeys(mutations).edges.length === 0) return () => undefined
  const edges = collectEdges(mutations)
  const data = new Map<string, JsonObject>()
  for (const [source, name, target, text] of await run(lockConditionEdges, toKeyColumns(edges)))
    if (source && name != null && target)
      data.set(toEdgeKeyText({ source, name: decodeText(name), target }), JSON.parse(text ?? '{}'))
  return edge => data.get(toEdgeKeyText(edge))
}
