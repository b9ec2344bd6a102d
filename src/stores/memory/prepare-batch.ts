import { describe } from '../../base/describe.ts'
import { invalidMutation } from '../../base/faults.ts'
import { isNodeId, type NodeId } from '../../base/ids.ts'
import type { EdgeRecord, Mutation, NodeRecord, TokenRecord } from '../../store/contract.ts'
import { frozenJson } from './frozen-json.ts'
import type { RecordTable } from './record-table.ts'

/** A mutation that can no longer fail, and of which nothing is the caller's any more. */
export type PreparedMutation = Exclude<Mutation, { op: 'putEdge' }> | PreparedEdge

/** An edge to put, with the numbers of its ends; 0 where an end only comes with this batch. */
export type PreparedEdge = {
  readonly op: 'putEdge'
  readonly edge: EdgeRecord
  readonly source: number
  readonly target: number
}

/** The nodes as the mutations up to here would leave them. */
class NodesAhead {
  readonly #nodes: RecordTable<NodeRecord>
  /** The types of those put or deleted so far; undefined stands for no node. */
  readonly #types = new Map<NodeId, string | undefined>()

  constructor(nodes: RecordTable<NodeRecord>) {
    this.#nodes = nodes
  }

  typeOf(id: NodeId): string | undefined {
    return this.#types.has(id) ? this.#types.get(id) : this.#nodes.get(id)?.type
  }

  setType(id: NodeId, type: string | undefined): void {
    this.#types.set(id, type)
  }

  /** The number of a node that must exist; 0 where the batch has written it. */
  numberOf(id: NodeId, index: number, path: string): number {
    const isWritten = this.#types.has(id)
    const number = isWritten ? 0 : this.#nodes.find(id)
    if (number === 0 && this.#types.get(id) === undefined) {
      throw invalidMutation(index, path, 'the id of a node that exists', describe(id))
    }
    return number
  }
}

const frozenNode = ({ id, type, fields }: NodeRecord): NodeRecord =>
  Object.freeze({ id, type, fields: frozenJson(fields) })

const ownEdge = (edge: EdgeRecord): EdgeRecord =>
  edge.data === undefined ? edge : { ...edge, data: frozenJson(edge.data) }

const frozenToken = ({ viewer, app, scopes, issuedAt, expiresAt, revokedAt }: TokenRecord): TokenRecord =>
  Object.freeze({ viewer, app, scopes: Object.freeze([...scopes]), issuedAt, expiresAt, revokedAt })

const prepareMutation = (nodes: NodesAhead, mutation: Mutation, index: number): PreparedMutation => {
  switch (mutation.op) {
    case 'putNode': {
      const { id, type } = mutation.node
      if (!isNodeId(id)) throw invalidMutation(index, 'node.id', 'a node id', describe(id))
      const expected = nodes.typeOf(id) ?? type
      if (type !== expected) throw invalidMutation(index, 'node.type', describe(expected), describe(type))
      nodes.setType(id, type)
      return { op: 'putNode', node: frozenNode(mutation.node) }
    }
    case 'patchNode':
      nodes.numberOf(mutation.id, index, 'id')
      return { op: 'patchNode', id: mutation.id, fields: frozenJson(mutation.fields) }
    case 'deleteNode':
      nodes.setType(mutation.id, undefined)
      return mutation
    case 'putEdge': {
      const { edge } = mutation
      const source = nodes.numberOf(edge.source, index, 'edge.source')
      const target = nodes.numberOf(edge.target, index, 'edge.target')
      return { op: 'putEdge', edge: ownEdge(edge), source, target }
    }
    case 'deleteEdge':
    case 'deleteToken':
      return mutation
    case 'putToken':
      return { op: 'putToken', digest: mutation.digest, token: frozenToken(mutation.token) }
    default:
      throw new TypeError(`mutation ${index}: expected an op such as "putNode", came ${describe(mutation)}`)
  }
}

/**
 * Checks a whole batch against the nodes there are, each mutation after the effects of those before it, and answers it
 * with its records copied and frozen.
 *
 * @throws GraphError `invalid_mutation` for a changed type, an edge without both ends, a patch of no node.
 */
export const prepareBatch = (
  nodes: RecordTable<NodeRecord>,
  mutations: readonly Mutation[],
): readonly PreparedMutation[] => {
  const ahead = new NodesAhead(nodes)
  return mutations.map((mutation, index) => prepareMutation(ahead, mutation, index))
}
