/**
 * A group that only its members see. Two apps read it, and each app has different ids for the same people.
 */
import { deepStrictEqual, notStrictEqual, strictEqual } from 'node:assert/strict'
import { createGraph, hasEdgeToViewer, isGraphError, isViewer, socialSchema } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createMemoryStore } from 'kithgraph/memory'

// A post can also be read by its id, so the policy of the group is not enough.
const schema = socialSchema.extend({
  group: { policy: [hasEdgeToViewer('members')] },
  post: { policy: [isViewer({ of: 'from' }), hasEdgeToViewer('members', { of: 'to' })] },
})
// A real service keeps both secrets in a secret store.
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

// Josef is not a member, so for him, neither the group nor its post exists.
const reasonOf = async (call: Promise<unknown>): Promise<string> => {
  const error: unknown = await call.catch(error => error)
  return isGraphError(error) ? error.reason : 'none'
}
const josef = as('3', 'calendar')
const reasons = [
  await reasonOf(graph.getNode(josef, { id: '20' })),
  await reasonOf(graph.getNode(josef, { id: '30' })),
]
console.log('for Josef:', reasons)
deepStrictEqual(reasons, ['node_not_found', 'node_not_found'])

// The calendar and the chat have different ids for Anni. Both ids differ from the id in the store.
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
deepStrictEqual(strangers, ['node_not_found', 'node_not_found'])
strictEqual(graph.ids.toRaw(inChat, 'chat'), '1')

// A person who leaves the group no longer sees it from the next read on.
await graph.write([{ op: 'deleteEdge', edge: { source: '20', name: 'members', target: '2' } }])
const left = await reasonOf(graph.getNode(as('2', 'calendar'), { id: '20' }))
console.log('after leaving:', left)
strictEqual(left, 'node_not_found')
