import {
  allOf,
  anyOf,
  canSee,
  collection,
  defineSchema,
  edge,
  type FilterEntry,
  field,
  fieldEquals,
  hasEdgeToViewer,
  isViewer,
  node,
  parameter,
  type Rule,
} from 'kithgraph'
import type { EventSearch } from './event-search.ts'

/** What a person can reply to an event. */
export const STATES = ['going', 'maybe', 'no'] as const

/**
 * Everyone sees an open group and may join it. Everyone sees a closed group, and its admins add people. Only its
 * members see a private group.
 */
export const PRIVACIES = ['open', 'closed', 'private'] as const

/**
 * The roles in a group. Guests read, reply and comment, members also post and create events, admins also change the
 * group and its roles.
 */
export const ROLES = ['admin', 'member', 'guest'] as const
export type Role = (typeof ROLES)[number]

/** The rule of actions for everyone who is signed in. A token of an app alone has no viewer. */
export const isSignedIn: Rule = {
  name: 'isSignedIn',
  reads: [],
  decide: (_record, { viewer }) => (viewer === undefined ? 'skip' : 'allow'),
}

/** The rule of actions for members and admins of a group. */
export const isMember = hasEdgeToViewer('members', { where: { role: ['admin', 'member'] } })

/** The rule of actions for admins of a group. */
export const isAdmin = hasEdgeToViewer('members', { where: { role: 'admin' } })

/** The fields and the filter of a reply. It is one connection, which both of its ends read. */
const reply = {
  fields: {
    state: field.enum(STATES, { required: true }),
    replied_time: field.edgeTime({ description: 'The time of the last reply.' }),
  },
  parameters: { state: parameter.enum(STATES, { description: 'Only replies with this state.' }) },
  where: ({ data }: FilterEntry, { state }: { readonly state: string | undefined }) => data.state === state,
}

/** The field of a membership, which is one connection too. */
const membership = { fields: { role: field.enum(ROLES, { required: true }) } }

/** The edge to comments, of events and of posts. */
const comments = edge('comment', {
  fields: { rank: field.int({ required: true, description: 'A copy of the score, for the order `top`.' }) },
  orders: { newest: 'time', top: { by: 'rank' } },
  order: 'newest',
})

const person = node({
  fields: { name: field.string({ default: true, required: true }) },
  edges: {
    groups: edge('group', { ...membership, inverse: 'members' }),
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

const group = node({
  // Everything below a group inherits this policy. No other record contains a copy of `privacy`.
  policy: [fieldEquals('privacy', 'open'), fieldEquals('privacy', 'closed'), hasEdgeToViewer('members')],
  fields: {
    name: field.string({ default: true, required: true }),
    privacy: field.enum(PRIVACIES, { required: true }),
    viewer_role: field.viewerEdge('members', { field: 'role' }),
    role_changes: field.int({ description: 'How often a role has changed. Writes of roles depend on it.' }),
  },
  edges: {
    members: edge('person', { ...membership, inverse: 'groups' }),
    posts: edge('post'),
    events: edge('event', { description: 'The event that was added last is the first one.' }),
  },
})

const post = node({
  policy: [canSee('group')],
  fields: {
    text: field.string({ default: true, required: true }),
    from: field.ref('person', { required: true }),
    group: field.ref('group', { required: true }),
  },
  edges: { comments },
})

const comment = node({
  policy: [canSee('subject')],
  fields: {
    text: field.string({ default: true, required: true }),
    from: field.ref('person', { required: true }),
    subject: field.ref(['event', 'post'], { required: true }),
    created_time: field.datetime({ required: true }),
    score: field.int({ required: true, description: 'The number of votes.' }),
    viewer_voted: field.viewerEdge('votes'),
  },
  edges: { votes: edge('person') },
})

/**
 * Allows records without a group. `canSee('group')` skips them, and also records of a group that is deleted or
 * hidden.
 */
const hasNoGroup: Rule = {
  name: 'hasNoGroup',
  decide: ({ fields }) => (fields.group === undefined ? 'allow' : 'skip'),
}

const createEventType = (search: EventSearch) =>
  node({
    // A draft is visible only to its host and to the admins of its group, wherever it is: in lists, counts, refs
    // and by its id.
    policy: [
      isViewer({ of: 'host' }),
      hasEdgeToViewer('members', { of: 'group', where: { role: 'admin' } }),
      allOf(fieldEquals('status', 'published'), anyOf(hasNoGroup, canSee('group'))),
    ],
    fields: {
      title: field.string({ default: true, required: true }),
      start_time: field.datetime({ default: true, required: true }),
      status: field.enum(['draft', 'published'], { required: true }),
      host: field.ref('person', { required: true }),
      group: field.ref('group'),
      viewer_reply: field.viewerEdge('attendees', { field: 'state' }),
      venue: field.ref('venue', { required: true }),
      places_left: field.int({ description: 'How many more people can go. Absent if there is no limit.' }),
      city: field.string({ required: true, description: 'A copy of the city of the venue, for the filter.' }),
      topics: field.list(field.string()),
    },
    edges: {
      attendees: edge('person', { ...reply, inverse: 'events', description: 'The latest reply first.' }),
      comments,
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
    { event: createEventType(search), venue, person, group, post, comment },
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
        groups: collection('group', { order: 'chronological' }),
      },
    },
  )

export type EventSchema = ReturnType<typeof createSchema>
