import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { schema } from './schema.ts'

const PHOTO_COUNT = 12
const FIRST_DAY = Date.UTC(2026, 4, 1)
const DAY_MS = 86_400_000

/** Creates a graph with a person and her photos, and a token for her. */
export const createAlbum = async () => {
  const graph = createGraph(createMemoryStore(), { schema })
  await graph.write([{ op: 'putNode', node: { id: '1', type: 'person', fields: { name: 'Ada' } } }])
  for (let day = 1; day <= PHOTO_COUNT; day++) {
    const id = `${100 + day}`
    const time = FIRST_DAY + day * DAY_MS
    await graph.write([
      { op: 'putNode', node: { id, type: 'photo', fields: { title: `Day ${day}` } } },
      { op: 'putEdge', edge: { source: '1', name: 'photos', target: id, time } },
    ])
  }
  return { graph, token: await graph.tokens.issue({ viewer: '1', app: 'album' }) }
}
