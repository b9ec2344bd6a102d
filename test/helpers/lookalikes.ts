import fc, { type Arbitrary } from 'fast-check'
import {
  edgesFrom,
  lastOfEach,
  nodeFrom,
  type RawEdge,
  type RawNode,
  rawEdge,
  rawNode,
} from './graph-arbitraries.ts'
import { seenOf, sightOf } from './naive-graph/seen.ts'
import type { World } from './naive-graph/world.ts'

/** A change of a world; what it is about is chosen among what is hidden where `hidden` says so, so that many hold. */
type Change = { readonly at: number; readonly hidden: boolean } & (
  | { readonly op: 'putNode'; readonly node: RawNode }
  | { readonly op: 'setField'; readonly node: RawNode }
  | { readonly op: 'deleteNode' }
  | { readonly op: 'putEdge'; readonly edge: RawEdge }
  | { readonly op: 'moveEdge'; readonly edge: RawEdge }
  | { readonly op: 'deleteEdge' }
)

const change: Arbitrary<Change> = fc
  .tuple(
    fc.record({ at: fc.nat(200), hidden: fc.boolean() }),
    fc.oneof(
      rawNode.map(node => ({ op: 'putNode', node }) as const),
      rawNode.map(node => ({ op: 'setField', node }) as const),
      fc.constant({ op: 'deleteNode' } as const),
      rawEdge.map(edge => ({ op: 'putEdge', edge }) as const),
      rawEdge.map(edge => ({ op: 'moveEdge', edge }) as const),
      fc.constant({ op: 'deleteEdge' } as const),
    ),
  )
  .map(([where, what]) => ({ ...where, ...what }))

const withoutNode = ({ nodes, edges, ...world }: World, id: string | undefined): World => ({
  ...world,
  nodes: nodes.filter(node => node.id !== id),
  edges: edges.filter(({ source, target }) => source !== id && target !== id),
})

const changed = (world: World, change: Change): World => {
  const { schema, nodes, edges } = world
  const ids = nodes.map(({ id }) => id)
  const seen = seenOf(world)
  const pick = <T>(all: readonly T[], shown: readonly T[]): T | undefined => {
    const among = change.hidden ? all.filter(one => !shown.includes(one)) : all
    return among[change.at % Math.max(1, among.length)]
  }
  switch (change.op) {
    case 'putNode': {
      const put = nodeFrom(schema, change.node, ids)
      return { ...world, nodes: [...nodes.filter(({ id }) => id !== put.id), put] }
    }
    case 'setField': {
      const cells = nodes.flatMap(node =>
        Object.keys(schema.types[node.type]?.fields ?? {}).map(name => ({ node, name })),
      )
      const cell = pick(
        cells,
        cells.filter(({ node, name }) => seen.shows(node, name)),
      )
      if (cell === undefined) return world
      const { node, name } = cell
      const type = Object.keys(schema.types).indexOf(node.type)
      const { [name]: value } = nodeFrom(schema, { ...change.node, id: node.id, type }, ids).fields
      const { [name]: _, ...rest } = node.fields
      const put = { ...node, fields: value === undefined ? rest : { ...rest, [name]: value } }
      return { ...world, nodes: nodes.with(nodes.indexOf(node), put) }
    }
    case 'deleteNode':
      return withoutNode(world, pick(nodes, seen.nodes)?.id)
    case 'putEdge':
      return { ...world, edges: lastOfEach([...edges, ...edgesFrom(schema, nodes, change.edge)]) }
    case 'moveEdge': {
      const edge = pick(edges, seen.edges)
      return edge === undefined
        ? world
        : { ...world, edges: edges.with(edges.indexOf(edge), { ...edge, time: change.edge.time }) }
    }
    case 'deleteEdge': {
      const edge = pick(edges, seen.edges)
      return { ...world, edges: edges.filter(one => one !== edge) }
    }
  }
}

/** A world and another that its viewer cannot tell from it: of many changes those were made that leave what is seen. */
export const lookalikesOf = (world: World, changes: readonly Change[]): World => {
  const sight = sightOf(world)
  return changes.reduce((other, change) => {
    const next = changed(other, change)
    return sightOf(next) === sight ? next : other
  }, world)
}

export const changes: Arbitrary<readonly Change[]> = fc.array(change, { maxLength: 16, size: 'max' })

/** Two worlds that differ only in what their viewer may not see. */
export type Lookalikes = { readonly world: World; readonly other: World }
