import { describeValue } from '../base/describe.ts'
import type { NodeId } from '../base/ids.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { usageError } from '../base/usage-error.ts'
import type { EdgeKey, EdgeRecord, NodeRecord, TokenRecord } from '../store/contract.ts'
import { ROOT_ID } from '../store/derived-entries.ts'
import { createMirrorRecord, findMirror } from '../store/mirrors.ts'
import type { StoreMutation } from '../store/mutations.ts'
import { assertDigest } from '../store/token-record.ts'
import { PendingNodeTypes } from './pending-node-types.ts'

/**
 * Returns the members of both objects. The members of the patch are last, in the order of the patch, so that
 * applying two patches and applying their joined patch lead to the same order. Keeps every null of the patch.
 */
const mergeEntries = (fields: JsonObject, patch: JsonObject): readonly (readonly [string, JsonValue])[] => [
  ...Object.entries(fields).filter(([name]) => !Object.hasOwn(patch, name)),
  ...Object.entries(patch),
]

/** Applies a patch to fields; null removes a field. Any name is a plain member, including `__proto__`. */
export const mergeFields = (fields: JsonObject, patch: JsonObject): JsonObject =>
  Object.fromEntries(
    mergeEntries(fields, patch).filter(([name, value]) => value !== null || !Object.hasOwn(patch, name)),
  )

/** Joins two patches into one with the same effect. */
export const mergePatches = (first: JsonObject, second: JsonObject): JsonObject =>
  Object.fromEntries(mergeEntries(first, second))

/**
 * The effect of a batch. Applying its members in the order of this type has the same result as applying the
 * mutations one by one. No key occurs twice in a member.
 */
export type BatchEffect = {
  /**
   * Nodes to delete, with their edges in both directions. `nodePuts` may create such a node again, without
   * the edges.
   */
  readonly nodeDeletions: readonly NodeId[]
  readonly nodePuts: readonly NodeRecord[]
  /** Patches of nodes that the batch neither puts nor deletes; null removes a field. */
  readonly nodePatches: readonly { readonly id: NodeId; readonly fields: JsonObject }[]
  readonly edgeDeletions: readonly EdgeKey[]
  /** Edges whose ends exist after the batch. */
  readonly edgePuts: readonly EdgeRecord[]
  /**
   * Returns the other side of an edge if one mirrored mutation was the last change of both edges, otherwise
   * undefined. Both sides are members of `edgeDeletions`, or both of `edgePuts`.
   */
  readonly mirrorOf: (edge: EdgeKey) => EdgeKey | undefined
  readonly tokenDeletions: readonly string[]
  readonly tokenPuts: readonly { readonly digest: string; readonly token: TokenRecord }[]
  /** The values of completion flags by name. */
  readonly flags: ReadonlyMap<string, string>
}

/** Returns the ids whose types `foldBatch` needs. */
export const collectNodeIds = (mutations: readonly StoreMutation[]): ReadonlySet<NodeId> => {
  const ids = new Set<NodeId>()
  for (const mutation of mutations) {
    if (mutation.op === 'putNode') ids.add(mutation.node.id)
    else if (mutation.op === 'patchNode') ids.add(mutation.id)
    else if (mutation.op === 'putEdge') {
      if (mutation.edge.source !== ROOT_ID) ids.add(mutation.edge.source)
      ids.add(mutation.edge.target)
    } else if (mutation.op === 'deriveEntry') {
      if (mutation.entry.source !== ROOT_ID) ids.add(mutation.entry.source)
      ids.add(mutation.entry.target)
    }
  }
  return ids
}

/** The last change of an edge, by the mutation at `index`; `edge` is undefined for a deletion. */
type LastEdgeChange = {
  readonly index: number
  readonly key: EdgeKey
  readonly edge: EdgeRecord | undefined
  /** The other side, if the mutation is mirrored. */
  readonly mirror: EdgeKey | undefined
}

type MutationOf<TOp extends StoreMutation['op']> = Extract<StoreMutation, { readonly op: TOp }>

/**
 * Returns a unique text for the key of an edge. Ids contain only digits, so no other edge has the same text.
 */
export const toEdgeKeyText = ({ source, name, target }: EdgeKey): string => `${source} ${target} ${name}`

const applyPatch = (node: NodeRecord, fields: JsonObject): NodeRecord => ({
  ...node,
  fields: mergeFields(node.fields, fields),
})

/** Collects mutations in order, and drops mutations that later mutations undo. */
class BatchFold {
  readonly #nodeTypes: PendingNodeTypes
  /** The index of the last deletion of each node. */
  readonly #nodeDeletionIndexes = new Map<NodeId, number>()
  readonly #nodes = new Map<NodeId, NodeRecord>()
  readonly #patches = new Map<NodeId, JsonObject>()
  readonly #edges = new Map<string, LastEdgeChange>()
  readonly #tokens = new Map<string, TokenRecord | undefined>()
  readonly #flags = new Map<string, string>()

  constructor(nodeTypes: PendingNodeTypes) {
    this.#nodeTypes = nodeTypes
  }

  addMutation(mutation: StoreMutation, index: number): void {
    switch (mutation.op) {
      case 'putNode':
        this.#putNode(mutation.node, index)
        break
      case 'patchNode':
        this.#patchNode(mutation.id, mutation.fields, index)
        break
      case 'deleteNode':
        this.#deleteNode(mutation.id, index)
        break
      case 'putEdge':
        this.#putEdge(mutation, index)
        break
      case 'deleteEdge':
        this.#deleteEdge(mutation, index)
        break
      case 'putToken':
        this.#setToken(mutation.digest, mutation.token)
        break
      case 'deleteToken':
        this.#setToken(mutation.digest, undefined)
        break
      case 'putFlag':
        this.#flags.set(mutation.flag.name, mutation.flag.value)
        break
      case 'deriveEntry':
        break
      default:
        throw usageError(
          'store.write',
          `mutations[${index}]`,
          'a mutation with an "op" such as "putNode"',
          describeValue(mutation),
        )
    }
  }

  toEffect(): BatchEffect {
    const edges = [...this.#edges.values()].filter(({ index, key }) =>
      this.#survivesNodeDeletions(index, key),
    )
    const tokens = [...this.#tokens]
    return {
      nodeDeletions: [...this.#nodeDeletionIndexes.keys()],
      nodePuts: [...this.#nodes.values()],
      nodePatches: [...this.#patches].map(([id, fields]) => ({ id, fields })),
      edgeDeletions: edges.flatMap(({ key, edge }) => (edge === undefined ? [key] : [])),
      edgePuts: edges.flatMap(({ edge }) => edge ?? []),
      mirrorOf: edge => this.#findSharedMirror(edge),
      tokenDeletions: tokens.flatMap(([digest, token]) => (token === undefined ? [digest] : [])),
      tokenPuts: tokens.flatMap(([digest, token]) => (token === undefined ? [] : { digest, token })),
      flags: this.#flags,
    }
  }

  #putNode(node: NodeRecord, index: number): void {
    this.#nodeTypes.recordPut(node, index)
    this.#nodes.set(node.id, node)
    this.#patches.delete(node.id)
  }

  #patchNode(id: NodeId, fields: JsonObject, index: number): void {
    this.#nodeTypes.assertExists(id, index, 'id')
    const node = this.#nodes.get(id)
    if (node !== undefined) this.#nodes.set(id, applyPatch(node, fields))
    else this.#patches.set(id, mergePatches(this.#patches.get(id) ?? {}, fields))
  }

  #deleteNode(id: NodeId, index: number): void {
    this.#nodeTypes.recordDeletion(id)
    this.#nodeDeletionIndexes.set(id, index)
    this.#nodes.delete(id)
    this.#patches.delete(id)
  }

  #putEdge(mutation: MutationOf<'putEdge'>, index: number): void {
    const { edge } = mutation
    const mirror = findMirror(mutation, index)
    if (edge.source !== ROOT_ID) this.#nodeTypes.assertExists(edge.source, index, 'edge.source')
    this.#nodeTypes.assertExists(edge.target, index, 'edge.target')
    this.#setEdge({ index, key: edge, edge, mirror })
    if (mirror === undefined) return
    const mirrorRecord = createMirrorRecord(edge, mirror)
    this.#setEdge({ index, key: mirror, edge: mirrorRecord, mirror: edge })
  }

  #deleteEdge(mutation: MutationOf<'deleteEdge'>, index: number): void {
    const { edge } = mutation
    const mirror = findMirror(mutation, index)
    this.#setEdge({ index, key: edge, edge: undefined, mirror })
    if (mirror !== undefined) this.#setEdge({ index, key: mirror, edge: undefined, mirror: edge })
  }

  #setEdge(change: LastEdgeChange): void {
    this.#edges.set(toEdgeKeyText(change.key), change)
  }

  /** Returns the other side of an edge, if the same mutation was the last change of both. */
  #findSharedMirror(edge: EdgeKey): EdgeKey | undefined {
    const change = this.#edges.get(toEdgeKeyText(edge))
    if (change?.mirror === undefined) return undefined
    const { index } = this.#edges.get(toEdgeKeyText(change.mirror)) ?? {}
    return index === change.index ? change.mirror : undefined
  }

  #setToken(digest: string, token: TokenRecord | undefined): void {
    assertDigest('store.write', digest)
    this.#tokens.set(digest, token)
  }

  /** Whether neither end of an edge was deleted after the mutation at `index`. */
  #survivesNodeDeletions(index: number, { source, target }: EdgeKey): boolean {
    return (
      index > (this.#nodeDeletionIndexes.get(source) ?? -1) &&
      index > (this.#nodeDeletionIndexes.get(target) ?? -1)
    )
  }
}

/**
 * Validates a batch in order, each mutation after the effects of the previous ones, and returns the effect of
 * the whole batch. Entries are left out: a store that keeps them as edges must resolve them first. `typeOf` returns
 * the type of a stored node, for the ids of `collectNodeIds`, or undefined if the node does not exist.
 *
 * @throws GraphError `invalid_mutation` if a mutation would change the type of a node, puts an edge without
 * both ends, or patches a missing node; TypeError for the mirror of another edge.
 */
export const foldBatch = (
  mutations: readonly StoreMutation[],
  typeOf: (id: NodeId) => string | undefined,
): BatchEffect => {
  const fold = new BatchFold(new PendingNodeTypes(typeOf))
  mutations.forEach((mutation, index) => {
    fold.addMutation(mutation, index)
  })
  return fold.toEffect()
}
