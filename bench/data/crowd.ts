import { defineSchema, edge, field, node, viewerHasEdge } from 'kithgraph'
import type { Mutation } from '../../src/store/contract.ts'

/** People, photos and notes: 100,000 nodes, each photo with as many likes and notes as a page has entries. */
export const CROWD = { people: 10_000, photos: 900, notes: 99 } as const

const PAGE = 100
const PERSON_IDS = 100_000
const PHOTO_IDS = 200_000
const NOTE_IDS = 1_000_000
const START = Date.UTC(2014, 0)

/** Who reads: a friend of every second person. */
export const READER = `${PERSON_IDS}`

/** Notes are under a policy that asks an edge of each, photos have values that are large, and people ids for each app. */
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

const connect = (source: string, name: string, target: string, time: number): Mutation => ({
  op: 'putEdge',
  edge: { source, name, target, time },
})

const images = Array.from({ length: 5 }, (_, size) => ({
  source: `https://images.example/${size}.jpg`,
  width: 100 * size,
  height: 75 * size,
}))

function* notesOf(photo: number, id: string): Generator<Mutation> {
  for (let place = 0; place < CROWD.notes; place++) {
    const note = `${NOTE_IDS + photo * CROWD.notes + place}`
    const author = personId(photo + place)
    yield { op: 'putNode', node: { id: note, type: 'note', fields: { author, text: `Note ${place}` } } }
    yield connect(id, 'notes', note, START + place)
    // All that the reader may not see, in one long list.
    if ((photo + place) % 2 === 1) yield connect(READER, 'secrets', note, START + photo * CROWD.notes + place)
  }
}

/** What fills a store with the crowd. */
export function* createCrowd(): Generator<Mutation> {
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
    for (let place = 0; place < PAGE; place++)
      yield connect(id, 'likes', personId(index + place * 7), START + place)
    yield* notesOf(index, id)
  }
}
