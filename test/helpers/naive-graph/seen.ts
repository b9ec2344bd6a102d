import type { EdgeRecord, NodeRecord } from '../../../src/store/contract.ts'
import { Policies } from './policies.ts'
import type { World } from './world.ts'

/** What the viewer of a world may see of it. */
export type Seen = {
  readonly nodes: readonly NodeRecord[]
  readonly edges: readonly EdgeRecord[]
  /** Whether the policy of a field lets it be seen of a record. */
  shows(record: NodeRecord, field: string): boolean
}

/** Filters a whole world: nodes by their policies, edges by their own, their sources' and their targets'. */
export const seenOf = (world: World): Seen => {
  const { types } = world.schema
  const policies = new Policies(world)
  const nodes = world.nodes.filter(node => policies.allows(types[node.type]?.policy, node))
  const find = (id: string) => nodes.find(node => node.id === id)
  const edges = world.edges.filter(({ source, name, target }) => {
    const from = find(source)
    return (
      from !== undefined &&
      find(target) !== undefined &&
      policies.allows(types[from.type]?.edges[name]?.policy, from)
    )
  })
  const shows = (record: NodeRecord, field: string): boolean =>
    policies.allows(types[record.type]?.fields[field]?.policy, record)
  return { nodes, edges, shows }
}

/** What a field about an edge to the viewer tells: its own policy says to whom, not that of the edge. */
export const isEdgeToViewer = ({ edges, viewer }: World, id: string, edge: string): boolean =>
  edges.some(({ source, name, target }) => source === id && name === edge && target === viewer)

/** All that the viewer of a world may know of it, as one text: two worlds of one text he cannot tell apart. */
export const sightOf = (world: World): string => {
  const { nodes, edges, shows } = seenOf(world)
  const shown = (node: NodeRecord, name: string) => {
    const field = world.schema.types[node.type]?.fields[name]
    if (field === undefined || !shows(node, name)) return undefined
    const stored = node.fields[name]
    if (field.kind === 'value') return stored
    if (field.kind === 'viewerEdge') return isEdgeToViewer(world, node.id, field.edge)
    if (field.kind !== 'ref') return true
    const target = nodes.find(({ id }) => id === stored)
    return target && field.targets.includes(target.type) ? stored : undefined
  }
  const sights = nodes.map(node => {
    const names = Object.keys(world.schema.types[node.type]?.fields ?? {})
    return [node.id, node.type, names.map(name => [name, shown(node, name)])]
  })
  const lists = edges.map(({ source, name, target, time, data }) => [source, name, target, time, data])
  return [...sights, ...lists]
    .map(sight => JSON.stringify(sight))
    .toSorted()
    .join('\n')
}
