import type { EdgeRecord, NodeRecord } from '../../../src/store/contract.ts'
import { listsOf } from './edge-parameters.ts'
import { NaivePolicies } from './policies.ts'
import type { World } from './world.ts'

/** The part of a world that its viewer may see. */
export type VisibleWorld = {
  readonly nodes: readonly NodeRecord[]
  readonly edges: readonly EdgeRecord[]
  /** Whether the policy of a field allows the viewer to see it on a record. */
  isFieldVisible(record: NodeRecord, field: string): boolean
}

/** Filters a world: nodes by their policies, and edges by their policies and the policies of both nodes. */
export const filterWorld = (world: World): VisibleWorld => {
  const { types } = world.schema
  const policies = new NaivePolicies(world)
  const nodes = world.nodes.filter(node => policies.allows(types[node.type]?.policy, node))
  const find = (id: string) => nodes.find(node => node.id === id)
  const edges = world.edges.filter(({ source, name, target }) => {
    const from = find(source)
    return (
      from !== undefined &&
      find(target) !== undefined &&
      policies.allows(listsOf(types[from.type]).get(name)?.edge.policy, from)
    )
  })
  const isFieldVisible = (record: NodeRecord, field: string): boolean =>
    policies.allows(types[record.type]?.fields[field]?.policy, record)
  return { nodes, edges, isFieldVisible }
}

/**
 * Whether a node has an edge to the viewer. Ignores the policy of the edge: only the policy of the field
 * applies to such a value.
 */
export const hasEdgeToViewer = ({ edges, viewer }: World, id: string, edge: string): boolean =>
  edges.some(({ source, name, target }) => source === id && name === edge && target === viewer)

/**
 * Serializes all data that the viewer of a world may see. A viewer cannot distinguish two worlds with the
 * same text.
 */
export const serializeVisible = (world: World): string => {
  const { nodes, edges, isFieldVisible } = filterWorld(world)
  const visibleValue = (node: NodeRecord, name: string) => {
    const field = world.schema.types[node.type]?.fields[name]
    if (field === undefined || !isFieldVisible(node, name)) return undefined
    const stored = node.fields[name]
    if (field.kind === 'value') return stored
    if (field.kind === 'viewerEdge') return hasEdgeToViewer(world, node.id, field.edge)
    if (field.kind !== 'ref') return true
    const target = nodes.find(({ id }) => id === stored)
    return target && field.targets.includes(target.type) ? stored : undefined
  }
  const visibleNodes = nodes.map(node => {
    const names = Object.keys(world.schema.types[node.type]?.fields ?? {})
    return [node.id, node.type, names.map(name => [name, visibleValue(node, name)])]
  })
  const lists = edges.map(({ source, name, target, time, data }) => [source, name, target, time, data])
  return [...visibleNodes, ...lists]
    .map(part => JSON.stringify(part))
    .toSorted()
    .join('\n')
}
