/**
 * Reads a graph whose data is in a REST service, and prints the number of requests to the service:
 *
 *     npx tsx examples/rest-store/main.ts
 */
import { deepStrictEqual } from 'node:assert/strict'
import { createGraph } from 'kithgraph'
import { createRestStore } from './rest-store.ts'
import { startService } from './service.ts'

const service = await startService()
const graph = createGraph(createRestStore(service.urlOf('photos')))
const photos = Array.from({ length: 20 }, (_, index) => ({ id: `${100 + index}`, time: index * 1000 }))
await graph.load([
  { node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
  { node: { id: '2', type: 'user', fields: { name: 'Ben' } } },
  ...photos.flatMap(({ id, time }) => [
    { node: { id, type: 'photo' as const, fields: { created_time: time, from: '1' } } },
    { edge: { source: '1', name: 'photos' as const, target: id, time } },
    { edge: { source: id, name: 'likes' as const, target: '2', time } },
  ]),
])
const ada = graph.session({ viewer: '1', app: 'album', scopes: ['user_photos'] })

const before = service.countRequests()
const me = await graph.getMe(ada, { fields: 'name,photos.limit(20){likes.limit(1){name}}' })
const likes = me.photos?.data.flatMap(photo => photo.likes.data).length
const requests = service.countRequests() - before
console.log(`${me.name}: ${likes} likes of ${me.photos?.data.length} photos in ${requests} requests`)
deepStrictEqual([likes, requests], [20, 3])

await graph.close()
service.stop()
