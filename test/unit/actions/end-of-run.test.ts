import {
  createGraph,
  defineSchema,
  field,
  GraphError,
  type GraphEvent,
  isViewer,
  node,
  type Store,
} from 'kithgraph'
import { type ActionOptions, actionsOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { errorOf, reasonOf } from '../../helpers/error-of.ts'

const schema = defineSchema(
  {
    user: node({ fields: { name: field.string({ default: true }) } }),
    note: node({ policy: [isViewer({ of: 'owner' })], fields: { owner: field.ref('user') } }),
  },
  { viewers: ['user'] },
)
type Run = ActionOptions<typeof schema, 'user', Record<never, never>, undefined, undefined>['run']

const open = async (run: Run, options: object = {}, wrap = (store: Store): Store => store) => {
  const memory = createMemoryStore()
  const actions = [actionsOf(schema)('user', 'test', { policy: [isViewer()], run })]
  await createGraph(memory, { schema }).write([
    { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
  ])
  const graph = createGraph(wrap(memory), { schema, actions, ...options })
  const session = graph.session({ viewer: '1', app: 'demo' })
  const call = (idempotencyKey?: string) =>
    graph.callAction(session, { id: 'me', action: 'test', idempotencyKey })
  const readName = async () => (await graph.getMe(session)).name
  return { graph, call, readName }
}

const rename = (name: string) => [{ op: 'patchNode', id: '1', fields: { name } }] as const

const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

describe('a run that exceeds its time limit', () => {
  const limits = { actionTimeoutMs: 20 }

  it('cannot write any more', async () => {
    let write: Promise<unknown> = Promise.resolve()
    const { call, readName } = await open(
      async context => {
        await new Promise(resolve => context.signal.addEventListener('abort', resolve))
        write = context.write(rename('Late'))
        await write
      },
      { limits },
    )
    expect(await reasonOf(call('key'))).toBe('timeout')
    expect(await reasonOf(write)).toBe('aborted')
    expect(await readName()).toBe('Ada')
  })

  it('lets the graph be closed', async () => {
    const { graph, call } = await open(() => new Promise(() => {}), { limits })
    const reason = reasonOf(call())
    await sleep(5)
    await graph.close()
    expect(await reason).toBe('timeout')
  })

  it('has a limit that no timer supports, and then ends by itself', async () => {
    const { call, readName } = await open(
      async ({ write }) => {
        await sleep(5)
        await write(rename('Written'))
      },
      { limits: { actionTimeoutMs: Number.MAX_SAFE_INTEGER } },
    )
    expect(await call()).toMatchObject({ success: true })
    expect(await readName()).toBe('Written')
  })

  it('sends no write that waits for an earlier one, and a repeated call writes both', async () => {
    let isSlow = true
    const sent: string[] = []
    const { call, readName } = await open(
      async ({ write }) => {
        await Promise.all([write(rename('First')), write(rename('Second'))])
      },
      { limits },
      memory =>
        delegateStore(memory, {
          write: async (mutations, options) => {
            sent.push(options.batch?.id.split(':')[1] ?? '')
            if (isSlow) await sleep(60)
            return memory.write(mutations, options)
          },
        }),
    )
    expect(await reasonOf(call('key'))).toBe('timeout')
    await sleep(100)
    expect([sent, await readName()]).toEqual([['0'], 'First'])
    isSlow = false
    expect(await call('key')).toMatchObject({ success: true })
    expect([sent, await readName()]).toEqual([['0', '0', '1'], 'Second'])
  })
})

describe('an error of the store during a run', () => {
  it('is transient only if the call has a key, and the call can then be repeated', async () => {
    let isBroken = true
    const { call, readName } = await open(
      ({ write }) => write(rename('Written')),
      {},
      memory =>
        delegateStore(memory, {
          write: async (mutations, options) => {
            const result = await memory.write(mutations, options)
            // The store has written, but its reply is lost.
            if (isBroken) throw new Error('The connection is lost')
            return result
          },
        }),
    )
    const [keyless, keyed] = [await errorOf(call()), await errorOf(call('key'))]
    expect([keyless.reason, keyed.reason]).toEqual(['store_error', 'store_error'])
    expect([keyless, keyed].map(error => error.toJSON().error.is_transient)).toEqual([undefined, true])
    isBroken = false
    expect(await call('key')).toMatchObject({ success: true })
    expect(await readName()).toBe('Written')
  })

  it('is an internal error if the program throws another GraphError', async () => {
    const { call } = await open(() => {
      throw new GraphError('token_invalid', 'Invalid OAuth access token')
    })
    expect(await reasonOf(call())).toBe('internal_error')
  })
})

describe('a graph that is closed during the checks of an action', () => {
  it('does not run it, and reports the error', async () => {
    const events: GraphEvent[] = []
    const { graph, call } = await open(
      () => expect.fail('It must not run'),
      { onEvent: (event: GraphEvent) => events.push(event) },
      memory =>
        delegateStore(memory, {
          read: async (request, options) => {
            await sleep(5)
            return memory.read(request, options)
          },
          close: () => sleep(20),
        }),
    )
    const calling = call()
    const closing = graph.close()
    await expect(calling).rejects.toThrow('callAction: the graph must be open')
    await closing
    expect(events.filter(({ kind }) => kind === 'action')).toMatchObject([{ reason: 'internal_error' }])
  })
})

describe('the signal of a caller', () => {
  const openSigned = async (onRun: () => void) => {
    const actions = [
      actionsOf(schema)('user', 'rename', {
        policy: [isViewer()],
        returns: 'user',
        run: async ({ source, write }) => {
          onRun()
          const { revision } = await write(rename('Written'))
          return { id: source.id, revision }
        },
      }),
    ]
    const graph = createGraph(createMemoryStore(), { schema, actions })
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
    const session = graph.session({ viewer: '1', app: 'demo' })
    const call = (signal: AbortSignal) =>
      graph.callAction(session, { type: 'user', id: 'me', action: 'rename', fields: 'name', signal })
    return { call, readName: async () => (await graph.getMe(session)).name }
  }

  it('ends the call if it aborts before the run', async () => {
    const { call, readName } = await openSigned(() => expect.fail('It must not run'))
    const error = await errorOf(call(AbortSignal.abort()))
    expect([error.reason, error.originalResponse, await readName()]).toEqual(['aborted', undefined, 'Ada'])
  })

  it('ends only the read after the run if it aborts during the run', async () => {
    const controller = new AbortController()
    const { call, readName } = await openSigned(() => controller.abort())
    const error = await errorOf(call(controller.signal))
    expect(error).toMatchObject({ reason: 'aborted', originalResponse: { id: '1' } })
    expect(error.toJSON().error.is_transient).toBeUndefined()
    expect(await readName()).toBe('Written')
  })
})

describe('a read after a run that fails', () => {
  it('has the revision of the write in its original response, but never in its JSON', async () => {
    const actions = [
      actionsOf(schema)('user', 'hide', {
        policy: [isViewer()],
        returns: 'note',
        run: async ({ newId, write }) => {
          const id = newId('note')
          const { revision = 'r1' } = await write([
            { op: 'putNode', node: { id, type: 'note', fields: { owner: '2' } } },
          ])
          return { id, revision }
        },
      }),
    ]
    const graph = createGraph(createMemoryStore(), { schema, actions })
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: {} } }])
    const session = graph.session({ viewer: '1', app: 'demo' })
    const error = await errorOf(
      graph.callAction(session, { type: 'user', id: 'me', action: 'hide', fields: 'owner' }),
    )
    const id = error.originalResponse?.id
    expect(error.originalResponse).toEqual({ id: expect.stringMatching(/^\d+$/), revision: 'r1' })
    expect(error.toJSON().error.original_response).toEqual({ id })
    expect(error.toJSON().error.is_transient).toBeUndefined()
  })
})
