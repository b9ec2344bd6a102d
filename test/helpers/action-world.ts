import { createGraph, defineSchema, edge, field, isViewer, node, parameter, type Store } from 'kithgraph'
import { ActionError, actionsOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'

/** A schema with viewers, hidden photos, posts and events. */
export const schema = defineSchema(
  {
    user: node({
      fields: {
        name: field.string({ default: true, required: true }),
        born: field.datetime(),
        secret: field.string({ scope: 'secrets' }),
      },
      edges: { feed: edge('post'), friends: edge('user', { symmetric: true }) },
    }),
    post: node({
      fields: {
        message: field.string({ default: true }),
        from: field.ref('user'),
        photo: field.ref('photo'),
        created_time: field.datetime(),
      },
      edges: { likes: edge('user') },
    }),
    photo: node({
      policy: [isViewer({ of: 'owner' })],
      fields: { owner: field.ref('user'), width: field.int() },
    }),
    draft: node({
      policy: [isViewer({ of: 'author' })],
      fields: { author: field.ref('user'), text: field.string() },
    }),
  },
  { viewers: ['user'] },
)

export const ADA = '1'
export const BOB = '2'
export const ADAS_PHOTO = '11'
export const BOBS_PHOTO = '12'
export const ADAS_POST = '21'
export const BOBS_DRAFT = '32'
export const MISSING = '99'

const action = actionsOf(schema)

/** The actions of the tests. */
export const actions = [
  action('user', 'feed.add', {
    description: 'Publishes a post.',
    scope: 'publish',
    policy: [isViewer()],
    returns: 'post',
    parameters: {
      message: parameter.string({ required: true, maxLength: 20 }),
      photo: parameter.node('photo'),
    },
    run: async ({ source, parameters, newId, write, now }) => {
      const id = newId('post')
      const { message, photo } = parameters
      const fields = { message, from: source.id, created_time: now, ...(photo && { photo: photo.id }) }
      const { revision } = await write([
        { op: 'putNode', node: { id, type: 'post', fields } },
        { op: 'putEdge', edge: { source: source.id, name: 'feed', target: id, time: now } },
      ])
      return { id, revision }
    },
  }),
  action('user', 'update', {
    policy: [isViewer()],
    parameters: { name: parameter.string({ required: true }) },
    run: ({ source, parameters, write }) =>
      write([{ op: 'patchNode', id: source.id, fields: { name: parameters.name } }]),
  }),
  action('post', 'delete', {
    policy: [isViewer({ of: 'from' })],
    run: ({ source, write }) => write([{ op: 'deleteNode', id: source.id }]),
  }),
  action('post', 'likes.add', {
    policy: 'anyone',
    run: ({ source, session, write }) => {
      const { viewer } = session
      if (viewer === undefined) throw new ActionError('no_viewer', { message: 'Log in first.', status: 403 })
      return write([{ op: 'putEdge', edge: { source: source.id, name: 'likes', target: viewer } }])
    },
  }),
  action('draft', 'publish', {
    policy: [isViewer({ of: 'author' })],
    result: { url: field.url({ required: true }), author: field.ref('user') },
    run: ({ source }) => ({ result: { url: `/drafts/${source.id}`, author: source.fields.author } }),
  }),
]

/** Creates a graph with two users, their photos, a post and a draft. */
export const createActionWorld = async (store: Store = createMemoryStore(), options: object = {}) => {
  const graph = createGraph(store, { schema, actions, secret: 'a secret for the tests', ...options })
  await graph.write([
    { op: 'putNode', node: { id: ADA, type: 'user', fields: { name: 'Ada', born: 5, secret: 'x' } } },
    { op: 'putNode', node: { id: BOB, type: 'user', fields: { name: 'Bob' } } },
    { op: 'putNode', node: { id: ADAS_PHOTO, type: 'photo', fields: { owner: ADA, width: 3 } } },
    { op: 'putNode', node: { id: BOBS_PHOTO, type: 'photo', fields: { owner: BOB } } },
    { op: 'putNode', node: { id: ADAS_POST, type: 'post', fields: { message: 'Hi', from: ADA } } },
    { op: 'putNode', node: { id: BOBS_DRAFT, type: 'draft', fields: { author: BOB, text: 'secret' } } },
  ])
  const ada = graph.session({ viewer: ADA, app: 'demo', scopes: ['publish'] })
  const bob = graph.session({ viewer: BOB, app: 'demo', scopes: ['publish'] })
  return { graph, store, ada, bob }
}
