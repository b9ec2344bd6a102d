import { allOf, fieldEquals, hasEdgeToViewer, parameter } from 'kithgraph'
import type { ActionContext, DefineAction } from 'kithgraph/actions'
import type { EventSearch } from './event-search.ts'
import { isConflict, viewerOf } from './run-helpers.ts'
import { type EventSchema, isAdmin, isMember, isSignedIn, PRIVACIES, ROLES, type Role } from './schema.ts'
import { updateSearch } from './update-search.ts'

type MemberContext = ActionContext<EventSchema, 'group', Record<never, never>, 'already_member'>

/** Adds a person who has no role in the group yet. */
const addMember = async (
  { source: { id }, write, fail }: Pick<MemberContext, 'source' | 'write' | 'fail'>,
  target: string,
  role: Role,
) => {
  const edge = { source: id, name: 'members', target, data: { role } } as const
  const { revision } = await write([{ op: 'putEdge', edge, when: { exists: false } }]).catch(error => {
    if (!isConflict(error)) throw error
    return fail('already_member', { status: 409, message: 'The person has a role in this group' })
  })
  return { id, revision }
}

/** Declares the actions of groups. */
export const createGroupActions = (action: DefineAction<EventSchema>, search: EventSearch) => [
  action('group', 'members.add', {
    description: 'Joins an open group.',
    policy: [allOf(isSignedIn, fieldEquals('privacy', 'open'))],
    returns: 'group',
    failures: ['already_member'],
    run: context => addMember(context, viewerOf(context.session), 'member'),
  }),

  action('group', 'members.remove', {
    description: 'Leaves a group. Another admin must change the role of an admin first.',
    policy: [hasEdgeToViewer('members', { where: { role: ['member', 'guest'] } })],
    run: async ({ source: { id, fields }, session, write }) => {
      const edge = { source: id, name: 'members', target: viewerOf(session) } as const
      const { role_changes = null } = fields
      // The viewer may become an admin after the policy was evaluated. This condition keeps an admin in the group.
      const sameRoles = { op: 'patchNode', id, fields: {}, when: { fields: { role_changes } } } as const
      await write([{ op: 'deleteEdge', edge }, sameRoles])
    },
  }),

  action('group', 'invite', {
    description: 'Adds a person to the group.',
    policy: [isAdmin],
    parameters: {
      person: parameter.node('person', { required: true }),
      role: parameter.enum(ROLES, { default: 'member' }),
    },
    returns: 'group',
    failures: ['already_member'],
    run: context => addMember(context, context.parameters.person.id, context.parameters.role),
  }),

  action('group', 'change_role', {
    description: 'Gives another role to another member.',
    policy: [isAdmin],
    parameters: {
      person: parameter.node('person', { required: true }),
      role: parameter.enum(ROLES, { required: true }),
    },
    returns: 'group',
    failures: ['own_role'],
    run: async ({ source: { id, fields }, parameters: { person, role }, session, write, fail }) => {
      if (person.id === session.viewer)
        return fail('own_role', { status: 403, message: 'Another admin must change your role' })
      const edge = { source: id, name: 'members', target: person.id, data: { role } } as const
      const { role_changes = null } = fields
      // Two admins who change the role of each other at once may both pass the policy. Only one passes this condition.
      const newRoles = { increment: { role_changes: 1 }, when: { fields: { role_changes } } } as const
      const { revision } = await write([
        { op: 'putEdge', edge, when: { exists: true } },
        { op: 'patchNode', id, ...newRoles },
      ])
      return { id, revision }
    },
  }),

  action('group', 'update', {
    description: 'Opens, closes or hides the group. Its events, posts and comments inherit it.',
    policy: [isAdmin],
    parameters: { privacy: parameter.enum(PRIVACIES, { required: true }) },
    returns: 'group',
    run: async ({ source: { id }, parameters: { privacy }, session, graph, write }) => {
      const { revision } = await write([{ op: 'patchNode', id, fields: { privacy } }])
      // The search is outside of the graph. As long as it still finds hidden events, the graph leaves them out.
      const options = { id, type: 'group', edge: 'events', fields: 'id', minRevision: revision } as const
      for await (const event of graph.iterateEdge(session, options))
        await updateSearch(graph, search, event.id, revision)
      return { id, revision }
    },
  }),

  action('group', 'posts.add', {
    description: 'Posts in the group. Guests may not.',
    policy: [isMember],
    parameters: { text: parameter.string({ required: true, maxLength: 5000 }) },
    returns: 'post',
    run: async ({ source, parameters: { text }, session, newId, write }) => {
      const id = newId('post')
      const fields = { text, from: viewerOf(session), group: source.id }
      const { revision } = await write([
        { op: 'putNode', node: { id, type: 'post', fields } },
        { op: 'putEdge', edge: { source: source.id, name: 'posts', target: id } },
      ])
      return { id, revision }
    },
  }),
]
