import type { Lookalikes } from './lookalikes.ts'
import { filterWorld } from './naive-graph/visible-world.ts'
import type { World } from './naive-graph/world.ts'
import type { Probe } from './probes.ts'
import type { CallSpec } from './query-arbitraries.ts'

const difference = <T>(elements: readonly T[], excluded: readonly T[]): readonly T[] => {
  const known = new Set(excluded.map(one => JSON.stringify(one)))
  return elements.filter(one => !known.has(JSON.stringify(one)))
}

/** The edge list or the node field in which a leaked change would be visible. */
type LeakTarget = { readonly id: string } & ({ readonly edge: string } | { readonly field: string })

/** Finds the visible lists and fields into which a difference between two worlds could leak. */
const findLeakTargets = (world: World, other: World): readonly LeakTarget[] => {
  const { nodes } = filterWorld(world)
  const isVisible = (id: string) => nodes.some(node => node.id === id)
  const edges = difference(world.edges, other.edges).filter(({ source }) => isVisible(source))
  const changed = difference(world.nodes, other.nodes)
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

/**
 * Changes a probe so that it reads a list or field into which a difference between the worlds could leak.
 * Half of the probes stay unchanged.
 */
export const aimProbe = ({ world, other }: Lookalikes, { callSpec, variant }: Probe): Probe => {
  const leakTargets =
    variant.seed % 2 === 0 ? [] : [...findLeakTargets(world, other), ...findLeakTargets(other, world)]
  const leakTarget = leakTargets[variant.seed % Math.max(1, leakTargets.length)]
  if (leakTarget === undefined) return { callSpec, variant }
  const { style, version: _, ...baseCall } = callSpec
  const common = { id: leakTarget.id, style, version: undefined }
  const aimedCall: CallSpec =
    'edge' in leakTarget
      ? {
          ...(baseCall.method === 'getEdge' ? baseCall : {}),
          ...common,
          method: 'getEdge',
          edge: leakTarget.edge,
          fields: [],
        }
      : { ...common, method: 'getNode', type: undefined, fields: [{ name: leakTarget.field }] }
  return { callSpec: aimedCall, variant }
}
