import { castDraft, type Immer } from 'immer'
import type { JsonObject } from '../../base/json.ts'
import type { NodeRecord, StoreMutation } from '../../store/contract.ts'
import { mergeFields } from '../batch/merge-fields.ts'
import type { GraphTables } from './graph-tables.ts'
import { deleteEdge, deleteNode, findOrCreateList, putEdge } from './graph-writes.ts'
import { PREFETCH_COUNT, prefetchLists } from './prefetch-lists.ts'
import { prepareBatch } from './prepare-batch.ts'

/** Merges a patch into the fields of a record. The other members are shared with the old record. */
const patchRecord = (immer: Immer, record: NodeRecord, patch: JsonObject): NodeRecord =>
  immer.produce(record, draft => {
    // An assignment cannot create a field called `__proto__`, so the fields are replaced as a whole.
    draft.fields = castDraft(mergeFields(record.fields, patch))
  })

/** Applies any mutation except that of putting an edge. */
const applyMutation = (
  tables: GraphTables,
  immer: Immer,
  mutation: Exclude<StoreMutation, { op: 'putEdge' }>,
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

/** Writes a batch: all of it, or nothing if `prepareBatch` throws. */
export const writeBatch = (tables: GraphTables, immer: Immer, mutations: readonly StoreMutation[]): void => {
  const { nodes } = tables
  const batch = prepareBatch(nodes, mutations)
  let prefetchedLists: readonly number[] = []
  batch.mutations.forEach((mutation, index) => {
    if (index % PREFETCH_COUNT === 0) prefetchedLists = prefetchLists(tables, batch, index)
    if (mutation.op !== 'putEdge') {
      applyMutation(tables, immer, mutation)
      return
    }
    const { edge } = mutation
    const sourceNumber = batch.endpointNumbers[2 * index] || nodes.findNumber(edge.source)
    const targetNumber = batch.endpointNumbers[2 * index + 1] || nodes.findNumber(edge.target)
    putEdge(
      tables,
      prefetchedLists[index % PREFETCH_COUNT] || findOrCreateList(tables, sourceNumber, edge.name),
      targetNumber,
      edge,
    )
  })
}
