import { createGraph, createStaticAuth, socialSchema } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { Masking } from '../../src/access/masking.ts'
import { createPlanView } from '../../src/explorer/plan-view.ts'
import { explain } from '../../src/plan/explain.ts'
import { resolveGraphLimits } from '../../src/plan/limits.ts'
import { Planner, type PlanTarget } from '../../src/plan/planner.ts'
import { Registry } from '../../src/schema/registry.ts'
import { measureHeap } from '../helpers/heap.ts'

const BOUND = 100_000
const WIDTH = 190

const registry = new Registry(socialSchema, undefined)
const createPlanner = (limits = resolveGraphLimits(undefined)) => new Planner(registry, limits)

const nodesOf = (type: string): PlanTarget => ({ version: 'v1.0', types: [type], edge: undefined })

/** The plan targets of all types and of all edges. */
const PLAN_TARGETS = Object.entries(socialSchema.types).flatMap(([source, { edges }]): PlanTarget[] => [
  nodesOf(source),
  ...Object.entries(edges).map(([name, type]) => ({
    version: 'v1.0',
    types: type.targets,
    edge: { source, name, type },
  })),
])

const planTargetAt = (turn: number): PlanTarget => PLAN_TARGETS[turn % PLAN_TARGETS.length] ?? nodesOf('user')

const wide = (item: (index: number) => string): string =>
  Array.from({ length: WIDTH }, (_, index) => item(index)).join()

const KINDS: readonly (readonly [name: string, count: number, textOf: (turn: number) => string])[] = [
  ['short', 40_000, turn => `name.as(a${turn})`],
  [
    'white space alone',
    40_000,
    turn => [...turn.toString(4)].map(digit => ' \t\n\r'[Number(digit)]).join(''),
  ],
  ['with 190 values each', 300, turn => wide(index => `likes.as(a${turn}_${index}).since(${turn})`)],
  ['with 190 unknown names each', 300, turn => wide(index => `unknown_${turn}_${index}`)],
  ['with 190 parameters that do not exist', 300, turn => wide(index => `from.as(a${turn}_${index}).at(1)`)],
]

describe('the cache of plans', () => {
  it.each(KINDS)('stays within its maximum weight for many expressions: %s', (_, count, textOf) => {
    const planner = createPlanner()
    let added = 0
    for (let turn = 0; turn < count; turn++) {
      const before = planner.cacheStats.weight
      planner.plan(planner.parse(textOf(turn)), planTargetAt(turn))
      added += Math.max(0, planner.cacheStats.weight - before)
      if (planner.cacheStats.weight > BOUND) expect.fail(`it weighs ${planner.cacheStats.weight}`)
    }
    // The expressions weigh more than the cache may contain, and the cache is not empty.
    expect(added).toBeGreaterThan(BOUND)
    expect(planner.cacheStats.texts).toBeGreaterThan(0)
  })

  it('weighs an expression by its items, plus 1 for each 20 characters', () => {
    const planner = createPlanner()
    planner.parse('name,photos{from}')
    expect(planner.cacheStats).toEqual({ texts: 1, weight: 3 + 1 })
    planner.parse(wide(index => `a${index}`))
    const length = wide(index => `a${index}`).length
    expect(planner.cacheStats).toEqual({ texts: 2, weight: 4 + WIDTH + Math.ceil(length / 20) })
  })

  it('adds the steps, errors and time windows of each plan to the weight of its expression', () => {
    const planner = createPlanner()
    const text = 'name,photos.since(1){id},nmae'
    const parsedFields = planner.parse(text)
    const alone = planner.cacheStats.weight
    const weights = [nodesOf('user'), nodesOf('page')].map(planTarget => {
      const before = planner.cacheStats.weight
      const { weight, errors, windowTemplates } = planner.plan(parsedFields, planTarget)
      expect([errors.length, windowTemplates.length]).toEqual([1, 1])
      // The steps are the name, photos and id of the root, and the id of the photo.
      expect(weight).toBe(3 + 1 + 1 + 1)
      expect(planner.cacheStats.weight - before).toBe(weight)
      return weight
    })
    planner.plan(planner.parse('name,photos.since(2){id},nmae'), nodesOf('user'))
    expect(planner.cacheStats).toEqual({
      texts: 1,
      weight: alone + weights.reduce((sum, one) => sum + one, 0),
    })
  })

  it('adds the steps of the plans of an expression without fields to its weight', () => {
    const planner = createPlanner()
    for (const planTarget of PLAN_TARGETS) planner.plan(planner.parse(' '), planTarget)
    expect(planner.cacheStats.texts).toBe(1)
    expect(planner.cacheStats.weight).toBeGreaterThanOrEqual(1 + PLAN_TARGETS.length)
  })

  it('has one maximum weight for expressions and for templates (expressions without their values)', () => {
    const planner = createPlanner()
    for (let turn = 0; turn < 40_000; turn++) planner.parse(`name.as(a${turn})`)
    const full = planner.cacheStats
    for (let turn = 0; turn < 40_000; turn++) planner.parse(`photos.as(a${turn}).since(1)`)
    expect(full.weight).toBeGreaterThan(BOUND / 2)
    expect(planner.cacheStats.weight).toBeLessThanOrEqual(BOUND)
  })

  it('does not keep an expression that alone exceeds the maximum weight, but compiles it', () => {
    const planner = createPlanner(resolveGraphLimits({ length: 4_000_000 }))
    planner.parse('name')
    const { cacheStats } = planner
    expect(cacheStats.texts).toBe(1)
    const heavy = `name${' '.repeat(BOUND * 20)}`
    for (let round = 0; round < 2; round++) {
      const { selection } = planner.plan(planner.parse(heavy), nodesOf('user'))
      expect(selection.types.get('user')?.steps).toHaveLength(2)
      expect(planner.cacheStats).toEqual(cacheStats)
    }
  })

  it('evicts an expression if its plan makes it exceed the maximum weight', () => {
    const planner = createPlanner(resolveGraphLimits({ length: 4_000_000 }))
    const nearlyFull = `name${' '.repeat((BOUND - 3) * 20)}`
    const parsedFields = planner.parse(nearlyFull)
    expect(planner.cacheStats.texts).toBe(1)
    planner.plan(parsedFields, nodesOf('user'))
    expect(planner.cacheStats).toEqual({ texts: 0, weight: 0 })
  })

  it('does not keep the expressions of explain, in-process or in the Explorer', () => {
    const planner = createPlanner()
    const masking = new Masking(text => text)
    const explainer = { registry, planner, limits: resolveGraphLimits(undefined), masking }
    for (const fields of ['name,photos.since(1){from}', 'nmae', 'name(']) {
      for (const edge of [undefined, 'photos']) {
        createPlanView(explainer, { type: 'user', edge, fields })
        try {
          explain(explainer, { type: 'user', edge, fields })
        } catch {}
      }
    }
    expect(explain(explainer, { type: 'user', fields: 'photos.since(1).limit(2)' }).cost).toBe(4)
    expect(planner.cacheStats).toEqual({ texts: 0, weight: 0 })
  })
})

describe('an expression in the cache of plans', () => {
  const SENT = 300
  const TOKEN = 'a-token'

  it('keeps only its own text in memory, not the request body around it', async () => {
    const store = createMemoryStore()
    store.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
    const auth = createStaticAuth({ [TOKEN]: { viewer: '1', app: 'demo', scopes: [] } })
    const handler = createHandler(createGraph(store, { auth }))
    const send = async (turn: number) => {
      const body = `method=get&fields=name.as(an_alias_${turn})&padding=`.padEnd(200_000, 'x')
      const { status } = await handler.respond({
        method: 'POST',
        url: '/me',
        headers: { authorization: `Bearer ${TOKEN}` },
        body,
      })
      expect(status).toBe(200)
    }
    await send(0)
    const before = measureHeap()
    for (let turn = 1; turn <= SENT; turn++) await send(turn)
    // Together, the bodies have 60 MB.
    expect(measureHeap() - before).toBeLessThan(20)
  })

  it('keeps its template in memory, not the values that the template leaves out', () => {
    const planner = createPlanner()
    const sendRequest = (turn: number) => {
      const text = `photos.as(an_alias_${turn}).after(${'x'.repeat(8000)})`
      planner.plan(planner.parse(text), nodesOf('user'))
    }
    sendRequest(0)
    const before = measureHeap()
    for (let turn = 1; turn <= 6000; turn++) sendRequest(turn)
    expect(planner.cacheStats.texts).toBeGreaterThan(6000)
    // Together, the values have 48 MB.
    expect(measureHeap() - before).toBeLessThan(20)
  })
})
