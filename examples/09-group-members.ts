/** A group for its members alone, read by two apps that know nobody by the same id. */
import { deepStrictEqual, notStrictEqual, strictEqual } from 'node:assert/strict'
import { createGraph, hasEdgeToViewer, isGraphError, isViewer, socialSchema } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createMemoryStore } from 'kithgraph/memory'

// A post can be asked for by its id, so it needs a policy of its own beside the group's.
const schema = socialSchema.extend({
  group: { policy: [hasEdgeToViewer('members')] },
  post: { policy: [isViewer({ of: 'from' }), hasEdgeToViewer('members', { of: 'to' })] },
})
// Both secrets would come from where the service keeps such things.
const appIds = createAppIds({ secrets: { 1: 'random text of the service' }, current: 1 })
await using graph = createGraph(createMemoryStore(), { schema, appIds, secret: 'other random text' })

await graph.load([
  { node: { id: '1', type: 'user', fields: { name: 'Anni' } } },
  { node: { id: '2', type: 'user', fields: { name: 'Gunta' } } },
  { node: { id: '3', type: 'user', fields: { name: 'Josef' } } },
  { node: { id: '20', type: 'group', fields: { name: 'Weavers' } } },
  { edge: { source: '20', name: 'members', target: '1', time: '2026-01-01' } },
  { edge: { source: '20', name: 'members', target: '2', time: '2026-01-02' } },
  { node: { id: '30', type: 'post', fields: { message: 'The loom is mended', from: '1', to: '20' } } },
  { edge: { source: '20', name: 'feed', target: '30', time: '2026-02-01' } },
])
const as = (viewer: string, app: string) => graph.session({ viewer, app })

const group = await graph.getNode(as('2', 'calendar'), {
  id: '20',
  type: 'group',
  fields: 'name,members.summary(true){name,joined},feed{message,from}',
})
console.log(
  group.name,
  group.members.data.map(({ name }) => name),
  group.feed.data.map(({ message }) => message),
)
deepStrictEqual(
  [group.name, group.members.summary?.total_count, group.feed.data[0]?.message],
  ['Weavers', 2, 'The loom is mended'],
)

// Josef is no member: neither the group nor its post is there for him.
const reasonOf = async (call: Promise<unknown>): Promise<string> => {
  const fault: unknown = await call.catch(error => error)
  return isGraphError(fault) ? fault.data.reason : 'none'
}
const josef = as('3', 'calendar')
const refusals = [
  await reasonOf(graph.getNode(josef, { id: '20' })),
  await reasonOf(graph.getNode(josef, { id: '30' })),
]
console.log('for Josef:', refusals)
deepStrictEqual(refusals, ['node_missing', 'node_missing'])

// The calendar and the chat know Anni by different ids, and neither by that of the store.
const author = group.feed.data[0]?.from?.id ?? ''
const post = { id: '30', type: 'post', fields: 'from' } as const
const inChat = (await graph.getNode(as('2', 'chat'), post)).from?.id ?? ''
notStrictEqual(author, inChat)
strictEqual((await graph.getNode(as('2', 'calendar'), { id: author, type: 'user' })).name, 'Anni')
const strangers = [
  await reasonOf(graph.getNode(as('2', 'chat'), { id: author })),
  await reasonOf(graph.getNode(as('2', 'chat'), { id: '1' })),
]
console.log('ids of', author.length, 'digits; another app’s and the raw one:', strangers)
deepStrictEqual(strangers, ['node_missing', 'node_missing'])
strictEqual(graph.ids.toRaw(inChat, 'chat'), '1')

// Whoever leaves is out with the next read.
await graph.write([{ op: 'deleteEdge', edge: { source: '20', name: 'members', target: '2' } }])
const left = await reasonOf(graph.getNode(as('2', 'calendar'), { id: '20' }))
console.log('after leaving:', left)
strictEqual(left, 'node_missing')
