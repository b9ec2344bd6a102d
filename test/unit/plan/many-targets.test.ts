import { createGraph, defineSchema, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const TYPES = Array.from({ length: 12 }, (_, index) => `type_${index}`)
const DEPTH = 8

const schema = defineSchema(
  Object.fromEntries(
    TYPES.map(name => [
      name,
      node({ fields: { rel: field.ref(TYPES), secret: field.string({ scope: 'inner' }) } }),
    ]),
  ),
)

describe('refs that lead to many types', () => {
  it('are compiled in a time that grows with the text, not with the ways through it', () => {
    const { explain } = createGraph(createMemoryStore(), { schema })
    const fields = `${'rel{'.repeat(DEPTH - 1)}secret${'}'.repeat(DEPTH - 1)}`
    const { cost, waves, scopes } = explain({ type: 'type_0', fields })
    // Twelve types to the power of seven levels are 36 million ways.
    expect({ cost, waves, scopes }).toEqual({ cost: DEPTH, waves: DEPTH, scopes: ['inner'] })
  })
})
