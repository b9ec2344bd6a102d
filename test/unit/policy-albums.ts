import { createGraph, defineSchema, edge, field, node, viewerHasEdge } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import type { StoreMutation } from '../../src/store/mutations.ts'

/**
 * Albums of photos with comments. Each of them is visible to the friends of its author, about one viewer in
 * four.
 */

/** Creates a generator of numbers from 0 to 1 that is the same in every run with the same seed. */
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

const friendsPolicy = [viewerHasEdge('friends', { of: 'from' })]

const schema = defineSchema(
  {
    person: node({ edges: { friends: edge('person'), albums: edge('album') } }),
    album: node({
      policy: friendsPolicy,
      fields: { from: field.ref('person') },
      edges: { photos: edge('photo') },
    }),
    photo: node({
      policy: friendsPolicy,
      fields: { from: field.ref('person') },
      edges: { comments: edge('comment') },
    }),
    comment: node({ policy: friendsPolicy, fields: { from: field.ref('person') } }),
  },
  { viewers: ['person'] },
)

export const putNode = (id: string, type: string, from?: string): StoreMutation => ({
  op: 'putNode',
  node: { id, type, fields: from === undefined ? {} : { from } },
})

export const putEdge = (source: string, name: string, target: string, time: number): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data: undefined },
})

/** Creates `count` consecutive ids, from `first` on. */
export const createIds = (count: number, first: number): string[] =>
  Array.from({ length: count }, (_, index) => `${first + index}`)

const authors = createIds(AUTHORS, FIRST_AUTHOR)
/** The people who read the albums. The first of them is also the author of the albums. */
export const viewers = createIds(VIEWERS, FIRST_VIEWER)

/** Picks a random author. */
export const pickAuthor = (random: () => number): string => authors[Math.floor(random() * AUTHORS)] ?? ''

/** Creates authors, and viewers who are each a friend of about one author in four. */
export const createPeople = (random: () => number): StoreMutation[] => [
  ...[...authors, ...viewers].map(id => putNode(id, 'person')),
  ...viewers.flatMap(viewer =>
    authors.filter(() => random() < 0.25).map(author => putEdge(viewer, 'friends', author, 0)),
  ),
]

/** Opens a graph of the data over a store that counts its reads. */
export const openStore = async (mutations: readonly StoreMutation[]) => {
  const store = countReads(createMemoryStore())
  await store.open()
  await store.write(mutations, { signal: undefined })
  const graph = createGraph(store, { schema, limits: { ids: 100 } })
  const sessionOf = (viewer: string) => graph.session({ viewer, app: 'demo', scopes: [] })
  return { store, graph, sessionOf }
}
