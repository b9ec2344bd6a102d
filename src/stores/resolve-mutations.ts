import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { isConditional } from '../store/conditional.ts'
import type { EdgeKey } from '../store/contract.ts'
import {
  type DerivedEntry,
  deriveEntry,
  type EntryOrigin,
  edgeOfEntry,
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

/** Returns the mutation that writes or deletes an entry, as its record requires. */
const toEdgeMutation = (entry: DerivedEntry, state: PendingState): StoreMutation => {
  const edge = deriveEntry(entry, state.findOrigin(entry))
  const { source, name, target } = entry
  return edge === undefined ? { op: 'deleteEdge', edge: { source, name, target } } : { op: 'putEdge', edge }
}

/**
 * Returns the mutation without its condition and its increments, which become a part of its fields.
 */
const toPlainMutation = (mutation: StoreMutation, found: Found, index: number): StoreMutation => {
  if (!isConditional(mutation)) return mutation
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
 * mutations without them that have the same effect. Entries become edges, unless they stay unchanged. The caller must write these before the stored state can
 * change.
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
  const state = new PendingState(stored)
  return mutations.map((mutation, index) => {
    const found = state.find(mutation)
    if ('when' in mutation) assertCondition(mutation.when, found, index)
    const plainMutation =
      mutation.op === 'deriveEntry' && entries === 'as edges'
        ? toEdgeMutation(mutation.entry, state)
        : toPlainMutation(mutation, found, index)
    state.apply(plainMutation, index)
    return plainMutation
  })
}
