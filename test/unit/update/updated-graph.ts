import { createGraph, defineFieldType, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { IdKind } from '../../../src/base/ids.ts'
import type { JsonObject } from '../../../src/base/json.ts'
import type { BatchId } from '../../../src/store/conditional.ts'
import type { EdgeRecord, Store } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'

export const NO_SIGNAL = { signal: undefined }

const money = defineFieldType({
  name: 'money',
  expected: 'an amount as "12.50 EUR"',
  parse: (value: string) => (/^\d+\.\d\d [A-Z]{3}$/.test(value) ? value : undefined),
  serialize: stored => ({ amount: stored.slice(0, -4), currency: stored.slice(-3) }),
})

const types = {
  person: node({
    fields: {
      name: field.string({ required: true }),
      about: field.string(),
      tags: field.list(field.string()),
      number: field.numericString(),
      open: field.bool(),
      visits: field.int(),
      rating: field.float(),
      link: field.url(),
      seen: field.datetime(),
      joined: field.unixtime(),
      born: field.birthday(),
      picture: field.picture(),
      level: field.enum(['low', 'high']),
      scores: field.map(field.int()),
      home: field.object({
        street: field.string({ required: true }),
        floors: field.list(field.object({ doors: field.int(), open: field.bool() })),
      }),
      savings: field.of(money),
      friend: field.ref('person'),
      age: field.ageRange({ from: 'born' }),
      shout: field.string({ resolve: records => records.map(({ id }) => `${id}!`) }),
      viewer_knows: field.viewerEdge('knows'),
    },
    edges: {
      knows: edge('person', {
        symmetric: true,
        fields: {
          kind: field.string({ required: true }),
          notes: field.list(field.string()),
          met: field.datetime(),
          since: field.edgeTime(),
        },
      }),
      teams: edge('team', { inverse: 'members' }),
      follows: edge('person', { fields: { kind: field.string() } }),
    },
  }),
  team: node({
    fields: { name: field.string() },
    edges: { members: edge('person', { inverse: 'teams', fields: { role: field.string() } }) },
  }),
}

/** A schema with a field of each type. */
export const schema = defineSchema(types)

const SCHEMAS = { digits: schema, named: defineSchema(types, { ids: 'named' }) }

/**
 * Creates a graph over a memory store. `written` contains the mutations of all writes through the graph,
 * and `batches` the ids of their batches.
 * `afterRead` is called after each read of the graph, and can write to the store like another process.
 */
export const createUpdatedGraph = (kind: IdKind = 'digits') => {
  const memory = createMemoryStore()
  const written: StoreMutation[] = []
  const batches: (BatchId | undefined)[] = []
  const interference: { afterRead: () => void } = { afterRead: () => undefined }
  const store: Store = {
    ...memory,
    // Other writers use it too.
    capabilities: { ...memory.capabilities, shared: true },
    read: (request, options) => {
      const result = memory.read(request, options)
      interference.afterRead()
      return result
    },
    write: (mutations, options) => {
      written.push(...mutations)
      batches.push(options.batch)
      return memory.write(mutations, options)
    },
  }
  const put = (...mutations: StoreMutation[]): void => void memory.write(mutations, NO_SIGNAL)
  const putPerson = (id: string, fields: JsonObject): void =>
    put({ op: 'putNode', node: { id, type: 'person', fields } })
  const fieldsOf = (id: string): JsonObject | undefined =>
    memory.read({ nodes: [id], ranges: [], checks: [], tokens: [] }).nodes[0]?.fields
  /** Returns the stored edges without their mirrors, if the edges have a name. */
  const edges = (): readonly EdgeRecord[] => [...memory.dump()].flatMap(line => JSON.parse(line).edge ?? [])
  const graph = createGraph(store, { schema: SCHEMAS[kind] })
  return { graph, store, written, batches, interference, put, putPerson, fieldsOf, edges }
}
