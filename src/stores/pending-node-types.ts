import { describeValue } from '../base/describe.ts'
import { invalidMutationError } from '../base/errors.ts'
import { isNodeId, type NodeId } from '../base/ids.ts'

/** The types of nodes after the mutations of a batch so far. */
export class PendingNodeTypes {
  readonly #storedTypeOf: (id: NodeId) => string | undefined
  /** The types of the nodes that the batch has put or deleted so far; undefined for a deleted node. */
  readonly #types = new Map<NodeId, string | undefined>()

  constructor(storedTypeOf: (id: NodeId) => string | undefined) {
    this.#storedTypeOf = storedTypeOf
  }

  /** Whether the batch has put or deleted the node, so that the stored node no longer matters. */
  isPutOrDeleted(id: NodeId): boolean {
    return this.#types.size > 0 && this.#types.has(id)
  }

  /**
   * Records a node that is put.
   *
   * @throws GraphError `invalid_mutation` for an invalid id, or if the node exists with another type.
   */
  recordPut({ id, type }: { readonly id: NodeId; readonly type: string }, index: number): void {
    if (!isNodeId(id)) throw invalidMutationError(index, 'node.id', 'a node id', describeValue(id))
    const expected = this.#findType(id) ?? type
    if (type !== expected)
      throw invalidMutationError(index, 'node.type', describeValue(expected), describeValue(type))
    this.#types.set(id, type)
  }

  recordDeletion(id: NodeId): void {
    this.#types.set(id, undefined)
  }

  /**
   * Asserts that a node exists at this point of the batch.
   *
   * @throws GraphError `invalid_mutation` if it does not.
   */
  assertExists(id: NodeId, index: number, path: string): void {
    if (this.#findType(id) === undefined)
      throw invalidMutationError(index, path, 'the id of an existing node', describeValue(id))
  }

  #findType(id: NodeId): string | undefined {
    return this.isPutOrDeleted(id) ? this.#types.get(id) : this.#storedTypeOf(id)
  }
}
