import { conflictError, invalidMutationError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../base/json.ts'
import { type Increment, isConditional, type WriteCondition } from '../store/conditional.ts'
import type { EdgeKey, StoreMutation } from '../store/contract.ts'
import { findMirror } from '../store/mirrors.ts'
import { mergeFields, toEdgeKeyText } from './batch.ts'

/** The members of a node or an edge; undefined if it does not exist. */
type Found = JsonObject | undefined

/** Returns the fields of nodes and the data of edges before a batch; undefined if they do not exist. */
export type StoredState = {
  readonly nodeOf: (id: NodeId) => JsonObject | undefined
  /** The data of an existing edge without data is an empty object. */
  readonly edgeOf: (edge: EdgeKey) => JsonObject | undefined
}

/** Returns the nodes and edges on which the conditions and increments of a batch depend. */
export const collectConditionKeys = (mutations: readonly StoreMutation[]) => {
  const nodes = new Set<NodeId>()
  const edges: EdgeKey[] = []
  for (const mutation of mutations) {
    if (!isConditional(mutation)) continue
    if (mutation.op === 'putEdge' || mutation.op === 'deleteEdge') edges.push(mutation.edge)
    else if (mutation.op === 'putNode') nodes.add(mutation.node.id)
    else if (mutation.op === 'patchNode' || mutation.op === 'deleteNode') nodes.add(mutation.id)
  }
  return { nodes: [...nodes], edges }
}

const isSameMember = (members: JsonObject, name: string, expected: JsonValue): boolean => {
  const found = Object.hasOwn(members, name) ? members[name] : undefined
  return expected === null ? found === undefined || found === null : isSameJson(found, expected)
}

/**
 * Asserts that the condition of a mutation holds.
 *
 * @throws GraphError `conflict` if it does not.
 */
export const assertCondition = (when: WriteCondition | undefined, found: Found, index: number): void => {
  if (when === undefined) return
  if ('exists' in when) {
    if (when.exists !== (found !== undefined)) throw conflictError(index, 'when.exists', found)
    return
  }
  if (found === undefined) throw conflictError(index, 'when.exists', found)
  for (const [name, expected] of Object.entries(when.fields))
    if (!isSameMember(found, name, expected)) throw conflictError(index, `when.fields.${name}`, found[name])
}

/**
 * Returns the values of a patch after its increments.
 *
 * @throws GraphError `invalid_mutation` if a stored value is not a number, or if a result is out of bounds or
 * not an integer.
 */
export const applyIncrements = (
  increments: { readonly [name: string]: Increment },
  found: JsonObject,
  index: number,
): JsonObject =>
  Object.fromEntries(
    Object.entries(increments).map(([name, { by, min, max, isInteger }]) => {
      const old = (Object.hasOwn(found, name) ? found[name] : undefined) ?? 0
      const path = `increment.${name}`
      if (typeof old !== 'number')
        throw invalidMutationError(
          index,
          path,
          'an increment of a stored number',
          'a stored value of another type',
        )
      const sum = old + by
      if (!(sum >= min && sum <= max))
        throw invalidMutationError(
          index,
          path,
          `an increment whose result is at least ${min} and at most ${max}`,
          `${by}`,
        )
      if (isInteger && !Number.isInteger(sum))
        throw invalidMutationError(index, path, 'an increment whose result is an integer', `${by}`)
      return [name, sum]
    }),
  )

/** The state of the nodes and edges of a batch, after the mutations so far. */
class PendingState {
  readonly #stored: StoredState
  readonly #nodes = new Map<NodeId, Found>()
  /** The last change of each edge, and the index of its mutation. */
  readonly #edges = new Map<string, { readonly index: number; readonly data: Found }>()
  /** The index of the last deletion of each node. */
  readonly #deletionIndexes = new Map<NodeId, number>()

  constructor(stored: StoredState) {
    this.#stored = stored
  }

  find(mutation: StoreMutation): Found {
    if (mutation.op === 'putEdge' || mutation.op === 'deleteEdge') return this.#findEdge(mutation.edge)
    if (mutation.op === 'putNode') return this.#findNode(mutation.node.id)
    return mutation.op === 'patchNode' || mutation.op === 'deleteNode'
      ? this.#findNode(mutation.id)
      : undefined
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
        const data = mutation.op === 'putEdge' ? (mutation.edge.data ?? {}) : undefined
        const mirror = findMirror(mutation, index)
        for (const key of [mutation.edge, ...(mirror ? [mirror] : [])])
          this.#edges.set(toEdgeKeyText(key), { index, data })
      }
    }
  }

  #findNode(id: NodeId): Found {
    return this.#nodes.has(id) ? this.#nodes.get(id) : this.#stored.nodeOf(id)
  }

  #findEdge(edge: EdgeKey): Found {
    const change = this.#edges.get(toEdgeKeyText(edge))
    const deletionIndex = Math.max(
      this.#deletionIndexes.get(edge.source) ?? -1,
      this.#deletionIndexes.get(edge.target) ?? -1,
    )
    if (change !== undefined && change.index > deletionIndex) return change.data
    return deletionIndex >= 0 ? undefined : this.#stored.edgeOf(edge)
  }
}

/** Returns the mutation without its condition and its increments, which become a part of its fields. */
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
 * Evaluates the conditions and increments of a batch, each after the mutations before it, and returns
 * mutations without them that have the same effect. The caller must write these before the stored state can
 * change.
 *
 * @throws GraphError `conflict` for a condition that does not hold, `invalid_mutation` for an increment that
 * is not possible.
 */
export const resolveConditions = (
  mutations: readonly StoreMutation[],
  stored: StoredState,
): readonly StoreMutation[] => {
  if (!mutations.some(isConditional)) return mutations
  const state = new PendingState(stored)
  return mutations.map((mutation, index) => {
    const found = state.find(mutation)
    if ('when' in mutation) assertCondition(mutation.when, found, index)
    const plainMutation = toPlainMutation(mutation, found, index)
    state.apply(plainMutation, index)
    return plainMutation
  })
}
