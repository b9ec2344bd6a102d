import { createGraph, createStaticAuth, socialSchema } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { Masking } from '../../src/access/masking.ts'
import { planViewOf } from '../../src/explorer/plan-view.ts'
import { explain } from '../../src/plan/explain.ts'
import { limitsOf } from '../../src/plan/limits.ts'
import { Planner, type PlanPlace } from '../../src/plan/planner.ts'
import { Registry } from '../../src/schema/registry.ts'
import { heapHeld } from '../helpers/heap.ts'

const BOUND = 100_000
const WIDTH = 190

const registry = new Registry(socialSchema, undefined)
const newPlanner = (limits = limitsOf(undefined)) => new Planner(registry, limits)

const nodesOf = (type: string): PlanPlace => ({ version: 'v1.0', types: [type], edge: undefined })

/** Each type, and each edge of each type. */
const PLACES = Object.entries(socialSchema.types).flatMap(([source, { edges }]): PlanPlace[] => [
  nodesOf(source),
  ...Object.entries(edges).map(([name, type]) => ({
    version: 'v1.0',
    types: type.targets,
    edge: { source, name, type },
  })),
])

const placeAt = (turn: number): PlanPlace => PLACES[turn % PLACES.length] ?? nodesOf('user')

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
  it.each(KINDS)('weighs at most its bound after many expressions: %s', (_, count, textOf) => {
    const planner = newPlanner()
    let added = 0
    for (let turn = 0; turn < count; turn++) {
      const before = planner.held.weight
      planner.plan(planner.ask(textOf(turn)), placeAt(turn))
      added += Math.max(0, planner.held.weight - before)
      if (planner.held.weight > BOUND) expect.fail(`it weighs ${planner.held.weight}`)
    }
    // Whatever the texts are, they were more than it holds, and it is not empty.
    expect(added).toBeGreaterThan(BOUND)
    expect(planner.held.texts).toBeGreaterThan(0)
  })

  it('weighs the items of a text, and one for each 20 characters', () => {
    const planner = newPlanner()
    planner.ask('name,photos{from}')
    expect(planner.held).toEqual({ texts: 1, weight: 3 + 1 })
    planner.ask(wide(index => `a${index}`))
    const length = wide(index => `a${index}`).length
    expect(planner.held).toEqual({ texts: 2, weight: 4 + WIDTH + Math.ceil(length / 20) })
  })

  it('weighs the steps, problems and windows of each plan, also of those that are made later', () => {
    const planner = newPlanner()
    const text = 'name,photos.since(1){id},nmae'
    const asked = planner.ask(text)
    const alone = planner.held.weight
    const weights = [nodesOf('user'), nodesOf('page')].map(place => {
      const before = planner.held.weight
      const { weight, problems, windows } = planner.plan(asked, place)
      expect([problems.length, windows.length]).toEqual([1, 1])
      // name, photos and the id of the root; the id of the photo.
      expect(weight).toBe(3 + 1 + 1 + 1)
      expect(planner.held.weight - before).toBe(weight)
      return weight
    })
    planner.plan(planner.ask('name,photos.since(2){id},nmae'), nodesOf('user'))
    expect(planner.held).toEqual({ texts: 1, weight: alone + weights.reduce((sum, one) => sum + one, 0) })
  })

  it('weighs a text of defaults by the steps of each of its plans', () => {
    const planner = newPlanner()
    for (const place of PLACES) planner.plan(planner.ask(' '), place)
    expect(planner.held.texts).toBe(1)
    expect(planner.held.weight).toBeGreaterThanOrEqual(1 + PLACES.length)
  })

  it('holds texts and templates under one bound', () => {
    const planner = newPlanner()
    for (let turn = 0; turn < 60_000; turn++) planner.ask(`name.as(a${turn})`)
    const full = planner.held
    for (let turn = 0; turn < 60_000; turn++) planner.ask(`photos.as(a${turn}).since(1)`)
    expect(full.weight).toBeGreaterThan(BOUND / 2)
    expect(planner.held.weight).toBeLessThanOrEqual(BOUND)
  })

  it('does not keep a text that alone exceeds the bound, and compiles it', () => {
    const planner = newPlanner(limitsOf({ length: 4_000_000 }))
    planner.ask('name')
    const { held } = planner
    expect(held.texts).toBe(1)
    const heavy = `name${' '.repeat(BOUND * 20)}`
    for (let round = 0; round < 2; round++) {
      const { selection } = planner.plan(planner.ask(heavy), nodesOf('user'))
      expect(selection.types.get('user')?.steps).toHaveLength(2)
      expect(planner.held).toEqual(held)
    }
  })

  it('drops a text that exceeds the bound with the plans that are added to it', () => {
    const planner = newPlanner(limitsOf({ length: 4_000_000 }))
    const nearlyFull = `name${' '.repeat((BOUND - 3) * 20)}`
    const asked = planner.ask(nearlyFull)
    expect(planner.held.texts).toBe(1)
    planner.plan(asked, nodesOf('user'))
    expect(planner.held).toEqual({ texts: 0, weight: 0 })
  })

  it('keeps nothing that is explained, in-process or by the Explorer', () => {
    const planner = newPlanner()
    const masking = new Masking(text => text)
    const explainer = { registry, planner, limits: limitsOf(undefined), masking }
    for (const fields of ['name,photos.since(1){from}', 'nmae', 'name(']) {
      for (const edge of [undefined, 'photos']) {
        planViewOf(explainer, { type: 'user', edge, fields })
        try {
          explain(explainer, { type: 'user', edge, fields })
        } catch {}
      }
    }
    expect(explain(explainer, { type: 'user', fields: 'photos.since(1).limit(2)' }).cost).toBe(4)
    expect(planner.held).toEqual({ texts: 0, weight: 0 })
  })
})

describe('what the cache of plans keeps of a request', () => {
  const SENT = 300
  const TOKEN = 'a-token'

  it('is not the body that the expression was a part of', async () => {
    const store = createMemoryStore()
    store.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
    const auth = createStaticAuth({ [TOKEN]: { viewer: '1', app: 'demo', scopes: [] } })
    const handler = createHandler(createGraph(store, { auth }))
    const send = async (turn: number) => {
      const body = `method=get&fields=name.as(an_alias_${turn})&padding=`.padEnd(200_000, 'x')
      const { status } = await handler.answer({
        method: 'POST',
        url: '/me',
        headers: { authorization: `Bearer ${TOKEN}` },
        body,
      })
      expect(status).toBe(200)
    }
    await send(0)
    const before = heapHeld()
    for (let turn = 1; turn <= SENT; turn++) await send(turn)
    // All bodies are 60 MB.
    expect(heapHeld() - before).toBeLessThan(20)
  })

  it('is not the values that were taken out of the expression', () => {
    const planner = newPlanner()
    const ask = (turn: number) => {
      const text = `photos.as(an_alias_${turn}).after(${'x'.repeat(8000)})`
      planner.plan(planner.ask(text), nodesOf('user'))
    }
    ask(0)
    const before = heapHeld()
    for (let turn = 1; turn <= 6000; turn++) ask(turn)
    expect(planner.held.texts).toBeGreaterThan(6000)
    // All values are 48 MB.
    expect(heapHeld() - before).toBeLessThan(20)
  })
})
