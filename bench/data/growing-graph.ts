import type { StoreMutation } from '../../src/store/mutations.ts'
import { createRandom } from './random.ts'

/**
 * The parameters of the graph. Each person has ten photos, and each photo has three comments and five likes.
 */
export const GROWING = { seed: 1, photos: 10, comments: 3, likes: 5 }

/** The id of the node whose list contains the photos of all people. */
export const ARCHIVE = '1'

/** The number of edges per person: each photo in two lists, with its comments and likes. */
const EDGES_A_PERSON = GROWING.photos * (2 + GROWING.comments + GROWING.likes)

const START = Date.UTC(2014, 0)
const SECOND = 1000
const BATCH = 1000
const PERSON_IDS = 100_000_000_000
const PHOTO_IDS = 200_000_000_000
const COMMENT_IDS = 300_000_000_000

export const personId = (index: number): string => `${PERSON_IDS + index}`

export const peopleFor = (edges: number): number => edges / EDGES_A_PERSON

/** Returns the time of a photo in the archive, in milliseconds. There is one photo per second. */
export const publishedAt = (index: number): number => START + index * SECOND

const putUser = (id: string): StoreMutation => ({
  op: 'putNode',
  node: { id, type: 'user', fields: { name: `Person ${id}` } },
})

const putEdge = (source: string, name: string, target: string, time: number): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data: undefined },
})

/** A photo in the lists of its owner and of the archive, with its comments and likes. */
const photoMutations = (index: number, people: number, author: () => string): StoreMutation[] => {
  const id = `${PHOTO_IDS + index}`
  const owner = Math.floor(index / GROWING.photos)
  const time = publishedAt(index)
  const fields = { created_time: time, name: `Photo ${index}`, from: personId(owner) }
  const comments = Array.from({ length: GROWING.comments }, (_, position): StoreMutation[] => {
    const comment = `${COMMENT_IDS + index * GROWING.comments + position}`
    const at = time + (position + 1) * SECOND
    const said = { created_time: at, message: `Comment ${position}`, from: author() }
    return [
      { op: 'putNode', node: { id: comment, type: 'comment', fields: said } },
      putEdge(id, 'comments', comment, at),
    ]
  })
  const likes = Array.from({ length: GROWING.likes }, (_, position) =>
    putEdge(id, 'likes', personId((owner + position + 1) % people), time + position),
  )
  return [
    { op: 'putNode', node: { id, type: 'photo', fields } },
    putEdge(personId(owner), 'photos', id, time),
    putEdge(ARCHIVE, 'photos', id, time),
    ...comments.flat(),
    ...likes,
  ]
}

/**
 * Generates a graph with the given number of edges. Yields batches, so that the data is not in memory twice.
 */
export function* generateGrowingGraph(edges: number): Generator<StoreMutation[]> {
  const people = peopleFor(edges)
  const random = createRandom(GROWING.seed)
  const author = (): string => personId(Math.floor(random() * people))
  yield [putUser(ARCHIVE)]
  for (let first = 0; first < people; first += BATCH)
    yield Array.from({ length: Math.min(BATCH, people - first) }, (_, offset) =>
      putUser(personId(first + offset)),
    )
  for (let photo = 0; photo < people * GROWING.photos; photo++) yield photoMutations(photo, people, author)
}
