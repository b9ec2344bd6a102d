import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { StoreMutation } from '../../src/store/mutations.ts'
import type { AssociationRead } from '../data/association-reads.ts'
import { type Associations, objectId } from '../data/associations.ts'
import { fillStore } from './graph.ts'

/** A contender that runs the reads of TAO. */
export type AssociationReader = { readonly name: string; read(read: AssociationRead): unknown }

/** The fields that a read requests for each entry, in addition to the id of its target. */
const ENTRY = 'time,note'
const association = edge('object', { fields: { time: field.edgeTime(), note: field.string() } })
const schema = defineSchema(
  {
    object: node({
      fields: { payload: field.string({ default: true }) },
      edges: { first: association, second: association, third: association },
    }),
  },
  { viewers: ['object'] },
)

function* generateMutations({ payloads, lists }: Associations): Generator<StoreMutation> {
  for (const [index, payload] of payloads.entries())
    yield { op: 'putNode', node: { id: objectId(index), type: 'object', fields: { payload } } }
  for (const { source, name, entries } of lists)
    for (const { target, time, note } of entries)
      yield {
        op: 'putEdge',
        edge: { source, name, target, time, ...(note === undefined ? {} : { data: { note } }) },
      }
}

/** Runs each read as one graph call with an issued token. */
export const createAssociationGraph = async (associations: Associations): Promise<AssociationReader> => {
  const store = createMemoryStore()
  await fillStore(store, generateMutations(associations))
  const { getEdge, getNode, hasEdge, tokens } = createGraph(store, { schema })
  const token = await tokens.issue({ viewer: objectId(0), app: 'bench' })
  const type = 'object'
  return {
    name: 'kithgraph',
    read(read) {
      const { kind, id } = read
      if (kind === 'obj_get') return getNode(token, { id, type })
      const { edge } = read
      switch (kind) {
        case 'assoc_get':
          return hasEdge(token, { id, type, edge, target: read.target })
        case 'assoc_count':
          return getEdge(token, { id, type, edge, fields: 'id', limit: 1, summary: true })
        case 'assoc_range':
          return getEdge(token, { id, type, edge, fields: ENTRY, limit: read.limit })
        case 'assoc_time_range': {
          const { limit, since, until } = read
          return getEdge(token, { id, type, edge, fields: ENTRY, limit, since, until })
        }
      }
    },
  }
}
