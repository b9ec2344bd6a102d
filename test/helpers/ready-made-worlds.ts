import fc, { type Arbitrary } from 'fast-check'
import { type WorldOptions, worlds } from './graph-arbitraries.ts'
import { listsOf } from './naive-graph/edge-parameters.ts'
import type { EdgeSpec, SchemaSpec, TypeSpec, World } from './naive-graph/world.ts'
import { readyMadePolicy } from './policy-arbitraries.ts'
import { fitSchema } from './policy-fitter.ts'
import { mapValues, omitUndefined, rarely, TYPES } from './schema-arbitraries.ts'

/** Keeps one target of an edge, if no other part of the schema depends on all of its targets. */
const keepOneTarget =
  (viewers: readonly string[]) =>
  (edge: EdgeSpec): EdgeSpec => {
    const { targets, symmetric, inverse, defaults, collection, where } = edge
    if ([symmetric, inverse, defaults, collection, where].some(part => part !== undefined)) return edge
    return { ...edge, targets: [targets.find(target => viewers.includes(target)) ?? targets[0] ?? ''] }
  }

/** Keeps the edges whose targets the schema declares. */
const keepDeclaredEdges = ({ nodes, edges }: World, { types }: SchemaSpec): World['edges'] => {
  const typeById = new Map(nodes.map(({ id, type }) => [id, type]))
  return edges.filter(({ source, name, target }) => {
    const list = listsOf(types[typeById.get(source) ?? '']).get(name)
    return list === undefined || list.edge.targets.includes(typeById.get(target) ?? '')
  })
}

/** Drops the custom rules that replace rules about edges and fields that the schema lacks. */
const dropReplacedRules = (type: TypeSpec): TypeSpec =>
  type.policy === undefined
    ? type
    : { ...type, policy: type.policy.filter(({ rule }) => rule !== 'listed' && rule !== 'mutual') }

/**
 * Worlds whose lists mostly have one type of nodes, with a policy that a store can filter by: of ready-made rules that
 * allow or skip.
 */
export const readyMadeWorlds = (options: WorldOptions = {}): Arbitrary<World> =>
  fc
    .tuple(
      worlds({ ...options, hasPolicies: true }),
      fc.tuple(...TYPES.map(() => rarely(readyMadePolicy, 2))),
    )
    .map(([world, policies]) => {
      const types = mapValues(world.schema.types, (type, name) => {
        if (!TYPES.includes(name)) return type
        const policy = policies[TYPES.indexOf(name)]
        const edges = mapValues(type.edges, keepOneTarget(world.schema.viewers))
        // Half of the types have no policy, so that viewers see the sources of lists.
        return omitUndefined({ ...type, policy, edges })
      })
      const fitted = fitSchema({ ...world.schema, types })
      const schema = { ...fitted, types: mapValues(fitted.types, dropReplacedRules) }
      return { ...world, schema, edges: keepDeclaredEdges(world, schema) }
    })
