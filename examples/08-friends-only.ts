/**
 * Photos for friends: each viewer gets full pages and exact counts of the visible photos, and the service
 * sees which rules denied the other photos.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import {
  createGraph,
  edge,
  field,
  fieldEquals,
  hasEdgeToViewer,
  isGraphError,
  isViewer,
  not,
  socialSchema,
  viewerHasEdge,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'

const schema = socialSchema.extend({
  user: {
    // `not` always decides: it denies the people that this user blocked, and allows everyone else.
    policy: [isViewer(), not(hasEdgeToViewer('blocked'))],
    edges: { blocked: edge('user', { policy: [isViewer()] }) },
  },
  photo: {
    fields: { audience: field.enum(['everyone', 'friends'], { required: true }) },
    policy: [
      isViewer({ of: 'from' }),
      fieldEquals('audience', 'everyone'),
      viewerHasEdge('friends', { of: 'from' }),
    ],
  },
})

const denied = new Map<string, number>()
await using graph = createGraph(createMemoryStore(), {
  schema,
  onEvent(event) {
    if (event.kind !== 'query') return
    for (const { rule, count } of event.denials) denied.set(rule, (denied.get(rule) ?? 0) + count)
  },
})

// Dorothea shares every fifth of her 40 photos with everyone. Walker is her friend. She has blocked Paul.
await graph.load([
  ...['Dorothea', 'Walker', 'Gordon', 'Paul'].map((name, index) => ({
    node: { id: `${index + 1}`, type: 'user' as const, fields: { name } },
  })),
  { edge: { source: '1', name: 'friends', target: '2', time: '2026-01-01' } },
  { edge: { source: '1', name: 'blocked', target: '4', time: '2026-01-01' } },
  ...Array.from({ length: 40 }, (_, index) => {
    const id = `${100 + index}`
    const fields = { from: '1', audience: index % 5 === 0 ? 'everyone' : 'friends' } as const
    return [
      { node: { id, type: 'photo' as const, fields } },
      { edge: { source: '1', name: 'photos' as const, target: id, time: index * 1000 } },
    ]
  }).flat(),
])
const as = (viewer: string) => graph.session({ viewer, app: 'album', scopes: ['user_photos'] })
const photos = { id: '1', edge: 'photos', fields: 'id', limit: 3, summary: true } as const

// The same request gives each viewer a full page and the count of the photos that this viewer may see.
for (const [viewer, ids, count] of [
  ['2', ['139', '138', '137'], 40],
  ['3', ['135', '130', '125'], 8],
] as const) {
  const page = await graph.getEdge(as(viewer), photos)
  const shown = page.data.map(({ id }) => id)
  console.log(`viewer ${viewer}:`, shown, 'of', page.summary?.total_count)
  deepStrictEqual([shown, page.summary?.total_count], [ids, count])
}

// Reads all pages. There are only as many pages as the visible photos need, without an empty page at the end.
let pages = 0
for (let after: string | undefined, isOver = false; !isOver; pages++) {
  const { data, paging } = await graph.getEdge(as('3'), { ...photos, after })
  after = paging?.cursors.after
  isOver = paging?.next === undefined
  strictEqual(data.length, isOver ? 2 : 3)
}
console.log('pages for viewer 3:', pages)
strictEqual(pages, 3)

// A hidden photo and a photo that does not exist give the same error.
const reasonOf = async (viewer: string, id: string): Promise<string> => {
  const error: unknown = await graph.getNode(as(viewer), { id }).catch(error => error)
  return isGraphError(error) ? error.reason : 'none'
}
const reasons = [await reasonOf('3', '139'), await reasonOf('3', '999'), await reasonOf('4', '1')]
console.log('hidden, missing, blocked:', reasons)
deepStrictEqual(reasons, ['node_not_found', 'node_not_found', 'node_not_found'])

// The events count denials by the name of the rule, and contain no ids.
console.log('denied:', [...denied.keys()])
deepStrictEqual([...denied.keys()], ['no rule', 'not(hasEdgeToViewer(blocked))'])
