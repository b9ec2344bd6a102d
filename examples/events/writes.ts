import { isGraphError } from 'kithgraph'
import { updateEdge } from 'kithgraph/update'
import type { EventSearch } from './event-search.ts'
import { addToSearch } from './graph.ts'
import { newId } from './ids.ts'
import { type EventGraph, STATES } from './schema.ts'

/** A request that writes: the token of the person, the id in the path, and the members of the JSON body. */
export type WriteRequest = {
  readonly token: string
  readonly id: string
  readonly body: { readonly [name: string]: unknown }
}

/** An error of a request, with a message for the client. */
export class RequestError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const readText = (body: WriteRequest['body'], name: string): string => {
  const value = body[name]
  if (typeof value === 'string' && value !== '') return value
  throw new RequestError(400, `Send a text as ${name}`)
}

const throwIfVoted = (error: unknown): never => {
  throw isGraphError(error) && error.reason === 'conflict'
    ? new RequestError(409, 'You have already voted')
    : error
}

/** Reads the id of the person whose token it is. Without `appIds`, the id in a result is also the stored id. */
const readPerson = async (graph: EventGraph, token: string): Promise<string> =>
  String((await graph.getMe(token, { fields: 'id' })).id)

/**
 * Creates the writes of the service. Each reads with the token of the person first. So it throws a GraphError
 * if the token is not valid, or if the person may not see the event.
 */
export const createWrites = (graph: EventGraph, search: EventSearch) => ({
  /** Sets whether the person goes to an event. A reply replaces the previous one. */
  reply: async ({ token, id, body }: WriteRequest) => {
    const state = STATES.find(word => word === body.state)
    if (state === undefined) throw new RequestError(400, `Send one of these as state: ${STATES.join(', ')}`)
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
    const { event } = await graph.getNode(token, { id, type: 'comment', fields: 'event{id}' })
    if (event === undefined) throw new RequestError(404, 'Not found')
    const vote = { source: id, name: 'votes', target: person } as const
    await graph.write([{ op: 'putEdge', edge: vote, when: { exists: false } }]).catch(throwIfVoted)
    // The order `top` is by a field of the edge. This write moves the comment in it. These are two writes: if the
    // process ends between them, the score lacks this vote.
    await updateEdge(graph, { source: String(event.id), name: 'comments', target: id }, draft => {
      draft.score += 1
    })
    return { voted: true }
  },

  /** Creates a draft, which only its host sees. */
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
    const id = newId()
    await graph.write([{ op: 'putNode', node: { id, type: 'event', fields }, when: { exists: false } }])
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
    if (published) await addToSearch(graph, search, id)
    return { id }
  },
})
