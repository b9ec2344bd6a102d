import type { EdgeRecord, NodeRecord } from '../../../src/store/contract.ts'
import { findList, listsOf } from './edge-parameters.ts'
import { NaivePolicies } from './policies.ts'
import type { FieldSpec, World } from './world.ts'

/** The part of a world that its viewer may see. */
export type VisibleWorld = {
  readonly nodes: readonly NodeRecord[]
  readonly edges: readonly EdgeRecord[]
  /** Whether the policy of a field allows the viewer to see it on a record. */
  isFieldVisible(record: NodeRecord, field: string): boolean
  /** Whether the policy of an edge allows the viewer to see it on a record. */
  isEdgeVisible(record: NodeRecord, edge: string): boolean
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
  const isEdgeVisible = (record: NodeRecord, edge: string): boolean =>
    policies.allows(types[record.type]?.edges[edge]?.policy, record)
  return { nodes, edges, isFieldVisible, isEdgeVisible }
}

type ViewerEdgeSpec = Extract<FieldSpec, { readonly kind: 'viewerEdge' }>

/**
 * Returns the edge from a node to the viewer that a field is about. Ignores the policy of the edge, which applies
 * only if the field returns a field of the edge.
 */
export const findEdgeToViewer = (
  { schema, edges, viewer }: World,
  { id, type }: NodeRecord,
  { edge, parameters }: ViewerEdgeSpec,
): EdgeRecord | undefined => {
  const declaration = schema.types[type]?.edges[edge]
  const list = declaration && findList(edge, declaration, parameters)
  return edges.find(({ source, name, target }) => source === id && name === list && target === viewer)
}

/**
 * Serializes all data that the viewer of a world may see. A viewer cannot distinguish two worlds with the
 * same text.
 */
export const serializeVisible = (world: World): string => {
  const { nodes, edges, isFieldVisible, isEdgeVisible } = filterWorld(world)
  const visibleValue = (node: NodeRecord, name: string) => {
    const field = world.schema.types[node.type]?.fields[name]
    if (field === undefined || !isFieldVisible(node, name)) return undefined
    const stored = node.fields[name]
    if (field.kind === 'value') return stored
    if (field.kind === 'viewerEdge') {
      const found = findEdgeToViewer(world, node, field)
      if (field.field === undefined) return found !== undefined
      if (!isEdgeVisible(node, field.edge)) return undefined
      return field.field === 'linked' ? found?.time : found?.data?.[field.field]
    }
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
