import {
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
import { actionsOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { StoreReader } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { errorOf, reasonOf } from '../../helpers/error-of.ts'

const schema = defineSchema(
  {
    user: node({
      fields: { name: field.string({ default: true }) },
      edges: {
        feed: edge(['post', 'photo'], { scope: 'read_feed', policy: [hasScope('nothing')] }),
        nearby: edge('user', { resolve: () => [] }),
      },
    }),
    post: node({ fields: { owner: field.ref('user') } }),
    photo: node({ policy: [isViewer({ of: 'owner' })], fields: { owner: field.ref('user') } }),
  },
  { viewers: ['user'] },
)
const action = actionsOf(schema)

/** What happened in the store and in actions, in order. */
type Log = string[]

const createActions = (log: Log) => [
  action('user', 'feed.add', {
    policy: [isViewer()],
    returns: ['post', 'photo'],
    parameters: { type: parameter.enum(['post', 'photo']) },
    run: async ({ source, parameters: { type = 'post' }, newId, write }) => {
      log.push('run')
      const id = newId(type)
      const { revision } = await write([{ op: 'putNode', node: { id, type, fields: { owner: source.id } } }])
      return { id, type, revision }
    },
  }),
  action('user', 'wrong', {
    policy: 'anyone',
    returns: ['post', 'photo'],
    // A result of another type, which the types of the library reject.
    run: (() => ({ id: '1', type: 'user' })) as never,
  }),
  action('user', 'nearby.add', {
    policy: 'anyone',
    run: () => {
      log.push('run')
    },
  }),
  action('user', 'link', {
    policy: 'anyone',
    parameters: { photo: parameter.node('photo', { required: true }), other: parameter.node('photo') },
    run: () => {
      log.push('run')
    },
  }),
]

const open = async (options: GraphOptions<typeof schema> = {}) => {
  const log: Log = []
  const memory = createMemoryStore()
  const logged =
    (reader: StoreReader, name: string): StoreReader['read'] =>
    (request, readOptions) => {
      log.push(`${name} ${request.nodes.length} ${readOptions.minRevision ?? ''}`.trim())
      return reader.read(request, readOptions)
    }
  const store = delegateStore(memory, {
    read: logged(memory, 'read'),
    snapshot: async () => {
      const snapshot = await memory.snapshot()
      log.push('open')
      return {
        read: logged(snapshot, 'read'),
        close: async () => {
          await snapshot.close()
          log.push('close')
        },
      }
    },
    write: (mutations, writeOptions) => {
      log.push('write')
      return memory.write(mutations, writeOptions)
    },
  })
  await createGraph(memory, { schema }).write([
    { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: '2', type: 'photo', fields: { owner: '1' } } },
    { op: 'putNode', node: { id: '3', type: 'photo', fields: { owner: '1' } } },
  ])
  const graph = createGraph(store, { schema, actions: createActions(log), ...options })
  return { graph, log, session: graph.session({ viewer: '1', app: 'demo' }) }
}

describe('the checks of an action', () => {
  it('read the source and the nodes of all parameters together, in the newest state', async () => {
    const { graph, log, session } = await open()
    const parameters = { photo: '2', other: '3' }
    await graph.callAction(session, { id: 'me', action: 'link', parameters })
    expect(log).toEqual(['read 3 newest', 'run'])
  })

  it('read on one snapshot, which is closed before run; the node of the result is read on another', async () => {
    const { graph, log, session } = await open({ consistency: 'snapshot' })
    const call = { type: 'user', id: 'me', action: 'feed.add' } as const
    await graph.callAction(session, call)
    expect(log).toEqual(['open', 'read 1 newest', 'close', 'run', 'read 1 newest', 'write'])
    log.length = 0
    const post = await graph.callAction(session, { ...call, fields: 'owner' })
    expect(post).toMatchObject({ owner: { id: '1' } })
    expect(log.filter(entry => !entry.startsWith('read'))).toEqual([
      ...['open', 'close', 'run', 'write'],
      ...['open', 'close'],
    ])
  })

  it('are those of the action, not the scope and the policy of its edge, which are about reading', async () => {
    const { graph, session } = await open()
    expect(await reasonOf(graph.getEdge(session, { id: 'me', edge: 'feed' }))).toBe('scope_missing')
    expect(await graph.callAction(session, { type: 'user', id: 'me', action: 'feed.add' })).toMatchObject({
      id: expect.any(String),
    })
  })

  it('accept an edge that a function computes', async () => {
    const { graph, log, session } = await open()
    await graph.callAction(session, { id: 'me', action: 'nearby.add' })
    expect(log.at(-1)).toBe('run')
  })
})

describe('the result of an action that returns several types', () => {
  it('names the type of its node, and the fields are those of this type', async () => {
    const { graph, session } = await open()
    for (const type of ['post', 'photo'] as const) {
      const call = { type: 'user', id: 'me', action: 'feed.add', parameters: { type } } as const
      const { id } = await graph.callAction(session, { ...call, fields: 'owner' })
      expect(await graph.getNode(session, { id, type, fields: 'owner' })).toMatchObject({
        owner: { id: '1' },
      })
    }
  })

  it('is an internal error for another type', async () => {
    const { graph, session } = await open()
    const error = await errorOf(graph.callAction(session, { type: 'user', id: 'me', action: 'wrong' }))
    expect(error.reason).toBe('internal_error')
    expect(`${error.cause}`).toContain('"type" must be one of "post", "photo"')
  })
})
