import { describe } from '../../base/describe.ts'
import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeRecord, EdgeTest, Mutation, NodeRecord, TokenRecord } from '../../store/contract.ts'
import { joinPatches, mergeFields } from './merge-fields.ts'
import { NodesAhead } from './nodes-ahead.ts'

/**
 * What a batch comes to: done one part after another, in the order of the members here, it leaves the store as its
 * mutations would have done one by one. No key occurs twice in a part.
 */
export type BatchEffect = {
  /** Nodes that go, with their edges in both directions; `putNodes` may bring one back, without them. */
  readonly deleteNodes: readonly NodeId[]
  readonly putNodes: readonly NodeRecord[]
  /** Patches of nodes that the batch neither puts nor deletes; null removes a field. */
  readonly patchNodes: readonly { readonly id: NodeId; readonly fields: JsonObject }[]
  readonly deleteEdges: readonly EdgeTest[]
  /** Edges whose ends are there after the batch. */
  readonly putEdges: readonly EdgeRecord[]
  readonly deleteTokens: readonly string[]
  readonly putTokens: readonly { readonly digest: string; readonly token: TokenRecord }[]
}

/** The ids whose types `foldBatch` asks for. */
export const idsOf = (mutations: readonly Mutation[]): ReadonlySet<NodeId> => {
  const ids = new Set<NodeId>()
  for (const mutation of mutations) {
    if (mutation.op === 'putNode') ids.add(mutation.node.id)
    else if (mutation.op === 'patchNode') ids.add(mutation.id)
    else if (mutation.op === 'putEdge') ids.add(mutation.edge.source).add(mutation.edge.target)
  }
  return ids
}

/** The last that was said of an edge; `edge` is undefined where it was to be deleted. */
type EdgeWord = { readonly index: number; readonly key: EdgeTest; readonly edge: EdgeRecord | undefined }

/** Ids are digits, so that no other edge has this text. */
const textOf = ({ source, name, target }: EdgeTest): string => `${source} ${target} ${name}`

const patched = (node: NodeRecord, fields: JsonObject): NodeRecord => ({
  ...node,
  fields: mergeFields(node.fields, fields),
})

/** Takes mutations in their order, and keeps of them what is not undone by later ones. */
class BatchFold {
  readonly #ahead: NodesAhead
  /** The places in the batch of the last deletions of nodes. */
  readonly #deletions = new Map<NodeId, number>()
  readonly #nodes = new Map<NodeId, NodeRecord>()
  readonly #patches = new Map<NodeId, JsonObject>()
  readonly #edges = new Map<string, EdgeWord>()
  readonly #tokens = new Map<string, TokenRecord | undefined>()

  constructor(ahead: NodesAhead) {
    this.#ahead = ahead
  }

  add(mutation: Mutation, index: number): void {
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
        this.#putEdge(mutation.edge, index)
        break
      case 'deleteEdge':
        this.#edges.set(textOf(mutation.edge), { index, key: mutation.edge, edge: undefined })
        break
      case 'putToken':
        this.#tokens.set(mutation.digest, mutation.token)
        break
      case 'deleteToken':
        this.#tokens.set(mutation.digest, undefined)
        break
      default:
        throw new TypeError(`mutation ${index}: expected an op such as "putNode", came ${describe(mutation)}`)
    }
  }

  effect(): BatchEffect {
    const edges = [...this.#edges.values()].filter(({ index, key }) => this.#outlives(index, key))
    const tokens = [...this.#tokens]
    return {
      deleteNodes: [...this.#deletions.keys()],
      putNodes: [...this.#nodes.values()],
      patchNodes: [...this.#patches].map(([id, fields]) => ({ id, fields })),
      deleteEdges: edges.flatMap(({ key, edge }) => (edge === undefined ? [key] : [])),
      putEdges: edges.flatMap(({ edge }) => edge ?? []),
      deleteTokens: tokens.flatMap(([digest, token]) => (token === undefined ? [digest] : [])),
      putTokens: tokens.flatMap(([digest, token]) => (token === undefined ? [] : { digest, token })),
    }
  }

  #putNode(node: NodeRecord, index: number): void {
    this.#ahead.put(node, index)
    this.#nodes.set(node.id, node)
    this.#patches.delete(node.id)
  }

  #patchNode(id: NodeId, fields: JsonObject, index: number): void {
    this.#ahead.assertThere(id, index, 'id')
    const node = this.#nodes.get(id)
    if (node !== undefined) this.#nodes.set(id, patched(node, fields))
    else this.#patches.set(id, joinPatches(this.#patches.get(id) ?? {}, fields))
  }

  #deleteNode(id: NodeId, index: number): void {
    this.#ahead.delete(id)
    this.#deletions.set(id, index)
    this.#nodes.delete(id)
    this.#patches.delete(id)
  }

  #putEdge(edge: EdgeRecord, index: number): void {
    this.#ahead.assertThere(edge.source, index, 'edge.source')
    this.#ahead.assertThere(edge.target, index, 'edge.target')
    this.#edges.set(textOf(edge), { index, key: edge, edge })
  }

  /** Whether neither end of an edge was deleted after it was spoken of. */
  #outlives(index: number, { source, target }: EdgeTest): boolean {
    return index > (this.#deletions.get(source) ?? -1) && index > (this.#deletions.get(target) ?? -1)
  }
}

/**
 * Checks a batch in its order, each mutation after the effects of those before it, and answers what all of it comes
 * to. `typeOf` tells the type of a node that the store holds, for the ids of `idsOf`; undefined stands for no node.
 *
 * @throws GraphError `invalid_mutation` for a changed type, an edge without both ends, a patch of no node.
 */
export const foldBatch = (
  mutations: readonly Mutation[],
  typeOf: (id: NodeId) => string | undefined,
): BatchEffect => {
  const fold = new BatchFold(new NodesAhead(typeOf))
  mutations.forEach((mutation, index) => {
    fold.add(mutation, index)
  })
  return fold.effect()
}
