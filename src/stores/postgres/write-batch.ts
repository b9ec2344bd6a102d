import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeTest, Mutation, NodeRecord } from '../../store/contract.ts'
import { type BatchEffect, foldBatch, idsOf } from '../batch/fold-batch.ts'
import { mergeFields } from '../batch/merge-fields.ts'
import type { Run } from './database.ts'
import { fromStored, toStored } from './stored-text.ts'
import { WriteConflict } from './write-conflict.ts'
import type { WriteStatements } from './write-statements.ts'

/** Nodes that are there, under lock until the transaction ends; fields of those that are patched. */
type HeldNodes = ReadonlyMap<NodeId, { readonly type: string; readonly fields: string | null }>

/** The ids of a batch by what becomes of their nodes, each under the strongest. */
const lockedIds = (mutations: readonly Mutation[]) => {
  const deleted = new Set<NodeId>()
  const written = new Set<NodeId>()
  const patched = new Set<NodeId>()
  for (const mutation of mutations) {
    if (mutation.op === 'deleteNode') deleted.add(mutation.id)
    else if (mutation.op === 'putNode') written.add(mutation.node.id)
    else if (mutation.op === 'patchNode') patched.add(mutation.id)
  }
  const all = [...idsOf(mutations)].filter(id => !deleted.has(id))
  return {
    deleted: [...deleted],
    written: all.filter(id => written.has(id) || patched.has(id)),
    linked: all.filter(id => !written.has(id) && !patched.has(id)),
    patched: [...patched],
  }
}

/**
 * Locks what the batch rests on: ends of edges against being deleted, as foreign keys do, so that edges of one hub
 * are written side by side; nodes against being written.
 *
 * @throws WriteConflict where a node was deleted and put again meanwhile: whoever waited for its row is told of none.
 */
const lockNodes = async (
  run: Run,
  { lockDeleted, lockWritten, lockLinked, findNodes }: WriteStatements,
  mutations: readonly Mutation[],
): Promise<HeldNodes> => {
  const { deleted, written, linked, patched } = lockedIds(mutations)
  const held = new Map<NodeId, { readonly type: string; readonly fields: string | null }>()
  for (const [statement, ids] of [
    [lockDeleted, deleted],
    [lockWritten, written],
    [lockLinked, linked],
  ] as const) {
    if (ids.length === 0) continue
    for (const [id, type, fields] of await run(statement, [ids, patched]))
      if (id && type != null) held.set(id, { type: fromStored(type), fields: fields ?? null })
  }
  const missed = [...deleted, ...patched, ...linked].filter(id => !held.has(id))
  if (missed.length > 0 && (await run(findNodes, [missed])).length > 0) throw new WriteConflict()
  return held
}

const patchedNodes = (held: HeldNodes, { patchNodes }: BatchEffect): NodeRecord[] =>
  patchNodes.flatMap(({ id, fields }) => {
    const node = held.get(id)
    if (node === undefined) return []
    const old: JsonObject = JSON.parse(node.fields ?? '{}')
    return { id, type: node.type, fields: mergeFields(old, fields) }
  })

const putNodes = async (
  run: Run,
  statements: WriteStatements,
  nodes: readonly NodeRecord[],
  /** Of nodes that are there, these are to be deleted first. */
  absent: readonly NodeId[],
): Promise<void> => {
  if (nodes.length === 0) return
  const [row] = await run(statements.putNodes, [
    nodes.map(node => node.id),
    nodes.map(node => toStored(node.type)),
    nodes.map(node => JSON.stringify(node.fields)),
    absent,
  ])
  // A node that was not there to be locked was put by someone else meanwhile: with another type, or to be deleted.
  if (Number(row?.[0]) !== nodes.length) throw new WriteConflict()
}

const keysOf = (edges: readonly EdgeTest[]) => [
  edges.map(edge => edge.source),
  edges.map(edge => toStored(edge.name)),
  edges.map(edge => edge.target),
]

const writeEdges = async (
  run: Run,
  statements: WriteStatements,
  { deleteEdges, putEdges }: BatchEffect,
): Promise<void> => {
  if (deleteEdges.length > 0) await run(statements.deleteEdges, keysOf(deleteEdges))
  if (putEdges.length === 0) return
  const keys = keysOf(putEdges)
  const times = putEdges.map(edge => edge.time)
  const data = putEdges.map(edge => (edge.data === undefined ? null : JSON.stringify(edge.data)))
  await run(statements.putEdges, [...keys, times, data])
  await run(statements.enterEdges, keys)
}

const writeTokens = async (
  run: Run,
  statements: WriteStatements,
  { deleteTokens, putTokens }: BatchEffect,
): Promise<void> => {
  if (deleteTokens.length > 0) await run(statements.deleteTokens, [deleteTokens.map(toStored)])
  if (putTokens.length === 0) return
  await run(statements.putTokens, [
    putTokens.map(({ digest }) => toStored(digest)),
    putTokens.map(({ token }) => JSON.stringify(token)),
  ])
}

/**
 * Writes a batch within a transaction: locks and types of nodes first, then each kind of change by one statement.
 *
 * @throws GraphError `invalid_mutation` as `foldBatch` does, before anything was changed.
 */
export const writeBatch = async (
  run: Run,
  statements: WriteStatements,
  mutations: readonly Mutation[],
): Promise<void> => {
  const held = await lockNodes(run, statements, mutations)
  const effect = foldBatch(mutations, id => held.get(id)?.type)
  // One that was not there is not under lock, and need not be deleted.
  const deleted = effect.deleteNodes.filter(id => held.has(id))
  const absent = effect.deleteNodes.filter(id => !held.has(id))
  if (deleted.length > 0) await run(statements.deleteNodes, [deleted])
  await putNodes(run, statements, [...effect.putNodes, ...patchedNodes(held, effect)], absent)
  await writeEdges(run, statements, effect)
  await writeTokens(run, statements, effect)
}
