import type { Lookalikes } from './lookalikes.ts'
import { seenOf } from './naive-graph/seen.ts'
import type { World } from './naive-graph/world.ts'
import type { Probe } from './probes.ts'
import type { Question } from './query-arbitraries.ts'

const differing = <T>(some: readonly T[], others: readonly T[]): readonly T[] => {
  const known = new Set(others.map(one => JSON.stringify(one)))
  return some.filter(one => !known.has(JSON.stringify(one)))
}

/** What leads to a change: the list that an edge is in, or a field or ref of a node in which it would show. */
type Aim = { readonly id: string } & ({ readonly edge: string } | { readonly field: string })

/** Where a leak of what one world has and another has not would show to their viewer. */
const aimsIn = (world: World, other: World): readonly Aim[] => {
  const { nodes } = seenOf(world)
  const isSeen = (id: string) => nodes.some(node => node.id === id)
  const edges = differing(world.edges, other.edges).filter(({ source }) => isSeen(source))
  const changed = differing(world.nodes, other.nodes)
  const fields = nodes.flatMap(({ id, type, fields }) =>
    Object.keys(world.schema.types[type]?.fields ?? {}).flatMap(field => {
      const counterpart = other.nodes.find(node => node.id === id)
      const isChanged =
        JSON.stringify(fields[field]) !== JSON.stringify(counterpart?.fields[field]) ||
        changed.some(node => node.id === fields[field])
      return isChanged ? [{ id, field }] : []
    }),
  )
  return [...edges.map(({ source, name }) => ({ id: source, edge: name })), ...fields]
}

/** A probe aimed at what differs between two worlds, if anything does that could show; half of them stay as they are. */
export const aimed = ({ world, other }: Lookalikes, { question, manner }: Probe): Probe => {
  const aims = manner.other % 2 === 0 ? [] : [...aimsIn(world, other), ...aimsIn(other, world)]
  const aim = aims[manner.other % Math.max(1, aims.length)]
  if (aim === undefined) return { question, manner }
  const { style, version: _, ...asked } = question
  const common = { id: aim.id, style, version: undefined }
  const into: Question =
    'edge' in aim
      ? {
          ...(asked.method === 'getEdge' ? asked : {}),
          ...common,
          method: 'getEdge',
          edge: aim.edge,
          fields: [],
        }
      : { ...common, method: 'getNode', type: undefined, fields: [{ name: aim.field }] }
  return { question: into, manner }
}
