import type { JsonRecord } from './json.ts'
import type { Found, FoundEdge, FoundNode } from './reading.ts'

/** A node that some answer held. */
export type MetNode = { readonly id: string; readonly type: string | undefined; readonly label: string }

/** The part of the graph that answers have shown so far. */
export type Met = {
  readonly nodes: ReadonlyMap<string, MetNode>
  /** By source, name and target. */
  readonly edges: ReadonlyMap<string, FoundEdge>
  /** The nodes that found no room. */
  readonly leftOut: ReadonlySet<string>
  /** Whether some edge between nodes that are there found none. */
  readonly lacksEdges: boolean
}

/** More cannot be told apart in a drawing. */
export const MOST_NODES = 300
export const MOST_EDGES = 1000

/** What tells a node from others, best first. */
export const LABELS: readonly string[] = ['name', 'title', 'username', 'message', 'text', 'label']

const LONGEST_LABEL = 32

/** Nothing met. */
export const nothingMet: Met = { nodes: new Map(), edges: new Map(), leftOut: new Set(), lacksEdges: false }

const shortened = (text: string): string =>
  text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL).toWellFormed().trimEnd()}…` : text

const labelIn = (record: JsonRecord): string | undefined => {
  const text = LABELS.map(name => record[name]).find(value => typeof value === 'string' && value !== '')
  return typeof text === 'string' ? shortened(text) : undefined
}

const metNode = ({ id, type, record }: FoundNode, known: MetNode | undefined): MetNode => {
  const best = type ?? known?.type
  const named = labelIn(record) ?? (known?.label.endsWith(` ${id}`) ? undefined : known?.label)
  return { id, type: best, label: named ?? `${best ?? 'node'} ${id}` }
}

const edgeKey = ({ source, name, target }: FoundEdge): string => `${source} ${name} ${target}`

/** Adds what an answer told. Nodes beyond the most there is room for are counted only; edges to them, and too many, are left out. */
export const meet = (met: Met, found: Found): Met => {
  const nodes = new Map(met.nodes)
  const leftOut = new Set(met.leftOut)
  for (const node of found.nodes) {
    const known = nodes.get(node.id)
    if (known === undefined && nodes.size >= MOST_NODES) leftOut.add(node.id)
    else nodes.set(node.id, metNode(node, known))
  }
  const between = found.edges.filter(({ source, target }) => nodes.has(source) && nodes.has(target))
  const edges = [...new Map([...met.edges, ...between.map(edge => [edgeKey(edge), edge] as const)])]
  const lacksEdges = met.lacksEdges || edges.length > MOST_EDGES
  return { nodes, edges: new Map(edges.slice(0, MOST_EDGES)), leftOut, lacksEdges }
}

/** The nodes whose type no answer has told. */
export const nodesWithoutType = ({ nodes }: Met): readonly string[] =>
  [...nodes.values()].filter(({ type }) => type === undefined).map(({ id }) => id)

/** How many nodes of each type there are, in the order in which they were met. */
export const countByType = ({ nodes }: Met): ReadonlyMap<string | undefined, number> => {
  const counts = new Map<string | undefined, number>()
  for (const { type } of nodes.values()) counts.set(type, (counts.get(type) ?? 0) + 1)
  return counts
}
