import fc, { type Arbitrary } from 'fast-check'
import { idKindOf } from '../../src/base/ids.ts'
import type { JsonValue } from '../../src/base/json.ts'
import { prefixOf } from '../../src/base/named-ids.ts'
import type { Mutation } from '../../src/schema/inference/mutation.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { EdgeKey, EdgeRecord, NodeRecord } from '../../src/store/contract.ts'
import {
  createEdges,
  createNode,
  type EdgeSeed,
  edgeSeeds,
  type NodeSeed,
  nodeSeeds,
} from './graph-arbitraries.ts'
import { digitsOf, findIdOf } from './id-kinds.ts'
import { ROOT, storedPartOf } from './naive-graph/collections.ts'
import { listsOf } from './naive-graph/edge-parameters.ts'
import type { World } from './naive-graph/world.ts'
import { IDS } from './schema-arbitraries.ts'

/**
 * A write from which `createMutations` creates mutations for a world. It does not contain the world, so that
 * writes and worlds shrink independently.
 */
type WriteSeed =
  | { readonly op: 'putNode'; readonly node: NodeSeed; readonly retyped: boolean }
  | { readonly op: 'patchNode'; readonly node: NodeSeed; readonly retyped: boolean }
  | { readonly op: 'deleteNode'; readonly id: string }
  | { readonly op: 'putEdge'; readonly edge: EdgeSeed }
  | { readonly op: 'deleteEdge'; readonly edge: EdgeSeed }

/** A mutation of nodes and edges, which `graph.write` accepts. */
export type GraphMutation = Mutation<Schema>

/** The seeds of one batch of writes. */
export const batchSeeds: Arbitrary<readonly WriteSeed[]> = fc.array(
  fc.oneof(
    fc.record({
      op: fc.constantFrom('putNode', 'patchNode'),
      node: nodeSeeds,
      retyped: fc.integer({ min: 0, max: 9 }).map(dice => dice === 0),
    }),
    fc.record({ op: fc.constant('deleteNode'), id: fc.constantFrom(...IDS) }),
    { weight: 3, arbitrary: fc.record({ op: fc.constantFrom('putEdge', 'deleteEdge'), edge: edgeSeeds }) },
  ),
  { minLength: 1, maxLength: 4 },
)

const keyOf = ({ source, name, target }: EdgeKey): EdgeKey => ({ source, name, target })

/** Removes the data that no side of an edge declares, since a graph rejects such data. */
const withDeclaredData = ({ schema, nodes }: World, { data, ...edge }: EdgeRecord): EdgeRecord => {
  const typeOf = (id: string) => schema.types[nodes.find(node => node.id === id)?.type ?? '']
  const declared = listsOf(typeOf(edge.source)).get(edge.name)?.edge
  const mirror = typeOf(edge.target)?.edges[declared?.inverse ?? '']
  const declaredData = Object.entries(data ?? {}).filter(
    ([name]) => name in (declared?.fields ?? {}) || name in (mirror?.fields ?? {}),
  )
  return declaredData.length > 0 ? { ...edge, data: Object.fromEntries(declaredData) } : edge
}

const isRef = (value: JsonValue, targets: readonly string[]): boolean =>
  typeof value === 'string' && (idKindOf(value) === 'digits' || targets.includes(prefixOf(value)))

/** Removes the refs of a node to types that its fields do not declare, since a graph rejects such named ids. */
const withDeclaredRefs = ({ schema }: World, node: NodeRecord): NodeRecord => {
  const declared = schema.types[node.type]?.fields ?? {}
  const fields = Object.entries(node.fields).filter(([name, value]) => {
    const field = declared[name]
    return field?.kind !== 'ref' || isRef(value, field.targets)
  })
  return { ...node, fields: Object.fromEntries(fields) }
}

/** Removes what a graph rejects in writes from a world. */
export const toWritableWorld = (world: World): World => ({
  ...world,
  nodes: world.nodes.map(node => withDeclaredRefs(world, node)),
  edges: world.edges.map(edge => withDeclaredData(world, edge)),
})

/**
 * Creates the mutations of a batch for a world. Most are valid if nothing else is written before them. Some
 * change a type, patch a node that does not exist, or need a deleted node.
 */
export const createMutations = (world: World, batch: readonly WriteSeed[]): readonly GraphMutation[] => {
  const { schema } = world
  const { nodes } = storedPartOf(world)
  const ids = nodes.map(({ id }) => id)
  const types = Object.keys(schema.types).filter(type => type !== ROOT)
  return batch.flatMap((write): readonly GraphMutation[] => {
    if (write.op === 'deleteNode') return [{ op: 'deleteNode', id: findIdOf(world, write.id) }]
    if (write.op === 'putEdge' || write.op === 'deleteEdge') {
      const [edge] = createEdges(schema, nodes, write.edge)
      if (edge === undefined) return []
      const type = schema.types[nodes.find(({ id }) => id === edge.source)?.type ?? '']
      const { name = edge.name, parameters } = listsOf(type).get(edge.name) ?? {}
      const list = { name, ...(Object.keys(parameters ?? {}).length > 0 && { parameters }) }
      return [
        write.op === 'putEdge'
          ? { op: 'putEdge', edge: { ...withDeclaredData(world, edge), ...list } }
          : { op: 'deleteEdge', edge: { ...keyOf(edge), ...list } },
      ]
    }
    const existing = nodes.find(({ id }) => digitsOf(id) === write.node.id)
    const type = existing && !write.retyped ? types.indexOf(existing.type) : write.node.type
    const node = createNode(schema, { ...write.node, type }, ids)
    if (write.op === 'putNode') return [{ op: 'putNode', node }]
    const removed = Object.keys(existing?.fields ?? {}).filter(name => !(name in node.fields))
    const fields: { [name: string]: JsonValue } = { ...node.fields }
    for (const name of removed) fields[name] = null
    return [{ op: 'patchNode', id: node.id, fields }]
  })
}
