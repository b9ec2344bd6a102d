import fc from 'fast-check'
import { aimProbe } from './aim-probe.ts'
import { changes, createLookalike, type Lookalikes } from './lookalikes.ts'
import type { SchemaSpec, World } from './naive-graph/world.ts'
import type { ParameterShare } from './parameter-arbitraries.ts'
import { type Caller, callVariants, idsOfCall, type Probe } from './probes.ts'
import { worldsWithCalls } from './query-arbitraries.ts'
import { mapValues } from './schema-arbitraries.ts'

/** Removes all policies of a schema, so that everything is visible. */
export const withoutPolicies = ({ types, ...schema }: SchemaSpec): SchemaSpec => ({
  ...schema,
  types: mapValues(types, ({ policy: _, fields, edges, ...type }) => ({
    ...type,
    fields: mapValues(fields, ({ policy: _, ...field }) => field),
    edges: mapValues(edges, ({ policy: _, ...edge }) => edge),
  })),
})

/** Two worlds that their viewer cannot distinguish, and the probes that run on both. */
export type LookalikeCase = Lookalikes & {
  readonly probes: readonly Probe[]
  readonly scoped: boolean
  readonly consistency: 'read' | 'snapshot'
  readonly cost: number | undefined
}

/** Pairs of worlds. `from` are the first worlds of the pairs, by default general worlds with policies. */
export const lookalikeCases = (
  hasErrors: boolean,
  parameters?: ParameterShare,
  from?: fc.Arbitrary<World>,
): fc.Arbitrary<LookalikeCase> =>
  fc
    .record({
      worldWithCalls: worldsWithCalls({ hasPolicies: true, hasErrors, parameters, most: 4, from }),
      changes,
      variants: fc.array(callVariants, { minLength: 4, maxLength: 4 }),
      scoped: fc.boolean(),
      consistency: fc.constantFrom('read', 'snapshot'),
      cost: hasErrors ? fc.integer({ min: 1, max: 200 }) : fc.constant(undefined),
    })
    .map(({ worldWithCalls: { world, calls }, changes, variants, ...options }) => {
      const pair = { world, other: createLookalike(world, changes) }
      const probes = calls.flatMap((callSpec, index) => {
        const variant = variants[index]
        return variant === undefined ? [] : [aimProbe(pair, { callSpec, variant })]
      })
      return { ...options, ...pair, probes }
    })

/**
 * Reads the cursor of an entry that policies may hide, because a client may have it from a time when the
 * entry was visible.
 */
export const readFirstCursor = async ({ graph, session }: Caller, { callSpec, variant }: Probe) => {
  const [id = ''] = idsOfCall(callSpec)
  if (callSpec.method !== 'getEdge' || variant.seed % 3 > 0) return undefined
  const { edge, order, parameters } = callSpec
  const page = await graph.getEdge(session, { id, edge, order, parameters, limit: 1 }).catch(() => undefined)
  return page?.paging?.cursors.after
}
