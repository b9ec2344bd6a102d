import { createGraph, defineSchema, edge, field, node, viewerHasEdge } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import type { Mutation } from '../../src/store/contract.ts'

/** Albums of photos with comments: each is seen by the friends of who wrote it, which are about one viewer in four. */

/** A small generator of numbers from 0 to 1, the same in every run with the same seed. */
export const createRandom = (seed: number) => {
  let state = seed
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const AUTHORS = 2000
const VIEWERS = 40
const FIRST_AUTHOR = 1_000_000_000
const FIRST_VIEWER = 2_000_000_000

const byFriends = [viewerHasEdge('friends', { of: 'from' })]

const schema = defineSchema(
  {
    person: node({ edges: { friends: edge('person'), albums: edge('album') } }),
    album: node({
      policy: byFriends,
      fields: { from: field.ref('person') },
      edges: { photos: edge('photo') },
    }),
    photo: node({
      policy: byFriends,
      fields: { from: field.ref('person') },
      edges: { comments: edge('comment') },
    }),
    comment: node({ policy: byFriends, fields: { from: field.ref('person') } }),
  },
  { viewers: ['person'] },
)

export const putNode = (id: string, type: string, from?: string): Mutation => ({
  op: 'putNode',
  node: { id, type, fields: from === undefined ? {} : { from } },
})

export const putEdge = (source: string, name: string, target: string, time: number): Mutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data: undefined },
})

/** So many ids, from one on. */
export const numbers = (count: number, first: number): string[] =>
  Array.from({ length: count }, (_, index) => `${first + index}`)

const authors = numbers(AUTHORS, FIRST_AUTHOR)
/** Those who look: each sees what other authors wrote. */
export const viewers = numbers(VIEWERS, FIRST_VIEWER)

/** An author out of all. */
export const anyAuthor = (random: () => number): string => authors[Math.floor(random() * AUTHORS)] ?? ''

/** Viewers, each a friend of about one author in four. */
export const putPeople = (random: () => number): Mutation[] => [
  ...[...authors, ...viewers].map(id => putNode(id, 'person')),
  ...viewers.flatMap(viewer =>
    authors.filter(() => random() < 0.25).map(author => putEdge(viewer, 'friends', author, 0)),
  ),
]

/** A graph of some data, whose store counts. */
export const openStore = async (mutations: readonly Mutation[]) => {
  const store = countReads(createMemoryStore())
  await store.open()
  await store.write(mutations, { signal: undefined })
  const graph = createGraph(store, { schema, limits: { ids: 100 } })
  const sessionOf = (viewer: string) => graph.session({ viewer, app: 'demo', scopes: [] })
  return { store, graph, sessionOf }
}
