import {
  collection,
  defineSchema,
  edge,
  type FilterEntry,
  field,
  fieldEquals,
  type Graph,
  isViewer,
  node,
  parameter,
} from 'kithgraph'
import type { EventSearch } from './event-search.ts'

/** What a person can reply to an event. */
export const STATES = ['going', 'maybe', 'no'] as const

/** The fields and the filter of a reply. It is one connection, which both of its ends read. */
const reply = {
  fields: {
    state: field.enum(STATES, { required: true }),
    replied_time: field.edgeTime({ description: 'The time of the last reply.' }),
  },
  parameters: { state: parameter.enum(STATES, { description: 'Only replies with this state.' }) },
  where: ({ data }: FilterEntry, { state }: { readonly state: string | undefined }) => data.state === state,
}

const person = node({
  fields: { name: field.string({ default: true, required: true }) },
  edges: {
    events: edge('event', { ...reply, inverse: 'attendees', description: 'The events with a reply.' }),
  },
})

const venue = node({
  fields: {
    name: field.string({ default: true, required: true }),
    city: field.string({ required: true }),
    latitude: field.float({ required: true }),
    longitude: field.float({ required: true }),
  },
})

const comment = node({
  fields: {
    text: field.string({ default: true, required: true }),
    from: field.ref('person', { required: true }),
    event: field.ref('event', { required: true }),
    viewer_voted: field.viewerEdge('votes'),
  },
  edges: { votes: edge('person') },
})

const createEventType = (search: EventSearch) =>
  node({
    // A draft is visible to its host only, wherever it is: in lists, counts, refs and by its id.
    policy: [fieldEquals('status', 'published'), isViewer({ of: 'host' })],
    fields: {
      title: field.string({ default: true, required: true }),
      start_time: field.datetime({ default: true, required: true }),
      status: field.enum(['draft', 'published'], { required: true }),
      host: field.ref('person', { required: true }),
      venue: field.ref('venue', { required: true }),
      city: field.string({ required: true, description: 'A copy of the city of the venue, for the filter.' }),
      topics: field.list(field.string()),
    },
    edges: {
      attendees: edge('person', { ...reply, inverse: 'events', description: 'The latest reply first.' }),
      comments: edge('comment', {
        fields: {
          score: field.int({ required: true, description: 'The number of votes.' }),
          created_time: field.edgeTime(),
        },
        orders: { newest: 'time', top: { by: 'score' } },
        order: 'newest',
      }),
      similar: edge('event', {
        description: 'Events nearby that share topics: most topics first, then the nearest.',
        fields: { shared_topics: field.int(), distance_km: field.float() },
        parameters: { radius_km: parameter.float({ default: 10 }) },
        resolve: (events, { parameters, pages }) =>
          events.map(({ id }, index) => search.findSimilar(id, parameters.radius_km, pages[index])),
      }),
    },
  })

/** Creates the schema. The search finds the entries of the edge `similar`, which is not stored. */
export const createSchema = (search: EventSearch) =>
  defineSchema(
    { event: createEventType(search), venue, person, comment },
    {
      viewers: ['person'],
      collections: {
        events: collection('event', {
          by: 'start_time',
          order: 'chronological',
          description: 'All events, by their start. `since` with the current time returns the upcoming ones.',
          parameters: {
            city: parameter.string(),
            q: parameter.string({ description: 'A text in the title.' }),
            venue: parameter.id({ types: ['venue'] }),
            host: parameter.id({ types: ['person'] }),
          },
          reads: ['city', 'title', 'venue', 'host'],
          // Each parameter without a value is `undefined`, and chooses nothing.
          where: ({ target: { fields } }, { city, q, venue, host }) =>
            (city === undefined || fields.city === city) &&
            (q === undefined || String(fields.title).toLowerCase().includes(q.toLowerCase())) &&
            (venue === undefined || fields.venue === venue) &&
            (host === undefined || fields.host === host),
        }),
        venues: collection('venue', { order: 'chronological' }),
      },
    },
  )

export type EventSchema = ReturnType<typeof createSchema>

/** The graph of this service. */
export type EventGraph = Graph<EventSchema>
