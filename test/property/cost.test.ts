import fc from 'fast-check'
import { isGraphError } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { ask, outcomeOf } from '../helpers/ask.ts'
import { NaiveCost } from '../helpers/naive-graph/naive-cost.ts'
import { type Item, printItems } from '../helpers/naive-graph/query.ts'
import { openWorld } from '../helpers/open-world.ts'
import { inquiries, type Question } from '../helpers/query-arbitraries.ts'
import { settings } from './settings.ts'

/** The nodes in an answer: the objects with an id. */
const nodesIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const below = Object.values(value).reduce((sum: number, member) => sum + nodesIn(member), 0)
  return below + ('id' in value ? 1 : 0)
}

const particularsOf = async (call: () => Promise<unknown>) => {
  const error: unknown = await call().then(
    () => undefined,
    error => error,
  )
  if (error !== undefined && !isGraphError(error)) throw error
  if (error?.data.reason !== 'too_costly') return undefined
  const { cost, limit, fits } = error.data
  return { cost: Number(cost), limit: Number(limit), fits: Number(fits) }
}

/** Lowers the limit of every edge, those that ask for none included. */
const lowered = (items: readonly Item[], edges: ReadonlySet<string>, most: number): readonly Item[] =>
  items.map(item => ({
    ...item,
    ...(edges.has(item.name) && { limit: Math.min(item.limit ?? 25, most) }),
    fields: item.fields && lowered(item.fields, edges, most),
  }))

const loweredQuestion = (question: Question, edges: ReadonlySet<string>, most: number): Question => {
  const fields = lowered(question.fields, edges, most)
  return question.method === 'getEdge'
    ? { ...question, limit: Math.min(question.limit ?? 25, most), fields }
    : { ...question, fields }
}

describe('the cost of a query', () => {
  it('is what its nodes, lists, values and policies cost one by one', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries({ policed: true }), async ({ world, asked }) => {
        const { graph } = await openWorld(world)
        for (const [type, { edges }] of Object.entries(world.schema.types)) {
          for (const { fields: items, version } of asked) {
            const fields = items.length === 0 ? undefined : printItems(items)
            const naive = new NaiveCost(world.schema, version)
            const costOf = (call: { edge?: string }) =>
              outcomeOf(() => graph.explain({ type, fields, version, ...call }).cost)
            const cost = await costOf({})
            if ('answer' in cost)
              expect(cost.answer).toBe(naive.node({ types: [type], edge: undefined }, items))
            for (const [name, edge] of Object.entries(edges)) {
              const cost = await costOf({ edge: name })
              if ('answer' in cost) expect(cost.answer).toBe(naive.source(type, edge, { fields: items }))
            }
          }
        }
      }),
      settings(200),
    )
  })

  it('is at least the nodes that are answered', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries(), async ({ world, asked }) => {
        const { graph, session } = await openWorld(world)
        for (const { id, type } of world.nodes) {
          for (const { fields: items, version } of asked) {
            const fields = items.length === 0 ? undefined : printItems(items)
            const outcome = await outcomeOf(() => graph.getNode(session, { id, type, fields, version }))
            if ('answer' in outcome) {
              const { cost } = graph.explain({ type, fields, version })
              expect(cost).toBeGreaterThanOrEqual(nodesIn(outcome.answer))
            }
          }
        }
      }),
      settings(100),
    )
  })

  it('above the limit is refused, and names the largest limit of all edges that would fit', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries(), fc.integer({ min: 1, max: 60 }), async ({ world, asked }, limit) => {
        const { graph, session } = await openWorld(world, { limits: { cost: limit } })
        const edges = new Set(Object.values(world.schema.types).flatMap(({ edges }) => Object.keys(edges)))
        for (const question of asked) {
          const refused = await particularsOf(() => ask(graph, session, question))
          if (refused === undefined) continue
          expect(refused.limit).toBe(limit)
          expect(refused.cost).toBeGreaterThan(limit)
          const again = (most: number) =>
            particularsOf(() => ask(graph, session, loweredQuestion(question, edges, most)))
          if (refused.fits > 0) expect(await again(refused.fits)).toBeUndefined()
          expect(await again(refused.fits + 1)).toMatchObject({ limit })
        }
      }),
      settings(100),
    )
  })
})
