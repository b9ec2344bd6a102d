import fc, { type Arbitrary } from 'fast-check'
import type { EdgeRecord } from '../../src/store/contract.ts'
import {
  createEdges,
  createNode,
  type EdgeSeed,
  edgeSeeds,
  keepLastOfEach,
  type NodeSeed,
  nodeSeeds,
} from './graph-arbitraries.ts'
import { storedPartOf, withCollectionEntries } from './naive-graph/collections.ts'
import { filterWorld, serializeVisible } from './naive-graph/visible-world.ts'
import type { World } from './naive-graph/world.ts'

/**
 * A change of a world. With `hidden`, it changes something that the viewer may not see, so that
 * `createLookalike` keeps many changes.
 */
type Change = { readonly at: number; readonly hidden: boolean } & (
  | { readonly op: 'putNode'; readonly node: NodeSeed }
  | { readonly op: 'setField'; readonly node: NodeSeed }
  | { readonly op: 'deleteNode' }
  | { readonly op: 'putEdge'; readonly edge: EdgeSeed }
  | { readonly op: 'moveEdge'; readonly edge: EdgeSeed }
  | { readonly op: 'setData'; readonly edge: EdgeSeed }
  | { readonly op: 'deleteEdge' }
)

const change: Arbitrary<Change> = fc
  .tuple(
    fc.record({ at: fc.nat(200), hidden: fc.boolean() }),
    fc.oneof(
      nodeSeeds.map(node => ({ op: 'putNode', node }) as const),
      nodeSeeds.map(node => ({ op: 'setField', node }) as const),
      fc.constant({ op: 'deleteNode' } as const),
      edgeSeeds.map(edge => ({ op: 'putEdge', edge }) as const),
      edgeSeeds.map(edge => ({ op: 'moveEdge', edge }) as const),
      edgeSeeds.map(edge => ({ op: 'setData', edge }) as const),
      fc.constant({ op: 'deleteEdge' } as const),
    ),
  )
  .map(([choice, change]) => ({ ...choice, ...change }))

const withoutNode = ({ nodes, edges, ...world }: World, id: string | undefined): World => ({
  ...world,
  nodes: nodes.filter(node => node.id !== id),
  edges: edges.filter(({ source, target }) => source !== id && target !== id),
})

/** Changes the role of an edge, and the values that order its lists. */
const withOtherData = ({ data, ...edge }: EdgeRecord, { role, keys }: EdgeSeed): EdgeRecord => {
  const declared = Object.entries(keys).filter(([key]) => Object.hasOwn(data ?? {}, key))
  const changed = { ...(role && { role }), ...Object.fromEntries(declared) }
  return Object.keys(changed).length === 0 ? edge : { ...edge, data: changed }
}

const applyChange = (world: World, change: Change): World => {
  const { schema, nodes, edges } = world
  const ids = storedPartOf(world).nodes.map(({ id }) => id)
  const visible = filterWorld(world)
  const pick = <T>(all: readonly T[], visibleOnes: readonly T[]): T | undefined => {
    const candidates = change.hidden ? all.filter(one => !visibleOnes.includes(one)) : all
    return candidates[change.at % Math.max(1, candidates.length)]
  }
  switch (change.op) {
    case 'putNode': {
      const put = createNode(schema, change.node, ids)
      return { ...world, nodes: [...nodes.filter(({ id }) => id !== put.id), put] }
    }
    case 'setField': {
      const cells = nodes.flatMap(node =>
        Object.keys(schema.types[node.type]?.fields ?? {}).map(name => ({ node, name })),
      )
      const cell = pick(
        cells,
        cells.filter(({ node, name }) => visible.isFieldVisible(node, name)),
      )
      if (cell === undefined) return world
      const { node, name } = cell
      const type = Object.keys(schema.types).indexOf(node.type)
      const { [name]: value } = createNode(schema, { ...change.node, id: node.id, type }, ids).fields
      const { [name]: _, ...rest } = node.fields
      const put = { ...node, fields: value === undefined ? rest : { ...rest, [name]: value } }
      return { ...world, nodes: nodes.with(nodes.indexOf(node), put) }
    }
    case 'deleteNode':
      return withoutNode(world, pick(nodes, visible.nodes)?.id)
    case 'putEdge':
      return { ...world, edges: keepLastOfEach([...edges, ...createEdges(schema, nodes, change.edge)]) }
    case 'moveEdge': {
      const edge = pick(edges, visible.edges)
      return edge === undefined
        ? world
        : { ...world, edges: edges.with(edges.indexOf(edge), { ...edge, time: change.edge.time }) }
    }
    case 'setData': {
      const edge = pick(edges, visible.edges)
      return edge === undefined
        ? world
        : { ...world, edges: edges.with(edges.indexOf(edge), withOtherData(edge, change.edge)) }
    }
    case 'deleteEdge': {
      const edge = pick(edges, visible.edges)
      return { ...world, edges: edges.filter(one => one !== edge) }
    }
  }
}

/**
 * Returns a world that its viewer cannot distinguish from the given one. Skips each change that would have a
 * visible effect.
 */
export const createLookalike = (world: World, changes: readonly Change[]): World => {
  const visibleText = serializeVisible(world)
  return changes.reduce((other, change) => {
    const next = withCollectionEntries(applyChange(other, change))
    return serializeVisible(next) === visibleText ? next : other
  }, world)
}

export const changes: Arbitrary<readonly Change[]> = fc.array(change, { maxLength: 16, size: 'max' })

/** Two worlds that differ only in data that their viewer may not see. */
export type Lookalikes = { readonly world: World; readonly other: World }
