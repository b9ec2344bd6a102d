import { isGraphError } from '../../base/errors.ts'
import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { BatchId } from '../../store/conditional.ts'
import type { EdgeRecord, NodeRecord } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { type BatchEffect, collectNodeIds, foldBatch, mergeFields } from '../batch.ts'
import { collectDependencies, resolveMutations, type StoredState } from '../resolve-mutations.ts'
import { addBatch, keepNewerEntries, lockConditionEdges, toKeyColumns } from './conditional-writes.ts'
import type { Row, RunStatement } from './database.ts'
import { decodeText, encodeText } from './stored-text.ts'
import { WriteConflict } from './write-conflict.ts'
import type { LockStrength, WriteStatements } from './write-statements.ts'

/**
 * Existing nodes, which are locked until the transaction ends. `fields` is null unless the batch patches the
 * node, or depends on its fields.
 */
type LockedNode = { readonly type: string; readonly fields: string | null }
type LockedNodes = ReadonlyMap<NodeId, LockedNode>

/** Returns the strength of the lock that each node of a batch needs. */
const findLockStrengths = (mutations: readonly StoreMutation[]): ReadonlyMap<NodeId, LockStrength> => {
  const strengths = new Map<NodeId, LockStrength>()
  for (const id of collectNodeIds(mutations)) strengths.set(id, 'key share')
  for (const mutation of mutations) {
    if (mutation.op === 'putNode') strengths.set(mutation.node.id, 'no key update')
    else if (mutation.op === 'patchNode') strengths.set(mutation.id, 'no key update')
    else if (mutation.op === 'deriveEntry' && mutation.entry.source === ROOT_ID)
      strengths.set(mutation.entry.target, 'no key update')
  }
  for (const mutation of mutations) if (mutation.op === 'deleteNode') strengths.set(mutation.id, 'update')
  // An edge that does not exist cannot be locked. Other writers lock its source before they put it.
  for (const { source } of collectDependencies(mutations).edges) strengths.set(source, 'update')
  return strengths
}

const runLock = (
  run: RunStatement,
  { lockDeleted, lockWritten, lockEdgeEnds, lockMixed }: WriteStatements,
  strengths: ReadonlyMap<NodeId, LockStrength>,
  readIds: readonly NodeId[],
): Promise<readonly Row[]> => {
  const ids = [...strengths.keys()]
  const [strength, ...otherStrengths] = new Set(strengths.values())
  if (otherStrengths.length > 0) return run(lockMixed, [ids, readIds, [...strengths.values()]])
  const statement =
    strength === 'update' ? lockDeleted : strength === 'key share' ? lockEdgeEnds : lockWritten
  return run(statement, [ids, readIds])
}

/**
 * Locks the nodes that the batch depends on, in one order. Written nodes are locked against other writes.
 * Ends of edges are locked only against deletion, as foreign keys do, so that edges of one hub can be written
 * concurrently.
 */
const lockNodes = async (
  run: RunStatement,
  statements: WriteStatements,
  strengths: ReadonlyMap<NodeId, LockStrength>,
  mutations: readonly StoreMutation[],
): Promise<LockedNodes> => {
  const patchedIds = mutations.flatMap(mutation => (mutation.op === 'patchNode' ? mutation.id : []))
  const readIds = [...patchedIds, ...collectDependencies(mutations).nodes]
  const lockedNodes = new Map<NodeId, LockedNode>()
  if (strengths.size === 0) return lockedNodes
  for (const [id, type, fields] of await runLock(run, statements, strengths, readIds))
    if (id && type != null) lockedNodes.set(id, { type: decodeText(type), fields: fields ?? null })
  return lockedNodes
}

/**
 * Asserts that nodes that were not found and locked still do not exist.
 *
 * @throws WriteConflict if a node was deleted and put again while this transaction waited for its lock,
 * because the transaction does not see the new row.
 */
const assertMissing = async (
  run: RunStatement,
  { findExistingNodes }: WriteStatements,
  ids: readonly NodeId[],
): Promise<void> => {
  if (ids.length > 0 && (await run(findExistingNodes, [ids])).length > 0) throw new WriteConflict()
}

/** Locks the nodes of a batch, and returns them with the effect of the batch. */
const lockAndFold = async (
  run: RunStatement,
  statements: WriteStatements,
  mutations: readonly StoreMutation[],
): Promise<{ readonly lockedNodes: LockedNodes; readonly effect: BatchEffect }> => {
  const strengths = findLockStrengths(mutations)
  const lockedNodes = await lockNodes(run, statements, strengths, mutations)
  const missingIds = [...strengths.keys()].filter(id => !lockedNodes.has(id))
  const storedState = {
    nodeOf: (id: NodeId) => parseFields(lockedNodes.get(id)),
    edgeOf: await lockConditionEdges(run, statements, mutations),
  }
  const effect = await tryFold(mutations, lockedNodes, storedState, () =>
    assertMissing(run, statements, missingIds),
  )
  const missingDeletedIds = missingIds.filter(id => strengths.get(id) === 'update')
  await assertMissing(run, statements, missingDeletedIds)
  return { lockedNodes, effect: keepNewerEntries(effect, mutations, id => lockedNodes.has(id)) }
}

/**
 * Returns the effect of a batch. Calls `onInvalid` before it throws an error of the batch, which may be
 * invalid only because this transaction does not see a new row.
 */
const tryFold = async (
  mutations: readonly StoreMutation[],
  lockedNodes: LockedNodes,
  storedState: StoredState,
  onInvalid: () => Promise<void>,
): Promise<BatchEffect> => {
  try {
    return foldBatch(resolveMutations(mutations, storedState), id => lockedNodes.get(id)?.type)
  } catch (error) {
    if (isGraphError(error)) await onInvalid()
    throw error
  }
}

const parseFields = (node: LockedNode | undefined): JsonObject | undefined =>
  node && JSON.parse(node.fields ?? '{}')

const applyPatches = (lockedNodes: LockedNodes, { nodePatches }: BatchEffect): NodeRecord[] =>
  nodePatches.flatMap(({ id, fields }) => {
    const node = lockedNodes.get(id)
    if (node === undefined) return []
    return { id, type: node.type, fields: mergeFields(parseFields(node) ?? {}, fields) }
  })

const putNodes = async (
  run: RunStatement,
  statements: WriteStatements,
  nodes: readonly NodeRecord[],
  /** The existing nodes that the batch deletes. */
  deletedIds: readonly NodeId[],
  /**
   * Nodes that did not exist when nodes were locked, and whose absence matters. If the batch puts such a node
   * and the node exists now, the transaction is repeated.
   */
  absentIds: readonly NodeId[],
): Promise<void> => {
  if (nodes.length === 0) return
  const [row] = await run(statements.putNodes, [
    nodes.map(node => node.id),
    nodes.map(node => encodeText(node.type)),
    nodes.map(node => JSON.stringify(node.fields)),
    deletedIds,
    absentIds,
  ])
  // Another writer has put a missing node with another type, or a node that this batch deletes.
  if (Number(row?.[0]) !== nodes.length) throw new WriteConflict()
}

const putEdges = async (
  run: RunStatement,
  { putEdges }: WriteStatements,
  edges: readonly EdgeRecord[],
): Promise<void> => {
  const times = edges.map(edge => edge.time)
  const data = edges.map(edge => (edge.data === undefined ? null : JSON.stringify(edge.data)))
  await run(putEdges, [...toKeyColumns(edges), times, data])
}

/** Puts and deletes edges, and deletes the nodes of `deletedIds` that the batch does not put again. */
const writeEdges = async (
  run: RunStatement,
  statements: WriteStatements,
  { edgeDeletions, edgePuts, nodePuts }: BatchEffect,
  deletedIds: readonly NodeId[],
): Promise<void> => {
  const putKeys = toKeyColumns(edgePuts)
  const deletedKeys = toKeyColumns(edgeDeletions)
  if (deletedIds.length === 0 && edgeDeletions.length === 0) {
    if (edgePuts.length === 0) return
    await putEdges(run, statements, edgePuts)
    await run(statements.indexEdges, putKeys)
  } else if (deletedIds.length === 0 && edgePuts.length === 0) await run(statements.deleteEdges, deletedKeys)
  else {
    const changedKeys = [...putKeys, ...deletedKeys, deletedIds]
    if (edgePuts.length > 0) {
      // Without puts, the deletion alone locks all edges, and in order.
      await run(statements.lockEdges, changedKeys)
      await putEdges(run, statements, edgePuts)
    }
    await run(statements.changeEdges, [...changedKeys, nodePuts.map(node => node.id)])
  }
}

const writeTokensAndFlags = async (
  run: RunStatement,
  statements: WriteStatements,
  { tokenDeletions, tokenPuts, flags }: BatchEffect,
): Promise<void> => {
  if (flags.size > 0)
    await run(
      statements.putFlags,
      [[...flags.keys()], [...flags.values()]].map(texts => texts.map(encodeText)),
    )
  if (tokenDeletions.length > 0) await run(statements.deleteTokens, [tokenDeletions.map(encodeText)])
  if (tokenPuts.length === 0) return
  await run(statements.putTokens, [
    tokenPuts.map(({ digest }) => encodeText(digest)),
    tokenPuts.map(({ token }) => JSON.stringify(token)),
  ])
}

/**
 * Writes a batch within a transaction: first locks nodes and reads their types, then runs one statement per
 * kind of change. All transactions lock in one order: first nodes by id, then edges, then counts of lists.
 *
 * @throws GraphError `invalid_mutation` in the same cases as `foldBatch`, and `conflict` if a condition does
 * not hold or another batch has the same id, before anything has changed.
 */
export const writeBatch = async (
  run: RunStatement,
  statements: WriteStatements,
  mutations: readonly StoreMutation[],
  batch?: BatchId,
): Promise<void> => {
  if (batch !== undefined && !(await addBatch(run, statements, batch))) return
  const { lockedNodes, effect } = await lockAndFold(run, statements, mutations)
  // A node that did not exist is not locked, and need not be deleted.
  const deletedIds = effect.nodeDeletions.filter(id => lockedNodes.has(id))
  const dependencies = collectDependencies(mutations)
  const dependencySources = dependencies.edges.map(({ source }) => source)
  const absentIds = [...effect.nodeDeletions, ...dependencies.nodes, ...dependencySources].filter(
    id => !lockedNodes.has(id),
  )
  const nodes = [...effect.nodePuts, ...applyPatches(lockedNodes, effect)]
  await putNodes(run, statements, nodes, deletedIds, absentIds)
  await writeEdges(run, statements, effect, deletedIds)
  await writeTokensAndFlags(run, statements, effect)
}
