import fc from 'fast-check'
import { aimed } from './aims.ts'
import { changes, type Lookalikes, lookalikesOf } from './lookalikes.ts'
import type { SchemaSpec } from './naive-graph/world.ts'
import { idsAskedIn, manners, type Probe, type Prober } from './probes.ts'
import { inquiries } from './query-arbitraries.ts'
import { mapValues } from './schema-arbitraries.ts'

/** A schema without any of its policies, through which all is seen. */
export const open = ({ types, ...schema }: SchemaSpec): SchemaSpec => ({
  ...schema,
  types: mapValues(types, ({ policy: _, fields, edges, ...type }) => ({
    ...type,
    fields: mapValues(fields, ({ policy: _, ...field }) => field),
    edges: mapValues(edges, ({ policy: _, ...edge }) => edge),
  })),
})

/** Two worlds that their viewer cannot tell apart, and what is asked of both. */
export type Case = Lookalikes & {
  readonly probes: readonly Probe[]
  readonly scoped: boolean
  readonly consistency: 'wave' | 'snapshot'
  readonly cost: number | undefined
}

export const cases = (faults: boolean): fc.Arbitrary<Case> =>
  fc
    .record({
      inquiry: inquiries({ policed: true, faults, most: 4 }),
      changes,
      manners: fc.array(manners, { minLength: 4, maxLength: 4 }),
      scoped: fc.boolean(),
      consistency: fc.constantFrom('wave', 'snapshot'),
      cost: faults ? fc.integer({ min: 1, max: 200 }) : fc.constant(undefined),
    })
    .map(({ inquiry: { world, asked }, changes, manners, ...options }) => {
      const pair = { world, other: lookalikesOf(world, changes) }
      const probes = asked.flatMap((question, index) => {
        const manner = manners[index]
        return manner === undefined ? [] : [aimed(pair, { question, manner })]
      })
      return { ...options, ...pair, probes }
    })

/** The cursor of an edge that was hidden, or that is hidden only in one of the worlds: whoever saw it once may know it. */
export const cursorOf = async ({ graph, session }: Prober, { question, manner }: Probe) => {
  const [id = ''] = idsAskedIn(question)
  if (question.method !== 'getEdge' || manner.other % 3 > 0) return undefined
  const { edge, order } = question
  const page = await graph.getEdge(session, { id, edge, order, limit: 1 }).catch(() => undefined)
  return page?.paging?.cursors.after
}
