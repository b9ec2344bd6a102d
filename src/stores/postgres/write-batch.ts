import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeKey, NodeRecord, StoreMutation } from '../../store/contract.ts'
import { type BatchEffect, collectNodeIds, foldBatch, mergeFields } from '../batch.ts'
import type { RunStatement } from './database.ts'
import { decodeText, encodeText } from './stored-text.ts'
import { WriteConflict } from './write-conflict.ts'
import type { WriteStatements } from './write-statements.ts'

/**
 * Existing nodes, which are locked until the transaction ends. `fields` is null unless the batch patches the
 * node.
 */
type LockedNodes = ReadonlyMap<NodeId, { readonly type: string; readonly fields: string | null }>

/** Groups the ids of a batch by the strongest lock that their nodes need. */
const groupIdsByLock = (mutations: readonly StoreMutation[]) => {
  const deletedIds = new Set<NodeId>()
  const putIds = new Set<NodeId>()
  const patchedIds = new Set<NodeId>()
  for (const mutation of mutations) {
    if (mutation.op === 'deleteNode') deletedIds.add(mutation.id)
    else if (mutation.op === 'putNode') putIds.add(mutation.node.id)
    else if (mutation.op === 'patchNode') patchedIds.add(mutation.id)
  }
  const undeletedIds = [...collectNodeIds(mutations)].filter(id => !deletedIds.has(id))
  return {
    deleted: [...deletedIds],
    written: undeletedIds.filter(id => putIds.has(id) || patchedIds.has(id)),
    linked: undeletedIds.filter(id => !putIds.has(id) && !patchedIds.has(id)),
    patched: [...patchedIds],
  }
}

/**
 * Locks the nodes that the batch depends on. Written nodes are locked against other writes. Ends of edges are
 * locked only against deletion, as foreign keys do, so that edges of one hub can be written concurrently.
 *
 * @throws WriteConflict if a node was deleted and put again while this transaction waited for its lock,
 * because the transaction does not see the new row.
 */
const lockNodes = async (
  run: RunStatement,
  { lockDeleted, lockWritten, lockEdgeEnds, findExistingNodes }: WriteStatements,
  mutations: readonly StoreMutation[],
): Promise<LockedNodes> => {
  const {
    deleted: deletedIds,
    written: writtenIds,
    linked: edgeEndIds,
    patched: patchedIds,
  } = groupIdsByLock(mutations)
  const lockedNodes = new Map<NodeId, { readonly type: string; readonly fields: string | null }>()
  for (const [statement, ids] of [
    [lockDeleted, deletedIds],
    [lockWritten, writtenIds],
    [lockEdgeEnds, edgeEndIds],
  ] as const) {
    if (ids.length === 0) continue
    for (const [id, type, fields] of await run(statement, [ids, patchedIds]))
      if (id && type != null) lockedNodes.set(id, { type: decodeText(type), fields: fields ?? null })
  }
  const missingIds = [...deletedIds, ...patchedIds, ...edgeEndIds].filter(id => !lockedNodes.has(id))
  if (missingIds.length > 0 && (await run(findExistingNodes, [missingIds])).length > 0)
    throw new WriteConflict()
  return lockedNodes
}

const applyPatches = (lockedNodes: LockedNodes, { nodePatches }: BatchEffect): NodeRecord[] =>
  nodePatches.flatMap(({ id, fields }) => {
    const node = lockedNodes.get(id)
    if (node === undefined) return []
    const oldFields: JsonObject = JSON.parse(node.fields ?? '{}')
    return { id, type: node.type, fields: mergeFields(oldFields, fields) }
  })

const putNodes = async (
  run: RunStatement,
  statements: WriteStatements,
  nodes: readonly NodeRecord[],
  /**
   * The nodes that the batch deletes, and that did not exist when nodes were locked. If the batch also puts
   * such a node and the node exists now, the transaction is repeated.
   */
  absentIds: readonly NodeId[],
): Promise<void> => {
  if (nodes.length === 0) return
  const [row] = await run(statements.putNodes, [
    nodes.map(node => node.id),
    nodes.map(node => encodeText(node.type)),
    nodes.map(node => JSON.stringify(node.fields)),
    absentIds,
  ])
  // Another writer has put a missing node with another type, or a node that this batch deletes.
  if (Number(row?.[0]) !== nodes.length) throw new WriteConflict()
}

const toKeyColumns = (edges: readonly EdgeKey[]) => [
  edges.map(edge => edge.source),
  edges.map(edge => encodeText(edge.name)),
  edges.map(edge => edge.target),
]

const writeEdges = async (
  run: RunStatement,
  statements: WriteStatements,
  { edgeDeletions, edgePuts }: BatchEffect,
): Promise<void> => {
  if (edgeDeletions.length > 0) await run(statements.deleteEdges, toKeyColumns(edgeDeletions))
  if (edgePuts.length === 0) return
  const keys = toKeyColumns(edgePuts)
  const times = edgePuts.map(edge => edge.time)
  const data = edgePuts.map(edge => (edge.data === undefined ? null : JSON.stringify(edge.data)))
  await run(statements.putEdges, [...keys, times, data])
  await run(statements.indexEdges, keys)
}

const writeTokens = async (
  run: RunStatement,
  statements: WriteStatements,
  { tokenDeletions, tokenPuts }: BatchEffect,
): Promise<void> => {
  if (tokenDeletions.length > 0) await run(statements.deleteTokens, [tokenDeletions.map(encodeText)])
  if (tokenPuts.length === 0) return
  await run(statements.putTokens, [
    tokenPuts.map(({ digest }) => encodeText(digest)),
    tokenPuts.map(({ token }) => JSON.stringify(token)),
  ])
}

/**
 * Writes a batch within a transaction: first locks nodes and reads their types, then runs one statement per
 * kind of change.
 *
 * @throws GraphError `invalid_mutation` in the same cases as `foldBatch`, before anything has changed.
 */
export const writeBatch = async (
  run: RunStatement,
  statements: WriteStatements,
  mutations: readonly StoreMutation[],
): Promise<void> => {
  const lockedNodes = await lockNodes(run, statements, mutations)
  const effect = foldBatch(mutations, id => lockedNodes.get(id)?.type)
  // A node that did not exist is not locked, and need not be deleted.
  const deletedIds = effect.nodeDeletions.filter(id => lockedNodes.has(id))
  const absentIds = effect.nodeDeletions.filter(id => !lockedNodes.has(id))
  if (deletedIds.length > 0) await run(statements.deleteNodes, [deletedIds])
  await putNodes(run, statements, [...effect.nodePuts, ...applyPatches(lockedNodes, effect)], absentIds)
  await writeEdges(run, statements, effect)
  await writeTokens(run, statements, effect)
}
