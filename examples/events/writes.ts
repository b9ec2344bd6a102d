import { isGraphError } from 'kithgraph'
import { updateEdge } from 'kithgraph/update'
import type { EventSearch } from './event-search.ts'
import { updateSearch } from './graph.ts'
import { newId } from './ids.ts'
import { type EventGraph, STATES } from './schema.ts'
import {
  assertRole,
  RequestError,
  readPerson,
  readText,
  readWord,
  type WriteRequest,
} from './write-request.ts'

const throwIfVoted = (error: unknown): never => {
  throw isGraphError(error) && error.reason === 'conflict'
    ? new RequestError(409, 'You have already voted')
    : error
}

/**
 * Creates the writes of the service. Each reads with the token of the person first. So it throws a GraphError
 * if the token is not valid, or if the person may not see the event.
 */
export const createWrites = (graph: EventGraph, search: EventSearch) => ({
  /** Sets whether the person goes to an event. A reply replaces the previous one. */
  reply: async ({ token, id, body }: WriteRequest) => {
    const state = readWord(body, 'state', STATES)
    const person = await readPerson(graph, token)
    await graph.getNode(token, { id, type: 'event', fields: 'id' })
    await graph.write([
      { op: 'putEdge', edge: { source: id, name: 'attendees', target: person, data: { state } } },
    ])
    return { state }
  },

  /** Adds a vote to a comment. Each person has one vote. */
  vote: async ({ token, id }: WriteRequest) => {
    const person = await readPerson(graph, token)
    const { subject } = await graph.getNode(token, { id, type: 'comment', fields: 'subject{id}' })
    if (subject === undefined) throw new RequestError(404, 'Not found')
    const vote = { source: id, name: 'votes', target: person } as const
    await graph.write([{ op: 'putEdge', edge: vote, when: { exists: false } }]).catch(throwIfVoted)
    // The order `top` is by a field of the edge. This write moves the comment in it. These are two writes: if the
    // process ends between them, the score lacks this vote.
    await updateEdge(graph, { source: String(subject.id), name: 'comments', target: id }, draft => {
      draft.score += 1
    })
    return { voted: true }
  },

  /** Creates a draft, which only its host and the admins of its group see. */
  createEvent: async ({ token, body }: WriteRequest) => {
    const host = await readPerson(graph, token)
    const venue = readText(body, 'venue')
    const { city } = await graph.getNode(token, {
      id: venue,
      type: 'venue',
      fields: 'city',
    })
    const [title, start_time] = [readText(body, 'title'), readText(body, 'start_time')]
    const topics = Array.isArray(body.topics) ? body.topics.map(String) : []
    const fields = { title, start_time, topics, status: 'draft', host, venue, city } as const
    const group = body.group === undefined ? undefined : readText(body, 'group')
    if (group !== undefined) await assertRole(graph, token, group, ['admin', 'member'])
    const id = newId()
    await graph.write([
      { op: 'putNode', node: { id, type: 'event', fields: { ...fields, group } } },
      ...(group === undefined
        ? []
        : [{ op: 'putEdge', edge: { source: group, name: 'events', target: id } } as const]),
    ])
    return { id }
  },

  /** Publishes an event of the person, or changes its start. Nobody can make an event a draft again. */
  changeEvent: async ({ token, id, body }: WriteRequest) => {
    const person = await readPerson(graph, token)
    const { host } = await graph.getNode(token, { id, type: 'event', fields: 'host{id}' })
    if (host?.id !== person) throw new RequestError(403, 'Only the host may change an event')
    const published = body.status === 'published' && ({ status: 'published' } as const)
    const moved = body.start_time !== undefined && { start_time: readText(body, 'start_time') }
    await graph.write([{ op: 'patchNode', id, fields: { ...published, ...moved } }])
    if (published) await updateSearch(graph, search, id)
    return { id }
  },
})
