import { defineSchema, edge, field, node, viewerHasEdge } from 'kithgraph'
import type { StoreMutation } from '../../src/store/mutations.ts'

/** 100,000 nodes: people, photos and notes. Each photo has enough likes and notes to fill a page. */
export const CROWD = { people: 10_000, photos: 900, notes: 99 } as const

const PAGE = 100
const PERSON_IDS = 100_000
const PHOTO_IDS = 200_000
const NOTE_IDS = 1_000_000
const START = Date.UTC(2014, 0)

/** The reader, who is a friend of every second person. */
export const READER = `${PERSON_IDS}`

/**
 * Notes are under a policy that checks one edge per note, photos have large values, and people have
 * app-scoped ids.
 */
export const crowdSchema = defineSchema(
  {
    person: node({
      appScoped: true,
      fields: { name: field.string() },
      edges: { friends: edge('person'), photos: edge('photo'), secrets: edge('note') },
    }),
    photo: node({
      fields: {
        name: field.string(),
        created_time: field.datetime(),
        images: field.list(field.object({ source: field.url(), width: field.int(), height: field.int() })),
        from: field.ref('person'),
      },
      edges: { likes: edge('person'), notes: edge('note') },
    }),
    note: node({
      policy: [viewerHasEdge('friends', { of: 'author' })],
      fields: { author: field.ref('person'), text: field.string() },
    }),
  },
  { viewers: ['person'] },
)

const personId = (index: number): string => `${PERSON_IDS + (index % CROWD.people)}`

const connect = (source: string, name: string, target: string, time: number): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time },
})

const images = Array.from({ length: 5 }, (_, size) => ({
  source: `https://images.example/${size}.jpg`,
  width: 100 * size,
  height: 75 * size,
}))

function* generateNotes(photo: number, id: string): Generator<StoreMutation> {
  for (let index = 0; index < CROWD.notes; index++) {
    const note = `${NOTE_IDS + photo * CROWD.notes + index}`
    const author = personId(photo + index)
    yield { op: 'putNode', node: { id: note, type: 'note', fields: { author, text: `Note ${index}` } } }
    yield connect(id, 'notes', note, START + index)
    // Adds the note to one long list of notes that the reader may not see.
    if ((photo + index) % 2 === 1) yield connect(READER, 'secrets', note, START + photo * CROWD.notes + index)
  }
}

/** Generates the mutations that fill a store with the crowd. */
export function* generateCrowd(): Generator<StoreMutation> {
  for (let index = 0; index < CROWD.people; index++) {
    const id = personId(index)
    yield { op: 'putNode', node: { id, type: 'person', fields: { name: `Person ${index}` } } }
    if (index % 2 === 0) yield connect(READER, 'friends', id, START + index)
  }
  for (let index = 0; index < CROWD.photos; index++) {
    const id = `${PHOTO_IDS + index}`
    const fields = { name: `Photo ${index}`, created_time: START + index, images, from: personId(index) }
    yield { op: 'putNode', node: { id, type: 'photo', fields } }
    yield connect(READER, 'photos', id, START + index)
    for (let position = 0; position < PAGE; position++)
      yield connect(id, 'likes', personId(index + position * 7), START + position)
    yield* generateNotes(index, id)
  }
}
