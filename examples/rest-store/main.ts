/**
 * Reads a graph whose data is in a REST service, and prints the number of requests to the service. The ids of the
 * nodes name their types:
 *
 *     npx tsx examples/rest-store/main.ts
 */
import { deepStrictEqual } from 'node:assert/strict'
import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createRestStore } from './rest-store.ts'
import { startService } from './service.ts'

const service = await startService()
const schema = defineSchema(
  {
    user: node({ fields: { name: field.string({ default: true }) }, edges: { photos: edge('photo') } }),
    photo: node({ fields: { title: field.string({ default: true }) }, edges: { likes: edge('user') } }),
  },
  { viewers: ['user'], ids: 'named' },
)
const graph = createGraph(createRestStore(service.urlOf('photos')), { schema })
const photos = Array.from({ length: 20 }, (_, index) => ({ id: `photo-${index}`, time: index * 1000 }))
await graph.load([
  { node: { id: 'user-ada', type: 'user', fields: { name: 'Ada' } } },
  { node: { id: 'user-ben', type: 'user', fields: { name: 'Ben' } } },
  ...photos.flatMap(({ id, time }) => [
    { node: { id, type: 'photo' as const, fields: { title: `Photo at ${time}` } } },
    { edge: { source: 'user-ada', name: 'photos' as const, target: id, time } },
    { edge: { source: id, name: 'likes' as const, target: 'user-ben', time } },
  ]),
])
const ada = graph.session({ viewer: 'user-ada', app: 'album' })

const before = service.countRequests()
const me = await graph.getMe(ada, { fields: 'name,photos.limit(20){likes.limit(1){name}}' })
const likes = me.photos?.data.flatMap(photo => photo.likes.data).length
const requests = service.countRequests() - before
console.log(`${me.name}: ${likes} likes of ${me.photos?.data.length} photos. Requests: ${requests}`)
deepStrictEqual([likes, requests], [20, 1])

await graph.close()
service.stop()
