import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'

/** Creates the small graph that all programs in this folder serve, and a token. */
export const createServedGraph = async () => {
  const graph = createGraph(createMemoryStore())
  await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
  for (const [id, time] of [
    ['10', '2014-08-01T12:00:00Z'],
    ['11', '2014-08-02T12:00:00Z'],
  ] as const) {
    await graph.write([
      { op: 'putNode', node: { id, type: 'photo', fields: { created_time: time, from: '1' } } },
      { op: 'putEdge', edge: { source: '1', name: 'photos', target: id, time } },
    ])
  }
  return { graph, token: await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: ['user_photos'] }) }
}
