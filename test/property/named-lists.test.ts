import fc from 'fast-check'
import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { expect, it } from 'vitest'
import type { EdgeKey } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { createRange } from '../../src/testing/records.ts'
import { createEdges, edgeSeeds, worlds } from '../helpers/graph-arbitraries.ts'
import { storedPartOf } from '../helpers/naive-graph/collections.ts'
import { listsOf } from '../helpers/naive-graph/edge-parameters.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { createSchema } from '../helpers/open-world.ts'
import { createMutations } from '../helpers/write-arbitraries.ts'
import { propertySettings } from './property-settings.ts'

const ANY_TIME = { signal: undefined, deadline: undefined, minRevision: undefined }

const writes = fc.array(
  fc.record({ op: fc.constantFrom('putEdge', 'putEdge', 'deleteEdge'), edge: edgeSeeds }),
  {
    maxLength: 20,
    size: 'max',
  },
)

const keyOf = ({ source, name, target }: EdgeKey): string => `${source} ${name} ${target}`

/** Reads the keys and times of all edges of a world from a store. */
const readTimes = async (store: ReturnType<typeof createMemoryStore>, { schema, nodes }: World) => {
  const names = new Set(Object.values(schema.types).flatMap(type => [...listsOf(type).keys()]))
  const keys = nodes.flatMap(({ id: source }) => [...names].map(name => ({ source, name })))
  const ranges = keys.map(({ source, name }) => createRange(source, name, { limit: 100 }))
  const results = (await store.read({ ...EMPTY_REQUEST, ranges }, ANY_TIME)).ranges
  return keys.flatMap((key, index) =>
    (results[index]?.entries ?? []).map(
      ({ node, time }) => [keyOf({ ...key, target: node.id }), time] as const,
    ),
  )
}

it('a write with parameters changes exactly the edge and its mirror in the stored lists of these values', async () => {
  let named = 0
  await fc.assert(
    fc.asyncProperty(worlds({ parameters: 'all' }), writes, async (world, batch) => {
      const { schema, nodes } = world
      const store = createMemoryStore()
      await store.write(
        storedPartOf(world).nodes.map((node): StoreMutation => ({ op: 'putNode', node })),
        { signal: undefined },
      )
      const graph = createGraph(store, { schema: createSchema(schema) })
      const expected = new Map<string, number>()
      for (const write of batch) {
        await graph.write(createMutations(world, [write]))
        for (const edge of createEdges(schema, nodes, write.edge)) {
          if (write.op === 'putEdge') expected.set(keyOf(edge), edge.time)
          else expected.delete(keyOf(edge))
        }
      }
      const stored = await readTimes(store, world)
      expect(new Map(stored)).toEqual(expected)
      named += stored.filter(([key]) => key.includes('_')).length
    }),
    propertySettings(60),
  )
  expect(named).toBeGreaterThan(20)
})
