import { createGraph, defineSchema, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const schema = defineSchema({ account: node({}) }, { ids: 'named' })
const graph = createGraph(createMemoryStore(), { schema })

describe('the viewer of a session of a graph with named ids', () => {
  it.each(['17', 'Account-1', 'me'])('is rejected with the form of an id: %s', viewer => {
    expect(() => graph.session({ viewer, app: 'demo' })).toThrow(
      new TypeError(
        `session: "viewer" must be the id of a node, a type and a key such as "account-42", or undefined; received "${viewer}"`,
      ),
    )
  })
})
