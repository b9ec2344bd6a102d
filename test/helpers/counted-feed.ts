import { createGraph, defineSchema, edge, field, isViewer, node, parameter, type Store } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'

/** A schema of users who count their posts. */
export const schema = defineSchema(
  {
    user: node({ fields: { posts: field.int() }, edges: { feed: edge('post') } }),
    post: node({ fields: { message: field.string() } }),
  },
  { viewers: ['user'] },
)

/** A point of the run of `feed.add`: between its two writes, or after them. */
export type RunPoint = 'between' | 'after'

/**
 * Creates a graph whose action `feed.add` writes twice: it counts a post, and then publishes it. `onPoint` is called at
 * each point of a run.
 */
export const openCountedFeed = (store: Store, onPoint: (point: RunPoint) => void = () => {}) => {
  const actions = [
    actionsOf(schema)('user', 'feed.add', {
      policy: [isViewer()],
      returns: 'post',
      parameters: { message: parameter.string({ required: true }) },
      run: async ({ source, parameters, newId, write }) => {
        const id = newId('post')
        await write([{ op: 'patchNode', id: source.id, increment: { posts: 1 } }])
        onPoint('between')
        const { revision } = await write([
          { op: 'putNode', node: { id, type: 'post', fields: { message: parameters.message } } },
          { op: 'putEdge', edge: { source: source.id, name: 'feed', target: id } },
        ])
        onPoint('after')
        return { id, revision }
      },
    }),
  ]
  return createGraph(store, { schema, actions, secret: 'a secret that all processes have' })
}

export type CountedFeed = ReturnType<typeof openCountedFeed>

export const VIEWER = '1'

const sessionOf = (graph: CountedFeed) => graph.session({ viewer: VIEWER, app: 'demo' })

/** Adds the viewer, who has no posts. */
export const addViewer = (graph: CountedFeed) =>
  graph.write([{ op: 'putNode', node: { id: VIEWER, type: 'user', fields: { posts: 0 } } }])

/** Publishes a post, and returns its id and its message. */
export const publish = async (graph: CountedFeed, idempotencyKey: string, message = 'Hello') => {
  const options = { id: 'me', action: 'feed.add', parameters: { message }, fields: 'message' } as const
  const post = await graph.callAction(sessionOf(graph), { ...options, idempotencyKey })
  return `${post.id} ${post.message}`
}

/** Returns the posts in the feed of the viewer, and the number that the viewer counts. */
export const readFeed = async (graph: CountedFeed) => {
  const session = sessionOf(graph)
  const { data } = await graph.getEdge(session, { id: 'me', edge: 'feed', fields: 'message' })
  const { posts } = await graph.getMe(session, { fields: 'posts' })
  return { feed: data.map(({ id, message }) => `${id} ${message}`), posts }
}
