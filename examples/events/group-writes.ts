import type { EventSearch } from './event-search.ts'
import { updateSearch } from './graph.ts'
import { newId } from './ids.ts'
import { type EventGraph, PRIVACIES, ROLES } from './schema.ts'
import {
  assertRole,
  RequestError,
  readPerson,
  readText,
  readWord,
  type WriteRequest,
} from './write-request.ts'

/**
 * Creates the writes of groups. Each reads with the token of the person first. So it throws a GraphError if the
 * token is not valid, or if the person may not see the group.
 */
export const createGroupWrites = (graph: EventGraph, search: EventSearch) => ({
  /** Makes the person a member of an open group. People who have a role keep it. */
  join: async ({ token, id }: WriteRequest) => {
    const person = await readPerson(graph, token)
    const fields = 'privacy,viewer_role'
    const { privacy, viewer_role } = await graph.getNode(token, { id, type: 'group', fields })
    if (viewer_role !== undefined) return { role: viewer_role }
    if (privacy !== 'open') throw new RequestError(403, 'An admin of the group must add you')
    const role = 'member'
    const membership = { source: id, name: 'members', target: person, data: { role } } as const
    await graph.write([{ op: 'putEdge', edge: membership, when: { exists: false } }])
    return { role }
  },

  /** Ends the membership of the person. An admin stays, so that no group is without one. */
  leave: async ({ token, id }: WriteRequest) => {
    const person = await readPerson(graph, token)
    const options = { id, type: 'group', edge: 'members', target: 'me', fields: 'role' } as const
    const entry = await graph.getEdgeEntry(token, options)
    if (entry === undefined) return { left: false }
    const { role } = entry
    if (role === 'admin') throw new RequestError(403, 'Another admin must change your role first')
    const edge = { source: id, name: 'members', target: person } as const
    // Fails with `conflict` if an admin changes the role in between.
    await graph.write([{ op: 'deleteEdge', edge, when: { fields: { role } } }])
    return { left: true }
  },

  /** Gives a role to another person, who need not be in the group yet. Only admins may do so. */
  setRole: async ({ token, id, body }: WriteRequest) => {
    await assertRole(graph, token, id, ['admin'])
    const [target, role] = [readText(body, 'person'), readWord(body, 'role', ROLES)]
    await graph.getNode(token, { id: target, type: 'person', fields: 'id' })
    if (target === (await readPerson(graph, token)))
      throw new RequestError(403, 'Another admin must change your role')
    await graph.write([{ op: 'putEdge', edge: { source: id, name: 'members', target, data: { role } } }])
    return { role }
  },

  /** Opens, closes or hides a group. No event, post or comment is written: all inherit it. */
  changeGroup: async ({ token, id, body }: WriteRequest) => {
    await assertRole(graph, token, id, ['admin'])
    const privacy = readWord(body, 'privacy', PRIVACIES)
    await graph.write([{ op: 'patchNode', id, fields: { privacy } }])
    // The search is outside of the graph. As long as it still finds hidden events, the graph leaves them out.
    const events = graph.iterateEdge(token, { id, type: 'group', edge: 'events', fields: 'id' })
    for await (const event of events) await updateSearch(graph, search, String(event.id))
    return { privacy }
  },

  /** Adds a post to a group. Guests may not. */
  createPost: async ({ token, id, body }: WriteRequest) => {
    await assertRole(graph, token, id, ['admin', 'member'])
    const fields = { text: readText(body, 'text'), from: await readPerson(graph, token), group: id }
    const post = newId()
    await graph.write([
      { op: 'putNode', node: { id: post, type: 'post', fields } },
      { op: 'putEdge', edge: { source: id, name: 'posts', target: post } },
    ])
    return { id: post }
  },
})
