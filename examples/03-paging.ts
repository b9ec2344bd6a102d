/** Reads a list with cursors in both directions, entry by entry, and by time range. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'

const DAYS = Array.from({ length: 10 }, (_, index) => ({
  id: `${100 + index}`,
  time: Date.UTC(2026, 4, index + 1),
}))

await using graph = createGraph(createMemoryStore())
await graph.load([
  { node: { id: '1', type: 'user', fields: { name: 'Ansel' } } },
  ...DAYS.flatMap(({ id, time }) => [
    { node: { id, type: 'photo' as const, fields: { created_time: time } } },
    { edge: { source: '1', name: 'photos' as const, target: id, time } },
  ]),
])
const ansel = graph.session({ viewer: '1', app: 'album', scopes: ['user_photos'] })
const photos = { id: 'me', edge: 'photos', fields: 'id', limit: 4 } as const
const idsOf = (page: { readonly data: readonly { readonly id: string }[] }) => page.data.map(({ id }) => id)

const first = await graph.getEdge(ansel, photos)
const second = await graph.getEdge(ansel, { ...photos, after: first.paging?.cursors.after })
const third = await graph.getEdge(ansel, { ...photos, after: second.paging?.cursors.after })
console.log('forwards:', [first, second, third].map(idsOf))
deepStrictEqual([first, second, third].flatMap(idsOf), DAYS.map(({ id }) => id).reverse())
strictEqual(third.paging?.next, undefined, 'a list has ended if there is no next')

const back = await graph.getEdge(ansel, { ...photos, before: third.paging?.cursors.before })
console.log('backwards:', idsOf(back))
deepStrictEqual(idsOf(back), idsOf(second), 'the page before, in the order of the list')

const seen: string[] = []
for await (const { id } of graph.iterateEdge(ansel, photos)) {
  seen.push(id)
  if (seen.length === 6) break
}
console.log('one by one:', seen)
strictEqual(seen.length, 6)

const days = await graph.getEdge(ansel, { ...photos, since: '2026-05-03', until: new Date('2026-05-05') })
console.log('from 3 to 5 May:', idsOf(days))
deepStrictEqual(idsOf(days), ['104', '103', '102'])

const oldest = await graph.getEdge(ansel, { ...photos, order: 'chronological', limit: 2, summary: true })
console.log('the oldest two of', oldest.summary?.total_count, idsOf(oldest))
deepStrictEqual(idsOf(oldest), ['100', '101'])
