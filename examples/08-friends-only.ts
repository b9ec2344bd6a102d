/** Photos for friends: full pages and exact counts of what each viewer may see, and what the service learns of the rest. */
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
    // `not` decides every case: whoever is blocked is denied, everyone else is let in.
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
  onRead(event) {
    if (event.kind !== 'query') return
    for (const { rule, count } of event.denials) denied.set(rule, (denied.get(rule) ?? 0) + count)
  },
})

// Dorothea shows every fifth of her 40 photos to everyone. Walker is her friend, and she blocked Paul.
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

// The same question, and to each of them a full page and the count of what is there for them.
for (const [viewer, ids, count] of [
  ['2', ['139', '138', '137'], 40],
  ['3', ['135', '130', '125'], 8],
] as const) {
  const page = await graph.getEdge(as(viewer), photos)
  const shown = page.data.map(({ id }) => id)
  console.log(`viewer ${viewer}:`, shown, 'of', page.summary?.total_count)
  deepStrictEqual([shown, page.summary?.total_count], [ids, count])
}

// Page after page: as many pages as what is visible needs, and no empty one at the end.
let pages = 0
for (let after: string | undefined, isOver = false; !isOver; pages++) {
  const { data, paging } = await graph.getEdge(as('3'), { ...photos, after })
  after = paging?.cursors.after
  isOver = paging?.next === undefined
  strictEqual(data.length, isOver ? 2 : 3)
}
console.log('pages for viewer 3:', pages)
strictEqual(pages, 3)

// What is hidden and what never was are the same fault.
const reasonOf = async (viewer: string, id: string): Promise<string> => {
  const fault: unknown = await graph.getNode(as(viewer), { id }).catch(error => error)
  return isGraphError(fault) ? fault.data.reason : 'none'
}
const reasons = [await reasonOf('3', '139'), await reasonOf('3', '999'), await reasonOf('4', '1')]
console.log('hidden, missing, blocked:', reasons)
deepStrictEqual(reasons, ['node_missing', 'node_missing', 'node_missing'])

// The service is told by which rule, never of whom.
console.log('denied:', [...denied.keys()])
deepStrictEqual([...denied.keys()], ['no rule', 'not(hasEdgeToViewer(blocked))'])
