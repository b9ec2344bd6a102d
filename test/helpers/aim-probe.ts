import type { Lookalikes } from './lookalikes.ts'
import { fitValues, listsOf } from './naive-graph/edge-parameters.ts'
import { filterWorld } from './naive-graph/visible-world.ts'
import type { EdgeSpec, ParameterValues, World } from './naive-graph/world.ts'
import type { Probe } from './probes.ts'
import type { CallSpec } from './query-arbitraries.ts'

const difference = <T>(elements: readonly T[], excluded: readonly T[]): readonly T[] => {
  const known = new Set(excluded.map(one => JSON.stringify(one)))
  return elements.filter(one => !known.has(JSON.stringify(one)))
}

/** The edge list or the node field in which a leaked change would be visible. */
type LeakTarget = { readonly id: string } & (
  | { readonly edge: string; readonly spec: EdgeSpec; readonly parameters: ParameterValues }
  | { readonly field: string }
)

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
  const viewerEdges = edges
    .filter(({ target }) => target === world.viewer)
    .flatMap(({ source: id }) => {
      const type = world.schema.types[nodes.find(node => node.id === id)?.type ?? '']
      return Object.entries(type?.fields ?? {}).flatMap(([field, { kind }]) =>
        kind === 'viewerEdge' ? [{ id, field }] : [],
      )
    })
  const lists = edges.flatMap(({ source: id, name }) => {
    const list = listsOf(world.schema.types[nodes.find(node => node.id === id)?.type ?? '']).get(name)
    return list === undefined ? [] : [{ id, edge: list.name, spec: list.edge, parameters: list.parameters }]
  })
  return [...lists, ...viewerEdges, ...fields]
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
  const list = baseCall.method === 'getEdge' ? baseCall : undefined
  const aimedCall: CallSpec =
    'edge' in leakTarget
      ? {
          ...list,
          ...common,
          method: 'getEdge',
          edge: leakTarget.edge,
          parameters: { ...fitValues([leakTarget.spec], list?.parameters ?? {}), ...leakTarget.parameters },
          fields: [],
        }
      : { ...common, method: 'getNode', type: undefined, fields: [{ name: leakTarget.field }] }
  return { callSpec: aimedCall, variant }
}
