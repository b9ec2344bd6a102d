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
import type { Met } from '../answer/met.ts'

/** Where something is drawn, from the middle of the drawing. */
export type Point = { readonly x: number; readonly y: number }

/** A layout that settles step by step. */
export type Layout = {
  readonly places: () => ReadonlyMap<string, Point>
  /** Takes over what was met since; what is placed already stays near where it is. */
  readonly take: (met: Met) => void
  /** Goes a step on; false once all has settled. */
  readonly step: () => boolean
}

type Body = SimulationNodeDatum & { readonly id: string }

const REACH = 90
const NEAR = 24

/** A node that is new begins beside one that it is connected with: so it can be seen where it came from. */
const startOf = (id: string, met: Met, bodies: ReadonlyMap<string, Body>): Partial<Body> => {
  for (const { source, target } of met.edges.values()) {
    const other = source === id ? target : target === id ? source : undefined
    const { x, y } = bodies.get(other ?? '') ?? {}
    if (x === undefined || y === undefined) continue
    const angle = bodies.size * 2.4
    return { x: x + NEAR * Math.cos(angle), y: y + NEAR * Math.sin(angle) }
  }
  return {}
}

/** Lays a graph out by forces, the same way each time. */
export const createLayout = (): Layout => {
  const bodies = new Map<string, Body>()
  const links = forceLink<Body, SimulationLinkDatum<Body>>([]).id(({ id }) => id)
  const simulation = forceSimulation<Body>([])
    .force('links', links.distance(REACH).strength(0.3))
    .force('apart', forceManyBody().strength(-340).distanceMax(500))
    .force('room', forceCollide(34))
    .force('x', forceX(0).strength(0.05))
    .force('y', forceY(0).strength(0.08))
    .stop()
  return {
    places: () => new Map([...bodies].map(([id, { x = 0, y = 0 }]) => [id, { x, y }])),
    take: met => {
      for (const id of bodies.keys()) if (!met.nodes.has(id)) bodies.delete(id)
      const added = [...met.nodes.keys()].filter(id => !bodies.has(id))
      for (const id of added) bodies.set(id, { id, ...startOf(id, met, bodies) })
      simulation.nodes([...bodies.values()])
      links.links([...met.edges.values()].map(({ source, target }) => ({ source, target })))
      simulation.alpha(added.length === 0 ? 0.1 : 0.8)
    },
    step: () => {
      simulation.tick()
      return simulation.alpha() > simulation.alphaMin()
    },
  }
}
