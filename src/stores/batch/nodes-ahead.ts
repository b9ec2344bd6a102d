import { describe } from '../../base/describe.ts'
import { invalidMutation } from '../../base/faults.ts'
import { isNodeId, type NodeId } from '../../base/ids.ts'

/** The types of nodes as the mutations of a batch up to here would leave them. */
export class NodesAhead {
  readonly #typeOf: (id: NodeId) => string | undefined
  /** The types of those put or deleted so far; undefined stands for no node. */
  readonly #types = new Map<NodeId, string | undefined>()

  constructor(typeOf: (id: NodeId) => string | undefined) {
    this.#typeOf = typeOf
  }

  /** Whether the batch has put or deleted the node, so that the store itself knows nothing of it any more. */
  isWritten(id: NodeId): boolean {
    return this.#types.size > 0 && this.#types.has(id)
  }

  /** @throws GraphError `invalid_mutation` where the id is none, or the node has another type. */
  put({ id, type }: { readonly id: NodeId; readonly type: string }, index: number): void {
    if (!isNodeId(id)) throw invalidMutation(index, 'node.id', 'a node id', describe(id))
    const expected = this.#find(id) ?? type
    if (type !== expected) throw invalidMutation(index, 'node.type', describe(expected), describe(type))
    this.#types.set(id, type)
  }

  delete(id: NodeId): void {
    this.#types.set(id, undefined)
  }

  /** @throws GraphError `invalid_mutation` where there is no such node. */
  assertThere(id: NodeId, index: number, path: string): void {
    if (this.#find(id) === undefined)
      throw invalidMutation(index, path, 'the id of a node that exists', describe(id))
  }

  #find(id: NodeId): string | undefined {
    return this.isWritten(id) ? this.#types.get(id) : this.#typeOf(id)
  }
}
