import { describe } from '../../base/describe.ts'
import { invalidMutation } from '../../base/faults.ts'
import type { NodeId } from '../../base/ids.ts'
import type { EdgeRecord, Mutation, NodeRecord, TokenRecord } from '../../store/contract.ts'
import { frozenJson } from './frozen-json.ts'
import type { RecordTable } from './record-table.ts'

/** The types of nodes as the mutations up to here would leave them; undefined stands for no node. */
class TypesAhead {
  readonly #nodes: RecordTable<NodeRecord>
  readonly #changed = new Map<NodeId, string | undefined>()

  constructor(nodes: RecordTable<NodeRecord>) {
    this.#nodes = nodes
  }

  get(id: NodeId): string | undefined {
    const changed = this.#changed.get(id)
    return changed !== undefined || this.#changed.has(id) ? changed : this.#nodes.get(id)?.type
  }

  set(id: NodeId, type: string | undefined): void {
    this.#changed.set(id, type)
  }

  assertExists(id: NodeId, index: number, path: string): void {
    if (this.get(id) === undefined)
      throw invalidMutation(index, path, 'the id of a node that exists', describe(id))
  }
}

const frozenNode = ({ id, type, fields }: NodeRecord): NodeRecord =>
  Object.freeze({ id, type, fields: frozenJson(fields) })

const ownEdge = (edge: EdgeRecord): EdgeRecord =>
  edge.data === undefined ? edge : { ...edge, data: frozenJson(edge.data) }

const frozenToken = ({ viewer, app, scopes, issuedAt, expiresAt, revokedAt }: TokenRecord): TokenRecord =>
  Object.freeze({ viewer, app, scopes: Object.freeze([...scopes]), issuedAt, expiresAt, revokedAt })

const prepareMutation = (types: TypesAhead, mutation: Mutation, index: number): Mutation => {
  switch (mutation.op) {
    case 'putNode': {
      const { id, type } = mutation.node
      const expected = types.get(id) ?? type
      if (type !== expected) throw invalidMutation(index, 'node.type', describe(expected), describe(type))
      types.set(id, type)
      return { op: 'putNode', node: frozenNode(mutation.node) }
    }
    case 'patchNode':
      types.assertExists(mutation.id, index, 'id')
      return { op: 'patchNode', id: mutation.id, fields: frozenJson(mutation.fields) }
    case 'deleteNode':
      types.set(mutation.id, undefined)
      return mutation
    case 'putEdge':
      types.assertExists(mutation.edge.source, index, 'edge.source')
      types.assertExists(mutation.edge.target, index, 'edge.target')
      return { op: 'putEdge', edge: ownEdge(mutation.edge) }
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
 * with its records copied and frozen: applying it can no longer fail, and nothing in it is the caller's any more.
 *
 * @throws {@link GraphError} `invalid_mutation` for a changed type, an edge without both ends, a patch of no node.
 */
export const prepareBatch = (
  nodes: RecordTable<NodeRecord>,
  mutations: readonly Mutation[],
): readonly Mutation[] => {
  const types = new TypesAhead(nodes)
  return mutations.map((mutation, index) => prepareMutation(types, mutation, index))
}
