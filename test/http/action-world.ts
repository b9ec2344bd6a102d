import {
  collection,
  createGraph,
  defineSchema,
  edge,
  field,
  type GraphError,
  type GraphOptions,
  hasScope,
  isViewer,
  node,
  parameter,
} from 'kithgraph'
import { ActionError, actionsOf } from 'kithgraph/actions'
import { createHandler, type HandlerOptions } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import type { Session } from '../../src/base/session.ts'
import type { Store } from '../../src/store/contract.ts'
import { NOW } from '../helpers/world.ts'
import { parseBatchResponse } from './batch-requests.ts'
import { createRequests } from './served-world.ts'

export const ADA = '1'
export const GRACE = '2'
/** A photo of Ada, which nobody else sees. */
export const PHOTO = '11'
/** A photo of Grace, which Ada does not see. */
export const HIDDEN_PHOTO = '12'
export const POST = '21'
export const EVENT = '31'

/** The origin at which the world is served. */
export { ORIGIN } from './served-world.ts'

const photo = node({
  fields: { caption: field.string(), owner: field.ref('user') },
  edges: { likes: edge('user') },
  policy: [isViewer({ of: 'owner' })],
})

export const schema = defineSchema(
  {
    user: node({
      fields: { name: field.string({ default: true }), about: field.string() },
      edges: { feed: edge('post'), friends: edge('user') },
    }),
    post: node({
      fields: {
        message: field.string({ default: true }),
        from: field.ref('user'),
        photo: field.ref('photo'),
        tags: field.list(field.string()),
      },
      edges: { likes: edge('user') },
    }),
    photo,
    event: node({
      fields: { title: field.string({ default: true }), start_time: field.datetime({ required: true }) },
    }),
  },
  {
    versions: ['v1.0'],
    viewers: ['user'],
    collections: { events: collection('event', { by: 'start_time' }) },
  },
)

/** A call of the `run` of an action. */
export type ActionRun = {
  readonly name: string
  readonly source: { readonly id: string; readonly type: string; readonly fields: object }
  readonly parameters: object
  readonly session: Session
}

/** What the actions of a world do beyond writing: what they record, and what `task` runs. */
export type ActionEffects = {
  /** The calls of `run`, in order. */
  readonly calls: ActionRun[]
  /** Runs inside of the action `task` of a user. */
  task: (signal: AbortSignal) => Promise<void>
}

const action = actionsOf(schema)

/** Creates actions of all kinds. */
export const createActions = (effects: ActionEffects) => {
  const record = (name: string, { source, parameters, session }: Omit<ActionRun, 'name'>): void => {
    effects.calls.push({ name, source, parameters, session })
  }
  return [
    action('user', 'update', {
      policy: [isViewer()],
      parameters: { about: parameter.string({ nullable: true, maxLength: 100 }) },
      run: context => {
        record('update', context)
        const {
          source,
          parameters: { about },
          write,
        } = context
        return write([{ op: 'patchNode', id: source.id, fields: { about } }])
      },
    }),
    action('user', 'feed.add', {
      description: 'Publishes a post.',
      scope: 'publish',
      policy: [isViewer()],
      returns: 'post',
      parameters: {
        message: parameter.string({ required: true, maxLength: 100 }),
        photo: parameter.node('photo'),
        tags: parameter.list(parameter.string(), { maxItems: 5 }),
      },
      run: async context => {
        record('feed.add', context)
        const {
          source,
          parameters: { message, photo, tags },
          newId,
          write,
          now,
        } = context
        const id = newId('post')
        const fields = { message, from: source.id, photo: photo?.id, tags: tags && [...tags] }
        const { revision } = await write([
          { op: 'putNode', node: { id, type: 'post', fields } },
          { op: 'putEdge', edge: { source: source.id, name: 'feed', target: id, time: now } },
        ])
        return { id, revision }
      },
    }),
    action('user', 'feed.remove', {
      policy: [isViewer()],
      parameters: { target: parameter.node('post', { required: true }) },
      run: context => {
        record('feed.remove', context)
        const {
          source,
          parameters: { target },
          write,
        } = context
        return write([{ op: 'deleteEdge', edge: { source: source.id, name: 'feed', target: target.id } }])
      },
    }),
    action('user', 'task', {
      policy: [isViewer()],
      returns: 'user',
      parameters: { value: parameter.int() },
      run: async context => {
        record('task', context)
        const { source, signal } = context
        await effects.task(signal)
        return { id: source.id }
      },
    }),
    action('user', 'fail', {
      policy: 'anyone',
      idempotent: false,
      failures: ['already_member'],
      run: context => {
        record('fail', context)
        throw new ActionError('already_member', {
          status: 409,
          message: 'You are a member.',
          data: { since: 2020 },
        })
      },
    }),
    action('user', 'upload', {
      policy: [isViewer()],
      result: { upload_url: field.url(), owner: field.ref('user') },
      run: context => {
        record('upload', context)
        const { source } = context
        return { result: { upload_url: 'https://files.example/1', owner: source.id } }
      },
    }),
    action('post', 'delete', {
      policy: [isViewer({ of: 'from' })],
      run: context => {
        record('delete', context)
        const { source, write } = context
        return write([{ op: 'deleteNode', id: source.id }])
      },
    }),
    action('post', 'likes.add', {
      policy: 'anyone',
      run: context => {
        record('likes.add', context)
        const { source, session, write, now } = context
        const target = session.viewer ?? ''
        return write([{ op: 'putEdge', edge: { source: source.id, name: 'likes', target, time: now } }])
      },
    }),
    action('post', 'likes.remove', {
      policy: 'anyone',
      run: context => {
        record('likes.remove', context)
        const { source, session, write } = context
        const target = session.viewer ?? ''
        return write([{ op: 'deleteEdge', edge: { source: source.id, name: 'likes', target } }])
      },
    }),
    action('root', 'events.add', {
      policy: [hasScope('publish')],
      returns: 'event',
      parameters: {
        title: parameter.string({ required: true }),
        start_time: parameter.datetime({ required: true }),
      },
      run: async context => {
        record('events.add', context)
        const { parameters, newId, write } = context
        const id = newId('event')
        const { revision } = await write([{ op: 'putNode', node: { id, type: 'event', fields: parameters } }])
        return { id, revision }
      },
    }),
  ]
}

export type WorldActions = ReturnType<typeof createActions>

export type ActionWorldOptions = HandlerOptions & {
  readonly graph?: Pick<GraphOptions, 'limits' | 'consistency'>
  /** Wraps the store before the graph receives it. */
  readonly wrap?: (store: Store) => Store
}

/** Serves a graph with actions over the memory store. Also returns a token of Ada with all scopes. */
export const serveActions = async ({
  graph: graphOptions,
  wrap = store => store,
  ...options
}: ActionWorldOptions = {}) => {
  const effects: ActionEffects = { calls: [], task: async () => {} }
  const store = createMemoryStore()
  const actions = createActions(effects)
  const graph = createGraph(wrap(store), { schema, actions, now: () => NOW, ...graphOptions })
  await graph.write([
    { op: 'putNode', node: { id: ADA, type: 'user', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: GRACE, type: 'user', fields: { name: 'Grace' } } },
    { op: 'putNode', node: { id: PHOTO, type: 'photo', fields: { caption: 'Mine', owner: ADA } } },
    { op: 'putNode', node: { id: HIDDEN_PHOTO, type: 'photo', fields: { caption: 'Hers', owner: GRACE } } },
    { op: 'putNode', node: { id: POST, type: 'post', fields: { message: 'First', from: ADA } } },
    { op: 'putEdge', edge: { source: ADA, name: 'feed', target: POST, time: NOW } },
    { op: 'putNode', node: { id: EVENT, type: 'event', fields: { title: 'Fair', start_time: NOW } } },
  ])
  const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: ['publish'] })
  const errors: GraphError[] = []
  const handler = createHandler(graph, { onError: error => errors.push(error), ...options })

  const { send, sendAsAda, read } = createRequests(handler, token)
  /** Returns the JSON that Ada gets for a POST request with a form. */
  const post = (path: string, fields: { readonly [name: string]: string } = {}) =>
    read(path, { method: 'POST', body: new URLSearchParams(fields) })
  /** Returns the JSON that Ada gets for a POST request with a JSON body. */
  const postJson = (path: string, value: unknown, headers: { readonly [name: string]: string } = {}) =>
    read(path, {
      method: 'POST',
      body: JSON.stringify(value),
      headers: { 'content-type': 'application/json', ...headers },
    })
  /** Returns the responses that Ada gets for a batch. */
  const batch = async (items: readonly unknown[]) =>
    parseBatchResponse(
      await sendAsAda('/', { method: 'POST', body: new URLSearchParams({ batch: JSON.stringify(items) }) }),
    )
  /** Returns the names of the actions whose `run` was called, in order. */
  const runs = (): string[] => effects.calls.map(({ name }) => name)
  return { store, graph, token, handler, errors, effects, runs, send, sendAsAda, read, post, postJson, batch }
}

export type ActionWorld = Awaited<ReturnType<typeof serveActions>>

/** Returns the reason in the JSON of an error. */
export const reasonIn = (body: { readonly error?: { readonly error_data: { readonly reason: string } } }) =>
  body.error?.error_data.reason
