import { createGraph, isViewer, parameter, socialSchema } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { createHandler } from 'kithgraph/http'
import { ADA, createWorldStore, NOW, SCOPES } from './world.ts'

const action = actionsOf(socialSchema)

/** The writes of classic clients: they publish posts, like and comment on them, and delete them. */
const actions = [
  action('user', 'feed.add', {
    policy: [isViewer()],
    returns: 'post',
    parameters: { message: parameter.string({ required: true }), link: parameter.string() },
    run: async ({ source, parameters: { message }, newId, write, now }) => {
      const id = newId('post')
      const { revision } = await write([
        {
          op: 'putNode',
          node: { id, type: 'post', fields: { message, from: source.id, created_time: now } },
        },
        { op: 'putEdge', edge: { source: source.id, name: 'feed', target: id, time: now } },
      ])
      return { id, revision }
    },
  }),
  action('post', 'comments.add', {
    policy: 'anyone',
    returns: 'comment',
    parameters: { message: parameter.string({ required: true }) },
    run: async ({ source, session, parameters: { message }, newId, write, now }) => {
      const id = newId('comment')
      const fields = { message, from: session.viewer, created_time: now }
      const { revision } = await write([
        { op: 'putNode', node: { id, type: 'comment', fields } },
        { op: 'putEdge', edge: { source: source.id, name: 'comments', target: id, time: now } },
      ])
      return { id, revision }
    },
  }),
  action('post', 'likes.add', {
    policy: 'anyone',
    run: ({ source, session, write, now }) =>
      write([
        {
          op: 'putEdge',
          edge: { source: source.id, name: 'likes', target: session.viewer ?? '', time: now },
        },
      ]),
  }),
  action('post', 'likes.remove', {
    policy: 'anyone',
    run: ({ source, session, write }) =>
      write([{ op: 'deleteEdge', edge: { source: source.id, name: 'likes', target: session.viewer ?? '' } }]),
  }),
  action('post', 'delete', {
    policy: [isViewer({ of: 'from' })],
    run: ({ source, write }) => write([{ op: 'deleteNode', id: source.id }]),
  }),
]

/** Creates a handler of the test world with the actions of classic clients, and a token of Ada. */
export const createSocialHandler = async () => {
  const graph = createGraph(await createWorldStore(), { actions, now: () => NOW })
  const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
  return { graph, token, handler: createHandler(graph) }
}
