import { describe } from '../../base/describe.ts'
import type { NodeId } from '../../base/ids.ts'
import type { EdgeRecord, Mutation, NodeRecord, TokenRecord } from '../../store/contract.ts'
import { NodesAhead } from '../batch/nodes-ahead.ts'
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

/** The number of a node that must exist; 0 where the batch has written it. */
const numberOf = (
  nodes: RecordTable<NodeRecord>,
  ahead: NodesAhead,
  id: NodeId,
  index: number,
  path: string,
): number => {
  const number = ahead.isWritten(id) ? 0 : nodes.find(id)
  if (number === 0) ahead.assertThere(id, index, path)
  return number
}

const frozenNode = ({ id, type, fields }: NodeRecord): NodeRecord =>
  Object.freeze({ id, type, fields: frozenJson(fields) })

const ownEdge = (edge: EdgeRecord): EdgeRecord =>
  edge.data === undefined ? edge : { ...edge, data: frozenJson(edge.data) }

const frozenToken = ({ viewer, app, scopes, issuedAt, expiresAt, revokedAt }: TokenRecord): TokenRecord =>
  Object.freeze({ viewer, app, scopes: Object.freeze([...scopes]), issuedAt, expiresAt, revokedAt })

const prepareMutation = (
  nodes: RecordTable<NodeRecord>,
  ahead: NodesAhead,
  mutation: Mutation,
  index: number,
): PreparedMutation => {
  switch (mutation.op) {
    case 'putNode':
      ahead.put(mutation.node, index)
      return { op: 'putNode', node: frozenNode(mutation.node) }
    case 'patchNode':
      ahead.assertThere(mutation.id, index, 'id')
      return { op: 'patchNode', id: mutation.id, fields: frozenJson(mutation.fields) }
    case 'deleteNode':
      ahead.delete(mutation.id)
      return mutation
    case 'putEdge': {
      const { edge } = mutation
      const source = numberOf(nodes, ahead, edge.source, index, 'edge.source')
      const target = numberOf(nodes, ahead, edge.target, index, 'edge.target')
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
  const ahead = new NodesAhead(id => nodes.get(id)?.type)
  return mutations.map((mutation, index) => prepareMutation(nodes, ahead, mutation, index))
}
