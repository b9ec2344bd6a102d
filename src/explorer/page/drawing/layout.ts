import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force'
import type { SeenGraph } from '../response/seen-graph.ts'

/** A position in the drawing, relative to its centre. */
export type Point = { readonly x: number; readonly y: number }

/** A layout that settles step by step. */
export type Layout = {
  readonly getPositions: () => ReadonlyMap<string, Point>
  /** Adds new nodes and edges. Existing nodes stay close to their positions. */
  readonly update: (graph: SeenGraph) => void
  /** Makes one step. Returns false when all nodes have settled. */
  readonly step: () => boolean
}

type LayoutNode = SimulationNodeDatum & { readonly id: string }

const LINK_DISTANCE = 140
const START_DISTANCE = 24

/** Returns the start position of a new node: next to a node that it is connected to. */
const findStartPosition = (
  id: string,
  graph: SeenGraph,
  layoutNodes: ReadonlyMap<string, LayoutNode>,
): Partial<LayoutNode> => {
  for (const { source, target } of graph.edges.values()) {
    const other = source === id ? target : target === id ? source : undefined
    const { x, y } = layoutNodes.get(other ?? '') ?? {}
    if (x === undefined || y === undefined) continue
    const angle = layoutNodes.size * 2.4
    return { x: x + START_DISTANCE * Math.cos(angle), y: y + START_DISTANCE * Math.sin(angle) }
  }
  return {}
}

/** Creates a deterministic force-directed layout. */
export const createLayout = (): Layout => {
  const layoutNodes = new Map<string, LayoutNode>()
  const links = forceLink<LayoutNode, SimulationLinkDatum<LayoutNode>>([]).id(({ id }) => id)
  const simulation = forceSimulation<LayoutNode>([])
    .force('links', links.distance(LINK_DISTANCE).strength(0.3))
    .force('apart', forceManyBody().strength(-500).distanceMax(500))
    .force('room', forceCollide(50))
    .force('x', forceX(0).strength(0.05))
    .force('y', forceY(0).strength(0.08))
    .stop()
  return {
    getPositions: () => new Map([...layoutNodes].map(([id, { x = 0, y = 0 }]) => [id, { x, y }])),
    update: graph => {
      for (const id of layoutNodes.keys()) if (!graph.nodes.has(id)) layoutNodes.delete(id)
      const addedIds = [...graph.nodes.keys()].filter(id => !layoutNodes.has(id))
      for (const id of addedIds) layoutNodes.set(id, { id, ...findStartPosition(id, graph, layoutNodes) })
      simulation.nodes([...layoutNodes.values()])
      links.links([...graph.edges.values()].map(({ source, target }) => ({ source, target })))
      simulation.alpha(addedIds.length === 0 ? 0.1 : 0.8)
    },
    step: () => {
      simulation.tick()
      return simulation.alpha() > simulation.alphaMin()
    },
  }
}
