import type { LoadRecord } from 'kithgraph'
import { COMMENTS, EVENTS, PEOPLE, VENUES } from './ids.ts'
import type { EventSchema } from './schema.ts'

const PERSON_NAMES = {
  [PEOPLE.ada]: 'Ada Quill',
  [PEOPLE.ben]: 'Ben Marrow',
  [PEOPLE.cleo]: 'Cleo Fenn',
  [PEOPLE.dov]: 'Dov Tarn',
  [PEOPLE.esme]: 'Esme Holt',
}

const VENUE_FIELDS = {
  [VENUES.mill]: { name: 'The Old Mill', city: 'Millbrook', latitude: 54.1, longitude: 3.2 },
  [VENUES.hall]: { name: 'Harbour Hall', city: 'Port Ellery', latitude: 54.14, longitude: 3.28 },
  [VENUES.yard]: { name: 'Lantern Yard', city: 'Port Ellery', latitude: 54.15, longitude: 3.27 },
}

type EventData = {
  readonly title: string
  readonly start_time: string
  readonly host: string
  readonly venue: keyof typeof VENUE_FIELDS
  readonly topics: readonly string[]
  readonly status?: 'draft'
}

const EVENT_FIELDS: { readonly [id: string]: EventData } = {
  [EVENTS.swap]: {
    title: 'Seed swap',
    start_time: '2026-05-16T14:00:00Z',
    host: PEOPLE.ada,
    venue: VENUES.mill,
    topics: ['garden'],
  },
  [EVENTS.walk]: {
    title: 'Night walk along the river',
    start_time: '2026-06-05T21:00:00Z',
    host: PEOPLE.dov,
    venue: VENUES.mill,
    topics: ['nature'],
  },
  [EVENTS.bread]: {
    title: 'Bread for beginners',
    start_time: '2026-06-07T10:00:00Z',
    host: PEOPLE.esme,
    venue: VENUES.hall,
    topics: ['food', 'crafts'],
  },
  [EVENTS.repair]: {
    title: 'Repair café',
    start_time: '2026-06-12T15:00:00Z',
    host: PEOPLE.ada,
    venue: VENUES.yard,
    topics: ['crafts', 'repair'],
  },
  [EVENTS.party]: {
    title: 'A surprise for Ben',
    start_time: '2026-06-13T18:00:00Z',
    host: PEOPLE.cleo,
    venue: VENUES.yard,
    topics: ['crafts', 'repair'],
    status: 'draft',
  },
  [EVENTS.sourdough]: {
    title: 'Sourdough evening',
    start_time: '2026-06-19T18:00:00Z',
    host: PEOPLE.esme,
    venue: VENUES.mill,
    topics: ['food', 'crafts'],
  },
  [EVENTS.lanterns]: {
    title: 'Lantern building',
    start_time: '2026-06-20T16:00:00Z',
    host: PEOPLE.ben,
    venue: VENUES.yard,
    topics: ['crafts'],
  },
  [EVENTS.choir]: {
    title: 'Harbour choir',
    start_time: '2026-06-26T19:00:00Z',
    host: PEOPLE.cleo,
    venue: VENUES.hall,
    topics: ['music'],
  },
}

const REPLIES = [
  [EVENTS.walk, PEOPLE.ada, 'maybe'],
  [EVENTS.bread, PEOPLE.ada, 'going'],
  [EVENTS.repair, PEOPLE.ben, 'going'],
  [EVENTS.repair, PEOPLE.cleo, 'maybe'],
  [EVENTS.repair, PEOPLE.dov, 'going'],
  [EVENTS.repair, PEOPLE.esme, 'no'],
  // Ben does not see this one, because the event is a draft.
  [EVENTS.party, PEOPLE.ben, 'going'],
  [EVENTS.lanterns, PEOPLE.ben, 'going'],
  [EVENTS.choir, PEOPLE.ada, 'going'],
] as const

const COMMENTS_ON_REPAIR = [
  { id: COMMENTS.tools, from: PEOPLE.ben, text: 'I bring tools.', votes: [PEOPLE.ada, PEOPLE.dov] },
  { id: COMMENTS.kettle, from: PEOPLE.dov, text: 'Can you mend a kettle?', votes: [] },
  {
    id: COMMENTS.bicycle,
    from: PEOPLE.cleo,
    text: 'My bicycle is saved!',
    votes: [PEOPLE.ada, PEOPLE.ben, PEOPLE.esme],
  },
  { id: COMMENTS.radio, from: PEOPLE.ada, text: 'A radio needs a new dial.', votes: [PEOPLE.esme] },
] as const

/** Returns a time in May 2026, for the records that are ordered by the time of an edge. */
const timeOf = (index: number): number => Date.UTC(2026, 4, 20, 12, index)

/** Yields the records for `graph.load`. Nodes are before their edges. */
export function* eventRecords(): Generator<LoadRecord<EventSchema>> {
  for (const [id, name] of Object.entries(PERSON_NAMES))
    yield { node: { id, type: 'person', fields: { name } } }
  for (const [id, fields] of Object.entries(VENUE_FIELDS)) yield { node: { id, type: 'venue', fields } }
  for (const [id, { status = 'published', ...fields }] of Object.entries(EVENT_FIELDS)) {
    const { city } = VENUE_FIELDS[fields.venue]
    yield { node: { id, type: 'event', fields: { ...fields, status, city } } }
  }
  for (const [index, [source, target, state]] of REPLIES.entries())
    yield { edge: { source, name: 'attendees', target, time: timeOf(index), data: { state } } }
  for (const [index, { id, votes, ...fields }] of COMMENTS_ON_REPAIR.entries()) {
    const [event, time] = [EVENTS.repair, timeOf(index)]
    yield { node: { id, type: 'comment', fields: { ...fields, event } } }
    for (const target of votes) yield { edge: { source: id, name: 'votes', target, time } }
    yield { edge: { source: event, name: 'comments', target: id, time, data: { score: votes.length } } }
  }
}
