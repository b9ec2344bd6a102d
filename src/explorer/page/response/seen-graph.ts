import type { JsonObject } from '../../../base/json.ts'
import type { FoundEdge, FoundGraph, FoundNode } from './extract-graph.ts'

/** A node of a response. */
export type SeenNode = { readonly id: string; readonly type: string | undefined; readonly label: string }

/** The nodes and edges of all responses. */
export type SeenGraph = {
  readonly nodes: ReadonlyMap<string, SeenNode>
  /** The edges by source, name and target. */
  readonly edges: ReadonlyMap<string, FoundEdge>
  /** The nodes beyond the limit. */
  readonly omittedNodes: ReadonlySet<string>
  /** Whether edges between drawn nodes are beyond the limit. */
  readonly hasOmittedEdges: boolean
}

/** A drawing with more nodes is not readable. */
export const MAX_NODES = 300
export const MAX_EDGES = 1000

/** The fields that can identify a node, in order of preference. */
export const LABEL_FIELDS: readonly string[] = ['name', 'title', 'username', 'message', 'text', 'label']

const MAX_LABEL_LENGTH = 28

/** The graph before the first response. */
export const EMPTY_GRAPH: SeenGraph = {
  nodes: new Map(),
  edges: new Map(),
  omittedNodes: new Set(),
  hasOmittedEdges: false,
}

const shortenLabel = (text: string): string =>
  text.length > MAX_LABEL_LENGTH ? `${text.slice(0, MAX_LABEL_LENGTH).toWellFormed().trimEnd()}…` : text

/** Returns the short text that identifies a node, if it has such a field. */
export const findLabel = (record: JsonObject): string | undefined => {
  const text = LABEL_FIELDS.map(name => record[name]).find(value => typeof value === 'string' && value !== '')
  return typeof text === 'string' ? shortenLabel(text) : undefined
}

const toSeenNode = ({ id, type, record }: FoundNode, knownNode: SeenNode | undefined): SeenNode => {
  const bestType = type ?? knownNode?.type
  const bestLabel = findLabel(record) ?? (knownNode?.label.endsWith(` ${id}`) ? undefined : knownNode?.label)
  return { id, type: bestType, label: bestLabel ?? `${bestType ?? 'node'} ${id}` }
}

const edgeKeyOf = ({ source, name, target }: FoundEdge): string => `${source} ${name} ${target}`

/**
 * Adds the nodes and edges of a response. Nodes beyond the limit are only counted. Edges to these nodes and
 * edges beyond the limit are omitted.
 */
export const addToGraph = (graph: SeenGraph, foundGraph: FoundGraph): SeenGraph => {
  const nodes = new Map(graph.nodes)
  const omittedNodes = new Set(graph.omittedNodes)
  for (const node of foundGraph.nodes) {
    const knownNode = nodes.get(node.id)
    if (knownNode === undefined && nodes.size >= MAX_NODES) omittedNodes.add(node.id)
    else nodes.set(node.id, toSeenNode(node, knownNode))
  }
  const addedEdges = foundGraph.edges.filter(({ source, target }) => nodes.has(source) && nodes.has(target))
  const edges = [...new Map([...graph.edges, ...addedEdges.map(edge => [edgeKeyOf(edge), edge] as const)])]
  const hasOmittedEdges = graph.hasOmittedEdges || edges.length > MAX_EDGES
  return { nodes, edges: new Map(edges.slice(0, MAX_EDGES)), omittedNodes, hasOmittedEdges }
}

/** Returns the ids of nodes whose type is unknown. */
export const findIdsWithoutType = ({ nodes }: SeenGraph): readonly string[] =>
  [...nodes.values()].filter(({ type }) => type === undefined).map(({ id }) => id)

/** Counts the nodes of each type, in the order of their first appearance. */
export const countByType = ({ nodes }: SeenGraph): ReadonlyMap<string | undefined, number> => {
  const counts = new Map<string | undefined, number>()
  for (const { type } of nodes.values()) counts.set(type, (counts.get(type) ?? 0) + 1)
  return counts
}
