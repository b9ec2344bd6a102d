import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { resolveGraphLimits } from '../../../src/plan/limits.ts'
import { Planner } from '../../../src/plan/planner.ts'
import { Registry } from '../../../src/schema/registry.ts'

const TYPES = Array.from({ length: 12 }, (_, index) => `type_${index}`)
const DEPTH = 8

const schema = defineSchema(
  Object.fromEntries(
    TYPES.map(name => [
      name,
      node({
        fields: { rel: field.ref(TYPES), secret: field.string({ scope: 'inner' }) },
        edges: { all: edge(TYPES) },
      }),
    ]),
  ),
)

describe('refs that lead to many types', () => {
  it('are compiled in time that depends on the length of the text, not on the number of paths', () => {
    const { explain } = createGraph(createMemoryStore(), { schema })
    const fields = `${'rel{'.repeat(DEPTH - 1)}secret${'}'.repeat(DEPTH - 1)}`
    const { cost, reads, scopes } = explain({ type: 'type_0', fields })
    // Twelve types on each of seven levels have 36 million paths.
    expect({ cost, reads, scopes }).toEqual({ cost: DEPTH, reads: DEPTH, scopes: ['inner'] })
  })

  it('are compiled once for each type and level', () => {
    const planner = new Planner(new Registry(schema, undefined), resolveGraphLimits(undefined))
    const text = `${'rel{'.repeat(DEPTH - 1)}secret${'}'.repeat(DEPTH - 1)}`
    const { selection } = planner.plan(planner.parse(text), {
      version: 'v1.0',
      types: TYPES,
      edge: undefined,
    })
    const plans = new Set(selection.types.values())
    for (const { steps } of plans) {
      for (const step of steps)
        if (step.kind === 'ref') for (const plan of step.selection.types.values()) plans.add(plan)
    }
    expect(plans.size).toBe(TYPES.length * DEPTH)
  })

  it('are copied to a paging link in time that depends on the length of the text', async () => {
    const store = createMemoryStore()
    store.write(['1', '2', '3'].map(id => ({ op: 'putNode', node: { id, type: 'type_0', fields: {} } })))
    for (const target of ['2', '3'])
      store.write([{ op: 'putEdge', edge: { source: '1', name: 'all', target, time: 0 } }])
    const graph = createGraph(store, { schema })
    const below = `${'rel{'.repeat(DEPTH - 3)}id${'}'.repeat(DEPTH - 3)}`
    const session = graph.session({ viewer: '1', app: 'demo' })
    const next = expect.stringContaining(encodeURIComponent(below))
    expect(await graph.getMe(session, { fields: `all.limit(1){${below}}` })).toMatchObject({
      all: { paging: { next } },
    })
  })
})
