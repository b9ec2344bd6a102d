import { castDraft, type Immer } from 'immer'
import type { JsonObject } from '../../base/json.ts'
import type { Mutation, NodeRecord } from '../../store/contract.ts'
import { mergeFields } from '../batch/merge-fields.ts'
import { FETCHED, fetchAhead } from './fetch-ahead.ts'
import type { GraphTables } from './graph-tables.ts'
import { deleteEdge, deleteNode, putEdge } from './graph-writes.ts'
import { prepareBatch } from './prepare-batch.ts'

/** Merges into the fields of one record; the rest of it is shared with the old one. */
const patchRecord = (immer: Immer, record: NodeRecord, patch: JsonObject): NodeRecord =>
  immer.produce(record, draft => {
    // An assignment to a field called `__proto__` would not make it one, so the fields are replaced as a whole.
    draft.fields = castDraft(mergeFields(record.fields, patch))
  })

const applyMutation = (
  tables: GraphTables,
  immer: Immer,
  mutation: Mutation,
  source: number,
  target: number,
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
    case 'putEdge': {
      const { edge } = mutation
      putEdge(tables, source || nodes.find(edge.source), target || nodes.find(edge.target), edge)
      break
    }
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
  const batch = prepareBatch(tables.nodes, mutations)
  batch.mutations.forEach((mutation, index) => {
    if (index % FETCHED === 0) fetchAhead(tables, batch, index)
    applyMutation(tables, immer, mutation, batch.ends[2 * index] ?? 0, batch.ends[2 * index + 1] ?? 0)
  })
}
