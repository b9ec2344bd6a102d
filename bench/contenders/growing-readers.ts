import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import {
  ARCHIVE,
  GROWING,
  generateGrowingGraph,
  peopleFor,
  personId,
  publishedAt,
} from '../data/growing-graph.ts'

/**
 * The number of people and lists that are read in turn. The number is large, so that the data of large graphs
 * does not fit into the processor caches.
 */
const READ_IN_TURN = 1000

/** The reads of one graph. Each read uses an issued token, and checks the result. */
export type GrowingReaders = {
  /** Reads ten photos of one person, three comments on each photo, and the authors of the comments. */
  readPhotos(turn: number): Promise<void>
  /** Reads a page with its total count, from a position inside the list of all photos. */
  readPage(turn: number, limit: number): Promise<void>
  /** Reads the newest photos of the same list, with comments and their authors. */
  readWide(limit: number): Promise<void>
}

type Listed = { readonly data: readonly unknown[]; readonly summary?: { readonly total_count?: number } }

const assertLength = ({ data }: Listed = { data: [] }, length: number): void => {
  if (data.length !== length) throw new Error(`expected ${length} entries; received ${data.length}`)
}

const spreadIndices = (count: number): number[] => {
  const length = Math.min(READ_IN_TURN, count)
  return Array.from({ length }, (_, index) => Math.floor(((index + 0.5) * count) / length))
}

const createFields = (limit: number) => `photos.limit(${limit}){comments.limit(3){from}}` as const

export const createGrowingReaders = async (edges: number): Promise<GrowingReaders> => {
  const store = createMemoryStore()
  for (const batch of generateGrowingGraph(edges)) store.write(batch)
  const { getEdge, getMe, tokens } = createGraph(store)
  const issue = (viewer: string) => tokens.issue({ viewer, app: 'bench', scopes: ['user_photos'] })
  const people = peopleFor(edges)
  const viewers: string[] = []
  for (const person of spreadIndices(people)) viewers.push(await issue(personId(person)))
  const token = await issue(ARCHIVE)
  const photos = people * GROWING.photos
  // Positions far enough from the oldest photo to fill the largest page.
  const boundaries = spreadIndices(photos - 99).map(index => publishedAt(index + 99) / 1000)
  return {
    async readPhotos(turn) {
      const me = await getMe(viewers[turn % viewers.length] ?? '', { fields: createFields(GROWING.photos) })
      assertLength(me.photos, GROWING.photos)
    },
    async readPage(turn, limit) {
      const until = boundaries[turn % boundaries.length]
      const page = await getEdge(token, { id: ARCHIVE, edge: 'photos', limit, until, summary: true })
      assertLength(page, limit)
      if (page.summary?.total_count !== photos) throw new Error(`expected a count of ${photos}`)
    },
    async readWide(limit) {
      const me = await getMe(token, { fields: createFields(limit) as string })
      assertLength(me.photos as Listed | undefined, limit)
    },
  }
}
