import fc from 'fast-check'
import { isGraphError } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { callGraph, captureOutcome } from '../helpers/call-graph.ts'
import { NaiveCost } from '../helpers/naive-graph/naive-cost.ts'
import { type ItemSpec, printItems } from '../helpers/naive-graph/query.ts'
import { openWorld } from '../helpers/open-world.ts'
import { type CallSpec, worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { propertySettings } from './property-settings.ts'

/** Counts the nodes in a result: the objects with an id. */
const countNodes = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const below = Object.values(value).reduce((sum: number, member) => sum + countNodes(member), 0)
  return below + ('id' in value ? 1 : 0)
}

const readErrorData = async (call: () => Promise<unknown>) => {
  const error: unknown = await call().then(
    () => undefined,
    error => error,
  )
  if (error !== undefined && !isGraphError(error)) throw error
  if (error?.reason !== 'query_too_expensive') return undefined
  const { cost, limit, fits } = error.data
  return { cost: Number(cost), limit: Number(limit), fits: Number(fits) }
}

/** Lowers the limit of every edge, including the default limit of an edge without a limit. */
const lowerLimits = (
  items: readonly ItemSpec[],
  edges: ReadonlySet<string>,
  maxLimit: number,
): readonly ItemSpec[] =>
  items.map(item => ({
    ...item,
    ...(edges.has(item.name) && { limit: Math.min(item.limit ?? 25, maxLimit) }),
    fields: item.fields && lowerLimits(item.fields, edges, maxLimit),
  }))

const lowerCallLimits = (callSpec: CallSpec, edges: ReadonlySet<string>, maxLimit: number): CallSpec => {
  const fields = lowerLimits(callSpec.fields, edges, maxLimit)
  return callSpec.method === 'getEdge'
    ? { ...callSpec, limit: Math.min(callSpec.limit ?? 25, maxLimit), fields }
    : { ...callSpec, fields }
}

describe('the cost of a query', () => {
  it('is the sum of its nodes, lists, values and policies', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true }), async ({ world, calls }) => {
        const { graph } = await openWorld(world)
        for (const [type, { edges }] of Object.entries(world.schema.types)) {
          for (const { fields: items, version } of calls) {
            const fields = items.length === 0 ? undefined : printItems(items)
            const naive = new NaiveCost(world.schema, version)
            const costOf = (call: { edge?: string }) =>
              captureOutcome(() => graph.explain({ type, fields, version, ...call }).cost)
            const cost = await costOf({})
            if ('result' in cost)
              expect(cost.result).toBe(naive.nodeCost({ types: [type], edge: undefined }, items))
            for (const [name, edge] of Object.entries(edges)) {
              const cost = await costOf({ edge: name })
              if ('result' in cost) expect(cost.result).toBe(naive.sourceCost(type, edge, { fields: items }))
            }
          }
        }
      }),
      propertySettings(60),
    )
  })

  it('is at least the number of returned nodes', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls(), async ({ world, calls }) => {
        const { graph, session } = await openWorld(world)
        for (const { id, type } of world.nodes) {
          for (const { fields: items, version } of calls) {
            const fields = items.length === 0 ? undefined : printItems(items)
            const outcome = await captureOutcome(() => graph.getNode(session, { id, type, fields, version }))
            if ('result' in outcome) {
              const { cost } = graph.explain({ type, fields, version })
              expect(cost).toBeGreaterThanOrEqual(countNodes(outcome.result))
            }
          }
        }
      }),
      propertySettings(60),
    )
  })

  it('causes an error above the limit, which contains the largest page size that fits', async () => {
    await fc.assert(
      fc.asyncProperty(
        worldsWithCalls(),
        fc.integer({ min: 1, max: 60 }),
        async ({ world, calls }, limit) => {
          const { graph, session } = await openWorld(world, { limits: { cost: limit } })
          const edges = new Set(Object.values(world.schema.types).flatMap(({ edges }) => Object.keys(edges)))
          for (const callSpec of calls) {
            const rejected = await readErrorData(() => callGraph(graph, session, callSpec))
            if (rejected === undefined) continue
            expect(rejected.limit).toBe(limit)
            expect(rejected.cost).toBeGreaterThan(limit)
            const again = (most: number) =>
              readErrorData(() => callGraph(graph, session, lowerCallLimits(callSpec, edges, most)))
            if (rejected.fits > 0) expect(await again(rejected.fits)).toBeUndefined()
            expect(await again(rejected.fits + 1)).toMatchObject({ limit })
          }
        },
      ),
      propertySettings(60),
    )
  })
})
