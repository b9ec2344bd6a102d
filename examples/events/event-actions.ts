import { hasEdgeToViewer, isViewer, parameter } from 'kithgraph'
import type { ActionContext, DefineAction } from 'kithgraph/actions'
import type { EventSearch } from './event-search.ts'
import { retryConflicts, viewerOf } from './run-helpers.ts'
import { type EventSchema, isMember, isSignedIn, STATES } from './schema.ts'
import { updateSearch } from './update-search.ts'

const TITLE = { maxLength: 200 } as const

const TOPICS = parameter.list(parameter.string({ maxLength: 50 }), { maxItems: 10 })

const EVENT_PARAMETERS = {
  title: parameter.string({ ...TITLE, required: true }),
  start_time: parameter.datetime({ required: true }),
  venue: parameter.node('venue', { required: true }),
  topics: TOPICS,
  places: parameter.int({ min: 1, description: 'How many people can go. Default: any number.' }),
}

type CreateContext = ActionContext<EventSchema, 'root' | 'group', typeof EVENT_PARAMETERS>

/** Creates a draft, which only its host and the admins of its group see. */
const createEvent = async ({ parameters, session, newId, write }: CreateContext, group?: string) => {
  const { venue, places, ...values } = parameters
  const { city = '' } = venue.fields
  const fields = { ...values, status: 'draft', host: viewerOf(session), venue: venue.id, city } as const
  const id = newId('event')
  const { revision } = await write([
    { op: 'putNode', node: { id, type: 'event', fields: { ...fields, group, places_left: places } } },
    ...(group === undefined
      ? []
      : [{ op: 'putEdge', edge: { source: group, name: 'events', target: id } } as const]),
  ])
  return { id, revision }
}

/** Declares the actions of events. */
export const createEventActions = (action: DefineAction<EventSchema>, search: EventSearch) => [
  action('root', 'events.add', {
    description: 'Creates the draft of an event.',
    policy: [isSignedIn],
    parameters: EVENT_PARAMETERS,
    returns: 'event',
    run: context => createEvent(context),
  }),

  action('group', 'events.add', {
    description: 'Creates the draft of an event of the group.',
    policy: [isMember],
    parameters: EVENT_PARAMETERS,
    returns: 'event',
    run: context => createEvent(context, context.source.id),
  }),

  action('event', 'publish', {
    description: 'Shows a draft to everyone who sees its group. An event never becomes a draft again.',
    policy: [isViewer({ of: 'host' })],
    returns: 'event',
    run: async ({ source: { id }, graph, write }) => {
      const { revision } = await write([{ op: 'patchNode', id, fields: { status: 'published' } }])
      await updateSearch(graph, search, id, revision)
      return { id, revision }
    },
  }),

  action('event', 'update', {
    description: 'Changes the values that are given.',
    policy: [isViewer({ of: 'host' })],
    parameters: { title: parameter.string(TITLE), start_time: parameter.datetime(), topics: TOPICS },
    returns: 'event',
    run: async ({ source: { id }, parameters, graph, write }) => {
      const { revision } = await write([{ op: 'patchNode', id, fields: parameters }])
      await updateSearch(graph, search, id, revision)
      return { id, revision }
    },
  }),

  action('event', 'delete', {
    description: 'Deletes an event and its replies. Nobody sees its comments any more.',
    policy: [isViewer({ of: 'host' }), hasEdgeToViewer('members', { of: 'group', where: { role: 'admin' } })],
    run: async ({ source: { id }, write }) => {
      await write([{ op: 'deleteNode', id }])
      search.remove(id)
    },
  }),

  action('event', 'attendees.add', {
    description: 'Replies to an event, or changes the reply. Each person who is going takes a place.',
    policy: [isSignedIn],
    parameters: { state: parameter.enum(STATES, { required: true }) },
    returns: 'event',
    failures: ['event_full'],
    run: ({ source: { id }, parameters: { state }, session, graph, write, fail }) =>
      retryConflicts(async () => {
        const fields = 'viewer_reply,places_left'
        const event = await graph.getNode(session, { id, type: 'event', fields, minRevision: 'newest' })
        const { viewer_reply: before, places_left } = event
        const taken = Number(state === 'going') - Number(before === 'going')
        if (places_left !== undefined && taken > places_left)
          return fail('event_full', { status: 409, message: 'No place is left' })
        const edge = { source: id, name: 'attendees', target: viewerOf(session), data: { state } } as const
        const when = before === undefined ? ({ exists: false } as const) : { fields: { state: before } }
        const reply = { op: 'putEdge', edge, when } as const
        const takePlace = { op: 'patchNode', id, increment: { places_left: -taken } } as const
        // Nothing is written if another caller has changed the reply or the places since then.
        const { revision } = await write(
          places_left === undefined ? [reply] : [reply, { ...takePlace, when: { fields: { places_left } } }],
        )
        return { id, revision }
      }),
  }),
]
