import { isViewer, parameter } from 'kithgraph'
import { ActionError, actionsOf } from 'kithgraph/actions'
import { demoSchema } from './schema.ts'

/** The scopes of the actions. The tokens of the demo have them only with `--actions`. */
export const ACTION_SCOPES = ['publish_posts', 'publish_comments', 'publish_likes', 'edit_profile']

const action = actionsOf(demoSchema)

const message = parameter.string({ required: true, maxLength: 2000, description: 'The text.' })

/** Returns the person who publishes or likes something. A token of an app alone has no viewer. */
const requireViewer = ({ viewer }: { readonly viewer: string | undefined }): string => {
  if (viewer !== undefined) return viewer
  throw new ActionError('viewer_required', { status: 403, message: 'Use the token of a person.' })
}

/** The actions of the demo: people publish posts, comment on them, like them, and edit what is theirs. */
export const demoActions = [
  action('user', 'feed.add', {
    description: 'Publishes a post on the own profile, or on a page.',
    scope: 'publish_posts',
    policy: [isViewer()],
    returns: 'post',
    parameters: {
      message,
      page: parameter.node('page', { description: 'The page to publish on. Default: the own profile.' }),
    },
    run: async ({ source, parameters: { message, page }, newId, write, now }) => {
      const id = newId('post')
      const fields = { message, from: source.id, to: page?.id, created_time: now }
      const { revision } = await write([
        { op: 'putNode', node: { id, type: 'post', fields } },
        { op: 'putEdge', edge: { source: source.id, name: 'posts', target: id, time: now } },
        { op: 'putEdge', edge: { source: page?.id ?? source.id, name: 'feed', target: id, time: now } },
      ])
      return { id, revision }
    },
  }),
  action('user', 'update', {
    description: 'Edits the own profile. Values that are not sent stay as they are.',
    scope: 'edit_profile',
    policy: [isViewer()],
    returns: 'user',
    parameters: {
      about: parameter.string({ nullable: true, maxLength: 300, description: 'A text about oneself.' }),
      timezone: parameter.float({ nullable: true, min: -12, max: 14, description: 'Hours ahead of UTC.' }),
    },
    run: async ({ source, parameters, write, now }) => {
      const fields = { ...parameters, updated_time: now }
      const { revision } = await write([{ op: 'patchNode', id: source.id, fields }])
      return { id: source.id, revision }
    },
  }),
  action('post', 'update', {
    description: 'Edits the text of an own post.',
    scope: 'publish_posts',
    policy: [isViewer({ of: 'from' })],
    returns: 'post',
    parameters: { message },
    run: async ({ source, parameters: { message }, write, now }) => {
      const fields = { message, updated_time: now }
      const { revision } = await write([{ op: 'patchNode', id: source.id, fields }])
      return { id: source.id, revision }
    },
  }),
  action('post', 'delete', {
    description: 'Deletes an own post.',
    scope: 'publish_posts',
    policy: [isViewer({ of: 'from' })],
    run: ({ source, write }) => write([{ op: 'deleteNode', id: source.id }]),
  }),
  action('post', 'likes.add', {
    description: 'Likes the post.',
    scope: 'publish_likes',
    policy: 'anyone',
    run: ({ source, session, write, now }) =>
      write([
        {
          op: 'putEdge',
          edge: { source: source.id, name: 'likes', target: requireViewer(session), time: now },
        },
      ]),
  }),
  action('post', 'likes.remove', {
    description: 'Takes the like back.',
    scope: 'publish_likes',
    policy: 'anyone',
    run: ({ source, session, write }) =>
      write([
        { op: 'deleteEdge', edge: { source: source.id, name: 'likes', target: requireViewer(session) } },
      ]),
  }),
  action('post', 'comments.add', {
    description: 'Comments on the post.',
    scope: 'publish_comments',
    policy: 'anyone',
    returns: 'comment',
    parameters: { message },
    run: async ({ source, session, parameters: { message }, newId, write, now }) => {
      const id = newId('comment')
      const fields = { message, from: requireViewer(session), parent: source.id, created_time: now }
      const { revision } = await write([
        { op: 'putNode', node: { id, type: 'comment', fields } },
        { op: 'putEdge', edge: { source: source.id, name: 'comments', target: id, time: now } },
      ])
      return { id, revision }
    },
  }),
  action('post', 'comments.remove', {
    description: 'Deletes an own comment, or a comment on an own post.',
    scope: 'publish_comments',
    policy: 'anyone',
    parameters: { target: parameter.node('comment', { required: true, description: 'The comment.' }) },
    run: ({ source, session, parameters: { target }, write }) => {
      const authors = [source.fields.from, target.fields.from]
      if (target.fields.parent !== source.id || !authors.includes(requireViewer(session)))
        throw new ActionError('not_allowed', {
          status: 403,
          message: 'Delete only your own comments, and comments on your own posts.',
        })
      return write([{ op: 'deleteNode', id: target.id }])
    },
  }),
]
