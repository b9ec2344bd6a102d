import type { EdgeRecord, NodeRecord } from '../../../src/store/contract.ts'
import type { FieldSpec, World } from './world.ts'

/** The id and the type of the node whose edges are the collections. */
export const ROOT = 'root'

const ROOT_NODE: NodeRecord = { id: ROOT, type: ROOT, fields: {} }

/** Returns the factor that converts the values of a field to milliseconds, or to the numbers of an order. */
export const factorOf = (field: FieldSpec | undefined): 1 | 1000 =>
  field?.kind === 'value' && field.of === 'unixtime' ? 1000 : 1

/** Returns the nodes and edges of a world that a store contains. */
export const storedPartOf = ({ nodes, edges }: Pick<World, 'nodes' | 'edges'>) => ({
  nodes: nodes.filter(({ id }) => id !== ROOT),
  edges: edges.filter(({ source }) => source !== ROOT),
})

/** Adds the node of collections, and the entries of collections, to a world whose schema has collections. */
export const withCollectionEntries = (world: World): World => {
  const { types } = world.schema
  const collections = Object.entries(types[ROOT]?.edges ?? {})
  if (types[ROOT] === undefined) return world
  const { nodes, edges } = storedPartOf(world)
  const entries = collections.flatMap(([name, { targets, collection }]) =>
    nodes
      .filter(({ type }) => targets.includes(type))
      .map(({ id: target, type, fields }): EdgeRecord => {
        const by = collection?.by
        const time = by === undefined ? 0 : Number(fields[by]) * factorOf(types[type]?.fields[by])
        return { source: ROOT, name, target, time }
      }),
  )
  return { ...world, nodes: [...nodes, ROOT_NODE], edges: [...edges, ...entries] }
}
