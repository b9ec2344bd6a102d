import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { isConditional } from '../store/conditional.ts'
import type { EdgeKey } from '../store/contract.ts'
import {
  type DerivedEntry,
  deriveEntry,
  type EntryOrigin,
  edgeOfEntry,
  listOfOrder,
  ROOT_ID,
} from '../store/derived-entries.ts'
import { findMirror } from '../store/mirrors.ts'
import type { StoreMutation } from '../store/mutations.ts'
import { mergeFields, toEdgeKeyText } from './batch.ts'
import { applyIncrements, assertCondition, type Found } from './conditions.ts'

/** Returns the nodes and edges before a batch; undefined if they do not exist. */
export type StoredState = {
  /** The fields of a node. */
  readonly nodeOf: (id: NodeId) => JsonObject | undefined
  readonly edgeOf: (edge: EdgeKey) => StoredEdge | undefined
}

/** An edge before a batch. The data of an edge without data is an empty object. */
export type StoredEdge = { readonly time: number; readonly data: JsonObject }

/** Whether the effect of a mutation depends on records: it has a condition or an increment, or is an entry. */
const isDependent = (mutation: StoreMutation): boolean =>
  mutation.op === 'deriveEntry' || isConditional(mutation)

/**
 * Returns the nodes and edges on which the conditions, increments and entries of a batch depend. An entry
 * whose record the same batch puts before depends on no stored record.
 */
export const collectDependencies = (mutations: readonly StoreMutation[]) => {
  const nodes = new Set<NodeId>()
  const edges = new Map<string, EdgeKey>()
  const putKeys = new Set<string>()
  for (const mutation of mutations) {
    if (mutation.op === 'deriveEntry') {
      const { entry } = mutation
      const origin = edgeOfEntry(entry)
      if (entry.source === ROOT_ID) nodes.add(entry.target)
      else if (!putKeys.has(toEdgeKeyText(origin))) edges.set(toEdgeKeyText(origin), origin)
      continue
    }
    if (mutation.op === 'putEdge' || mutation.op === 'deleteEdge') {
      putKeys.add(toEdgeKeyText(mutation.edge))
      if (mutation.mirror) putKeys.add(toEdgeKeyText(mutation.mirror))
    }
    if (!isConditional(mutation)) continue
    if (mutation.op === 'putEdge' || mutation.op === 'deleteEdge')
      edges.set(toEdgeKeyText(mutation.edge), mutation.edge)
    else if (mutation.op === 'putNode') nodes.add(mutation.node.id)
    else if (mutation.op === 'patchNode' || mutation.op === 'deleteNode') nodes.add(mutation.id)
  }
  return { nodes: [...nodes], edges: [...edges.values()] }
}

/** The state of the nodes and edges of a batch, after the mutations so far. */
class PendingState {
  readonly #stored: StoredState
  readonly #nodes = new Map<NodeId, Found>()
  /** The last change of each edge, and the index of its mutation. */
  readonly #edges = new Map<string, { readonly index: number; readonly edge: StoredEdge | undefined }>()
  /** The index of the last deletion of each node. */
  readonly #deletionIndexes = new Map<NodeId, number>()

  constructor(stored: StoredState) {
    this.#stored = stored
  }

  /** Returns the state after some mutations. */
  static after(mutations: readonly StoreMutation[], stored: StoredState): PendingState {
    const state = new PendingState(stored)
    for (const [index, mutation] of mutations.entries()) state.apply(mutation, index)
    return state
  }

  /** Returns the members of the node or edge that a mutation changes. */
  find(mutation: StoreMutation): Found {
    if (mutation.op === 'putEdge' || mutation.op === 'deleteEdge') return this.#findEdge(mutation.edge)?.data
    if (mutation.op === 'putNode') return this.#findNode(mutation.node.id)
    return mutation.op === 'patchNode' || mutation.op === 'deleteNode'
      ? this.#findNode(mutation.id)
      : undefined
  }

  /** Returns what an entry is derived from. */
  findOrigin(entry: EdgeKey): EntryOrigin | undefined {
    if (entry.source === ROOT_ID) {
      const members = this.#findNode(entry.target)
      return members && { members }
    }
    const edge = this.#findEdge(edgeOfEntry(entry))
    return edge && { members: edge.data, time: edge.time }
  }

  apply(mutation: StoreMutation, index: number): void {
    switch (mutation.op) {
      case 'putNode':
        this.#nodes.set(mutation.node.id, mutation.node.fields)
        break
      case 'patchNode':
        this.#nodes.set(mutation.id, mergeFields(this.#findNode(mutation.id) ?? {}, mutation.fields))
        break
      case 'deleteNode':
        this.#nodes.set(mutation.id, undefined)
        this.#deletionIndexes.set(mutation.id, index)
        break
      case 'putEdge':
      case 'deleteEdge': {
        const edge =
          mutation.op === 'putEdge' ? { time: mutation.edge.time, data: mutation.edge.data ?? {} } : undefined
        const mirror = findMirror(mutation, index)
        for (const key of [mutation.edge, ...(mirror ? [mirror] : [])])
          this.#edges.set(toEdgeKeyText(key), { index, edge })
      }
    }
  }

  #findNode(id: NodeId): Found {
    return this.#nodes.has(id) ? this.#nodes.get(id) : this.#stored.nodeOf(id)
  }

  #findEdge(edge: EdgeKey): StoredEdge | undefined {
    const change = this.#edges.get(toEdgeKeyText(edge))
    const deletionIndex = Math.max(
      this.#deletionIndexes.get(edge.source) ?? -1,
      this.#deletionIndexes.get(edge.target) ?? -1,
    )
    if (change !== undefined && change.index > deletionIndex) return change.edge
    return deletionIndex >= 0 ? undefined : this.#stored.edgeOf(edge)
  }
}

/** Whether an entry of a further order is derived from an edge. */
const isEntryOf = (entry: EdgeKey, { source, name, target }: EdgeKey): boolean =>
  entry.source === source && entry.target === target && listOfOrder(entry.name) === name

/** What an entry is derived from, or that nothing is known about it. */
type KnownOrigin = { readonly origin: EntryOrigin | undefined } | undefined

/**
 * Returns what an entry is derived from, if the last mutation of a record contains it. Almost every entry comes
 * after such a mutation, and then needs no state of the batch.
 */
const findOriginIn = (last: StoreMutation | undefined, entry: EdgeKey): KnownOrigin => {
  if (last?.op === 'putNode')
    return entry.source === ROOT_ID && last.node.id === entry.target
      ? { origin: { members: last.node.fields } }
      : undefined
  if (last?.op !== 'putEdge' && last?.op !== 'deleteEdge') return undefined
  const { edge, mirror } = last
  if (!isEntryOf(entry, edge) && (mirror === undefined || !isEntryOf(entry, mirror))) return undefined
  return {
    origin: last.op === 'putEdge' ? { members: last.edge.data ?? {}, time: last.edge.time } : undefined,
  }
}

/** Returns the mutation that writes or deletes an entry. */
const toEdgeMutation = (entry: DerivedEntry, origin: EntryOrigin | undefined): StoreMutation => {
  const edge = deriveEntry(entry, origin)
  if (edge !== undefined) return { op: 'putEdge', edge }
  const { source, name, target } = entry
  return { op: 'deleteEdge', edge: { source, name, target } }
}

/** Returns the mutation without its condition and its increments, which become a part of its fields. */
const toPlainMutation = (mutation: StoreMutation, found: Found, index: number): StoreMutation => {
  switch (mutation.op) {
    case 'patchNode': {
      const { id, fields, increment = {} } = mutation
      // Without a node, the store rejects the patch itself.
      const values = applyIncrements(increment, mergeFields(found ?? {}, fields), index)
      return { op: 'patchNode', id, fields: { ...fields, ...values } }
    }
    case 'putNode':
    case 'deleteNode':
    case 'putEdge':
    case 'deleteEdge':
      return { ...mutation, when: undefined }
    default:
      return mutation
  }
}

/**
 * Evaluates the conditions, increments and entries of a batch, each after the mutations before it, and returns
 * mutations without them that have the same effect. Entries become edges, unless they stay unchanged. The
 * caller must write these before the stored state can change.
 *
 * @throws GraphError `conflict` for a condition that does not hold, `invalid_mutation` for an increment that
 * is not possible.
 */
export const resolveMutations = (
  mutations: readonly StoreMutation[],
  stored: StoredState,
  entries: 'as edges' | 'unchanged' = 'as edges',
): readonly StoreMutation[] => {
  if (!mutations.some(isDependent)) return mutations
  const plainMutations: StoreMutation[] = []
  let state: PendingState | undefined
  const getState = (): PendingState => {
    state ??= PendingState.after(plainMutations, stored)
    return state
  }
  const resolve = (
    mutation: StoreMutation,
    index: number,
    last: StoreMutation | undefined,
  ): StoreMutation => {
    if (mutation.op === 'deriveEntry') {
      if (entries === 'unchanged') return mutation
      const { entry } = mutation
      const known = findOriginIn(last, entry)
      return toEdgeMutation(entry, known === undefined ? getState().findOrigin(entry) : known.origin)
    }
    if (!isConditional(mutation)) return mutation
    const found = getState().find(mutation)
    if ('when' in mutation) assertCondition(mutation.when, found, index)
    return toPlainMutation(mutation, found, index)
  }
  let last: StoreMutation | undefined
  for (const [index, mutation] of mutations.entries()) {
    const plainMutation = resolve(mutation, index, last)
    if (mutation.op !== 'deriveEntry') last = plainMutation
    plainMutations.push(plainMutation)
    state?.apply(plainMutation, index)
  }
  return plainMutations
}
