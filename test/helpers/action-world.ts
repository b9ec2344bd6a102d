import {
  collection,
  createGraph,
  defineSchema,
  edge,
  field,
  type GraphOptions,
  hasScope,
  isViewer,
  node,
  parameter,
} from 'kithgraph'
import { ActionError, actionsOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import type { Session } from '../../src/base/session.ts'
import type { Store } from '../../src/store/contract.ts'
import { NOW } from './world.ts'

export const ADA = '1'
export const GRACE = '2'
/** A photo of Ada, which nobody else sees. */
export const PHOTO = '11'
/** A photo of Grace, which Ada does not see. */
export const HIDDEN_PHOTO = '12'
export const POST = '21'
export const EVENT = '31'
export const MISSING = '99'

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

export type ActionGraphOptions = {
  readonly graph?: Pick<GraphOptions, 'limits' | 'consistency'> | undefined
  /** Wraps the store before the graph receives it. */
  readonly wrap?: ((store: Store) => Store) | undefined
}

/** Creates a graph with actions over the memory store, and sessions of its people with all scopes. */
export const createActionWorld = async ({
  graph: graphOptions,
  wrap = store => store,
}: ActionGraphOptions = {}) => {
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
  const sessionOf = (viewer: string) => graph.session({ viewer, app: 'demo', scopes: ['publish'] })
  return { store, graph, effects, ada: sessionOf(ADA), grace: sessionOf(GRACE) }
}
