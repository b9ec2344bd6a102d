import { createGraph, defineSchema, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const schema = defineSchema(
  { account: node({}), page: node({ idPrefix: 'p' }), photo: node({}) },
  { ids: 'named', viewers: ['account', 'page'] },
)
const graph = createGraph(createMemoryStore(), { schema })

describe('the viewer of a session of a graph with named ids', () => {
  it.each(['17', 'Account-1', 'me'])('is rejected with the form of an id: %s', viewer => {
    expect(() => graph.session({ viewer, app: 'demo' })).toThrow(
      new TypeError(
        `session: "viewer" must be the id of a node, a type and a key such as "account-42", or undefined; received "${viewer}"`,
      ),
    )
  })

  it.each(['photo-1', 'page-1', 'other-1'])('is rejected if no viewer type has its prefix: %s', viewer => {
    expect(() => graph.session({ viewer, app: 'demo' })).toThrow(
      new TypeError(
        `session: "viewer" must be an id that begins with "account-" or "p-", or undefined; received "${viewer}"`,
      ),
    )
  })

  it('is accepted with the prefix of a viewer type, whether or not the node exists', () => {
    for (const viewer of ['account-1', 'p-1', undefined])
      expect(graph.session({ viewer, app: 'demo' }).viewer).toBe(viewer)
  })
})
