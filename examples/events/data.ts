import type { LoadRecord } from 'kithgraph'
import { COMMENTS, EVENTS, GROUPS, PEOPLE, POSTS, VENUES } from './ids.ts'
import type { EventSchema, Role } from './schema.ts'

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
  readonly group?: string
  readonly venue: keyof typeof VENUE_FIELDS
  readonly topics: readonly string[]
  readonly places_left?: number
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
    group: GROUPS.menders,
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
    group: GROUPS.lanterns,
    venue: VENUES.yard,
    topics: ['crafts'],
    places_left: 1,
  },
  [EVENTS.choir]: {
    title: 'Harbour choir',
    start_time: '2026-06-26T19:00:00Z',
    host: PEOPLE.cleo,
    venue: VENUES.hall,
    topics: ['music'],
  },
  [EVENTS.starters]: {
    title: 'Starters to take home',
    start_time: '2026-07-03T17:00:00Z',
    host: PEOPLE.esme,
    group: GROUPS.bakers,
    venue: VENUES.mill,
    topics: ['food'],
  },
  [EVENTS.oven]: {
    title: 'A visit to the oven',
    start_time: '2026-07-10T09:00:00Z',
    host: PEOPLE.dov,
    group: GROUPS.bakers,
    venue: VENUES.hall,
    topics: ['food'],
    status: 'draft',
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
  [EVENTS.starters, PEOPLE.dov, 'going'],
] as const

const GROUP_FIELDS = {
  [GROUPS.menders]: { name: 'Menders', privacy: 'open' },
  [GROUPS.lanterns]: { name: 'Lantern makers', privacy: 'closed' },
  [GROUPS.bakers]: { name: 'Sourdough circle', privacy: 'private' },
} as const

const MEMBERS: readonly (readonly [group: string, person: string, role: Role])[] = [
  [GROUPS.menders, PEOPLE.ada, 'admin'],
  [GROUPS.menders, PEOPLE.ben, 'member'],
  [GROUPS.menders, PEOPLE.dov, 'member'],
  [GROUPS.menders, PEOPLE.esme, 'guest'],
  [GROUPS.lanterns, PEOPLE.ben, 'admin'],
  [GROUPS.lanterns, PEOPLE.cleo, 'member'],
  [GROUPS.bakers, PEOPLE.esme, 'admin'],
  [GROUPS.bakers, PEOPLE.dov, 'member'],
]

const POST_FIELDS = {
  [POSTS.kettle]: { group: GROUPS.menders, from: PEOPLE.ben, text: 'Dov has mended the kettle.' },
  [POSTS.iron]: { group: GROUPS.menders, from: PEOPLE.ada, text: 'Who has a soldering iron?' },
  [POSTS.paper]: { group: GROUPS.lanterns, from: PEOPLE.ben, text: 'The paper is here.' },
  [POSTS.bruno]: { group: GROUPS.bakers, from: PEOPLE.dov, text: 'My starter is called Bruno.' },
}

const COMMENT_FIELDS = [
  { id: COMMENTS.tools, subject: EVENTS.repair, from: PEOPLE.ben, text: 'I bring tools.' },
  { id: COMMENTS.kettle, subject: EVENTS.repair, from: PEOPLE.dov, text: 'Can you mend a kettle?' },
  { id: COMMENTS.bicycle, subject: EVENTS.repair, from: PEOPLE.cleo, text: 'My bicycle is saved!' },
  { id: COMMENTS.radio, subject: EVENTS.repair, from: PEOPLE.ada, text: 'A radio needs a new dial.' },
  { id: COMMENTS.thanks, subject: POSTS.kettle, from: PEOPLE.dov, text: 'It was only the fuse.' },
  { id: COMMENTS.desk, subject: POSTS.iron, from: PEOPLE.ben, text: 'I do.' },
  { id: COMMENTS.bubbles, subject: POSTS.bruno, from: PEOPLE.esme, text: 'He bubbles!' },
] as const

const VOTERS: { readonly [id: string]: readonly string[] } = {
  [COMMENTS.tools]: [PEOPLE.ada, PEOPLE.dov],
  [COMMENTS.bicycle]: [PEOPLE.ada, PEOPLE.ben, PEOPLE.esme],
  [COMMENTS.radio]: [PEOPLE.esme],
}

/** Returns a time in May 2026, for the records that are ordered by the time of an edge. */
const timeOf = (index: number): number => Date.UTC(2026, 4, 20, 12, index)

/** Yields the groups, their members and posts, and the edges to their events. */
function* groupRecords(): Generator<LoadRecord<EventSchema>> {
  for (const [id, fields] of Object.entries(GROUP_FIELDS)) yield { node: { id, type: 'group', fields } }
  for (const [index, [source, target, role]] of MEMBERS.entries())
    yield { edge: { source, name: 'members', target, time: timeOf(index), data: { role } } }
  for (const [index, [id, { group }]] of Object.entries(EVENT_FIELDS).entries())
    if (group !== undefined)
      yield { edge: { source: group, name: 'events', target: id, time: timeOf(index) } }
  for (const [index, [id, fields]] of Object.entries(POST_FIELDS).entries()) {
    yield { node: { id, type: 'post', fields } }
    yield { edge: { source: fields.group, name: 'posts', target: id, time: timeOf(index) } }
  }
}

/** Yields the comments, their votes, and the edges to them. */
function* commentRecords(): Generator<LoadRecord<EventSchema>> {
  for (const [index, { id, ...fields }] of COMMENT_FIELDS.entries()) {
    const { [id]: voters = [] } = VOTERS
    const [time, rank] = [timeOf(index), voters.length]
    yield { node: { id, type: 'comment', fields: { ...fields, created_time: time, score: rank } } }
    for (const target of voters) yield { edge: { source: id, name: 'votes', target, time } }
    yield { edge: { source: fields.subject, name: 'comments', target: id, time, data: { rank } } }
  }
}

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
  yield* groupRecords()
  yield* commentRecords()
}
