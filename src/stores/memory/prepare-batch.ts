import { describe } from '../../base/describe.ts'
import type { NodeId } from '../../base/ids.ts'
import type { EdgeRecord, Mutation, NodeRecord } from '../../store/contract.ts'
import { NodesAhead } from '../batch/nodes-ahead.ts'
import { frozenJson, frozenToken } from './frozen-json.ts'
import type { RecordTable } from './record-table.ts'

/** Mutations that can no longer fail, and of which nothing is the caller's any more. */
export type PreparedBatch = {
  readonly mutations: readonly Mutation[]
  /** The numbers of the source and the target of each edge to put; 0 where an end only comes with this batch. */
  readonly ends: readonly number[]
}

const frozenNode = ({ id, type, fields }: NodeRecord): NodeRecord =>
  Object.freeze({ id, type, fields: frozenJson(fields) })

const ownEdge = (edge: EdgeRecord): EdgeRecord =>
  edge.data === undefined ? edge : { ...edge, data: frozenJson(edge.data) }

const prepareMutation = (ahead: NodesAhead, mutation: Mutation, index: number): Mutation => {
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
    case 'putEdge':
      return mutation.edge.data === undefined ? mutation : { op: 'putEdge', edge: ownEdge(mutation.edge) }
    case 'deleteEdge':
    case 'deleteToken':
      return mutation
    case 'putToken':
      return { op: 'putToken', digest: mutation.digest, token: frozenToken(mutation.token) }
    default:
      throw new TypeError(`mutation ${index}: expected an op such as "putNode", came ${describe(mutation)}`)
  }
}

/** The numbers that the nodes at the ends of edges have before a batch, two for each of its mutations. */
const endsOf = (nodes: RecordTable<NodeRecord>, mutations: readonly Mutation[]): number[] => {
  const ids: NodeId[] = []
  for (const mutation of mutations) {
    if (mutation.op === 'putEdge') ids.push(mutation.edge.source, mutation.edge.target)
    else ids.push('', '')
  }
  return nodes.findAll(ids)
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
): PreparedBatch => {
  const ahead = new NodesAhead(id => nodes.get(id)?.type)
  const ends = endsOf(nodes, mutations)
  /** Leaves the number of an end where the batch has not written it, else asserts that it will be there. */
  const checkEnd = (id: NodeId, at: number, path: string): void => {
    if (ends[at] !== 0 && !ahead.isWritten(id)) return
    ahead.assertThere(id, at >>> 1, path)
    ends[at] = 0
  }
  const prepared = mutations.map((mutation, index) => {
    if (mutation.op === 'putEdge') {
      checkEnd(mutation.edge.source, 2 * index, 'edge.source')
      checkEnd(mutation.edge.target, 2 * index + 1, 'edge.target')
    }
    return prepareMutation(ahead, mutation, index)
  })
  return { mutations: prepared, ends }
}
