import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { ARCHIVE, GROWING, growingGraph, peopleFor, personId, publishedAt } from '../data/growing-graph.ts'

/** So many people and places are read in turn that the largest graphs do not fit the caches of the processor. */
const READ_IN_TURN = 1000

/** Reads of a graph of some size, each with an issued token; all check what comes. */
export type GrowingReaders = {
  /** Of one of the people: ten photos, three comments on each, and who wrote them. */
  readPhotos(turn: number): Promise<void>
  /** From somewhere in the list that has all photos: a page with the count. */
  readPage(turn: number, limit: number): Promise<void>
  /** The newest of the same list, with comments and who wrote them. */
  readWide(limit: number): Promise<void>
}

type Listed = { readonly data: readonly unknown[]; readonly summary?: { readonly total_count?: number } }

const assertLength = ({ data }: Listed = { data: [] }, length: number): void => {
  if (data.length !== length) throw new Error(`expected ${length} entries, came ${data.length}`)
}

const spread = (count: number): number[] => {
  const length = Math.min(READ_IN_TURN, count)
  return Array.from({ length }, (_, index) => Math.floor(((index + 0.5) * count) / length))
}

const fieldsOf = (limit: number) => `photos.limit(${limit}){comments.limit(3){from}}` as const

export const createGrowingReaders = async (edges: number): Promise<GrowingReaders> => {
  const store = createMemoryStore()
  for (const batch of growingGraph(edges)) store.write(batch)
  const { getEdge, getMe, tokens } = createGraph(store)
  const issue = (viewer: string) => tokens.issue({ viewer, app: 'bench', scopes: ['user_photos'] })
  const people = peopleFor(edges)
  const viewers: string[] = []
  for (const person of spread(people)) viewers.push(await issue(personId(person)))
  const token = await issue(ARCHIVE)
  const photos = people * GROWING.photos
  // Far enough from the oldest that the widest page is full.
  const places = spread(photos - 99).map(index => publishedAt(index + 99) / 1000)
  return {
    async readPhotos(turn) {
      const me = await getMe(viewers[turn % viewers.length] ?? '', { fields: fieldsOf(GROWING.photos) })
      assertLength(me.photos, GROWING.photos)
    },
    async readPage(turn, limit) {
      const until = places[turn % places.length]
      const page = await getEdge(token, { id: ARCHIVE, edge: 'photos', limit, until, summary: true })
      assertLength(page, limit)
      if (page.summary?.total_count !== photos) throw new Error(`expected a count of ${photos}`)
    },
    async readWide(limit) {
      const me = await getMe(token, { fields: fieldsOf(limit) as string })
      assertLength(me.photos as Listed | undefined, limit)
    },
  }
}
