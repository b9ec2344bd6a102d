import { castDraft, type Immer } from 'immer'
import type { JsonObject } from '../../base/json.ts'
import type { Mutation, NodeRecord } from '../../store/contract.ts'
import { mergeFields } from '../batch/merge-fields.ts'
import { FETCHED, fetchAhead } from './fetch-ahead.ts'
import type { GraphTables } from './graph-tables.ts'
import { deleteEdge, deleteNode, openList, putEdge } from './graph-writes.ts'
import { prepareBatch } from './prepare-batch.ts'

/** Merges into the fields of one record; the rest of it is shared with the old one. */
const patchRecord = (immer: Immer, record: NodeRecord, patch: JsonObject): NodeRecord =>
  immer.produce(record, draft => {
    // An assignment to a field called `__proto__` would not make it one, so the fields are replaced as a whole.
    draft.fields = castDraft(mergeFields(record.fields, patch))
  })

/** Applies any mutation but that of putting an edge. */
const applyMutation = (
  tables: GraphTables,
  immer: Immer,
  mutation: Exclude<Mutation, { op: 'putEdge' }>,
): void => {
  const { nodes, tokens } = tables
  switch (mutation.op) {
    case 'putNode':
      nodes.put(mutation.node.id, mutation.node)
      break
    case 'patchNode': {
      const record = nodes.get(mutation.id)
      if (record !== undefined) nodes.put(mutation.id, patchRecord(immer, record, mutation.fields))
      break
    }
    case 'deleteNode':
      deleteNode(tables, mutation.id)
      break
    case 'deleteEdge':
      deleteEdge(tables, mutation.edge)
      break
    case 'putToken':
      tokens.put(mutation.digest, mutation.token)
      break
    case 'deleteToken':
      tokens.delete(mutation.digest)
  }
}

/** Writes a batch: all of it, or none where `prepareBatch` throws. */
export const writeBatch = (tables: GraphTables, immer: Immer, mutations: readonly Mutation[]): void => {
  const { nodes } = tables
  const batch = prepareBatch(nodes, mutations)
  let lists: readonly number[] = []
  batch.mutations.forEach((mutation, index) => {
    if (index % FETCHED === 0) lists = fetchAhead(tables, batch, index)
    if (mutation.op !== 'putEdge') {
      applyMutation(tables, immer, mutation)
      return
    }
    const { edge } = mutation
    const source = batch.ends[2 * index] || nodes.find(edge.source)
    const target = batch.ends[2 * index + 1] || nodes.find(edge.target)
    putEdge(tables, lists[index % FETCHED] || openList(tables, source, edge.name), target, edge)
  })
}
