import {
  collection,
  createGraph,
  defineSchema,
  edge,
  field,
  type GraphEvent,
  isViewer,
  node,
  parameter,
  type Session,
} from 'kithgraph'
import { ActionError, type ActionOptions, actionsOf, keyReusedError } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { errorOf, reasonOf } from '../../helpers/error-of.ts'

const schema = defineSchema(
  {
    user: node({
      fields: { name: field.string({ default: true }), born: field.datetime(), best: field.ref('user') },
      edges: { notes: edge('note') },
    }),
    note: node({
      policy: [isViewer({ of: 'owner' })],
      fields: { owner: field.ref('user'), text: field.string() },
    }),
  },
  { viewers: ['user'] },
)
const action = actionsOf(schema)

const parameters = { name: parameter.string(), note: parameter.node('note') }

/** The function of an action `test` of a user. */
type TestRun = ActionOptions<typeof schema, 'user', typeof parameters, undefined, undefined>['run']
type Context = Parameters<TestRun>[0]

const defineTest = (run: TestRun, idempotent = true) =>
  action('user', 'test', { policy: [isViewer()], parameters, idempotent, run })

/** Creates a graph with one action, and a function that calls it. */
const createWorld = async (run: TestRun, options: object = {}) => {
  const store = createMemoryStore()
  const graph = createGraph(store, { schema, actions: [defineTest(run)], ...options })
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada', born: 5, best: '2' } } },
    { op: 'putNode', node: { id: '2', type: 'user', fields: { name: 'Bob' } } },
    { op: 'putNode', node: { id: '3', type: 'note', fields: { owner: '2', text: 'hidden' } } },
  ])
  const session = graph.session({ viewer: '1', app: 'demo' })
  const call = (key?: string, parameters: object = {}) =>
    graph.callAction(session, { id: 'me', action: 'test', parameters, idempotencyKey: key })
  return { graph, store, session, call }
}

const FAILURES = ['full', 'closed'] as const

/** Creates a function that calls an action with declared failures. */
const createFailing = (
  run: ActionOptions<typeof schema, 'user', typeof parameters, undefined, undefined, typeof FAILURES>['run'],
) => {
  const failing = action('user', 'test', { policy: 'anyone', parameters, failures: FAILURES, run })
  const graph = createGraph(createMemoryStore(), { schema, actions: [failing] })
  const written = graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
  const session = graph.session({ viewer: '1', app: 'demo' })
  return async (key?: string, parameters: object = {}) => {
    await written
    return graph.callAction(session, { id: 'me', action: 'test', parameters, idempotencyKey: key })
  }
}

/** Creates a promise that is resolved by a function. */
const createGate = () => {
  let open: () => void = () => undefined
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('run', () => {
  it('receives the stored record of the source', async () => {
    let received: unknown
    const { call } = await createWorld(({ source }) => {
      received = source
    })
    await call()
    expect(received).toEqual({ id: '1', type: 'user', fields: { name: 'Ada', born: 5, best: '2' } })
  })

  it('receives no value that is not valid for its field', async () => {
    let received: unknown
    const { call, store } = await createWorld(({ source }) => {
      received = source.fields
    })
    await store.write([{ op: 'patchNode', id: '1', fields: { born: 'yesterday' } }], { signal: undefined })
    await call()
    expect(received).toEqual({ name: 'Ada', best: '2' })
  })

  it('reads the graph with the session of a token until it ends', async () => {
    let lent: Session | undefined
    let name: string | undefined
    const { graph } = await createWorld(async ({ graph: given, session }) => {
      lent = session
      name = (await given.getMe(session, { fields: 'name' })).name
    })
    const token = await graph.tokens.issue({ viewer: '1', app: 'demo' })
    await graph.callAction(token, { id: 'me', action: 'test' })
    expect(name).toBe('Ada')
    if (lent === undefined) throw new Error('run received no session')
    await expect(graph.getMe(lent)).rejects.toThrow(TypeError)
  })

  it('cannot write after its end', async () => {
    let write: Context['write'] | undefined
    const { call, graph, session } = await createWorld(context => {
      write = context.write
    })
    await call()
    const late = write?.([{ op: 'patchNode', id: '1', fields: { name: 'Late' } }])
    expect(await reasonOf(Promise.resolve(late))).toBe('aborted')
    expect((await graph.getMe(session)).name).toBe('Ada')
  })

  it('is aborted at its time limit, and the error says that it may have been carried out', async () => {
    let signal: AbortSignal | undefined
    const { call } = await createWorld(
      context => {
        signal = context.signal
        return new Promise(() => undefined)
      },
      { limits: { actionTimeoutMs: 20 } },
    )
    const error = await errorOf(call())
    expect(signal?.aborted).toBe(true)
    expect(error.reason).toBe('timeout')
    expect(error.message).toContain('may have been carried out')
    expect(error.toJSON().error.is_transient).toBeUndefined()
    expect((await errorOf(call('key'))).toJSON().error.is_transient).toBe(true)
  })

  it('goes on if the signal of the caller aborts', async () => {
    const controller = new AbortController()
    const { graph, session } = await createWorld(async ({ source, write }) => {
      controller.abort()
      await write([{ op: 'patchNode', id: source.id, fields: { name: 'Written' } }])
    })
    await graph.callAction(session, { id: 'me', action: 'test', signal: controller.signal })
    expect((await graph.getMe(session)).name).toBe('Written')
  })

  it('is awaited by close, and may read and write until then', async () => {
    const started = createGate()
    const released = createGate()
    const { graph, call } = await createWorld(async ({ graph: given, session, write }) => {
      started.open()
      await released.opened
      const { name } = await given.getMe(session, { fields: 'name' })
      await write([{ op: 'patchNode', id: '1', fields: { name: `${name}!` } }])
    })
    const running = call()
    await started.opened
    const closing = graph.close()
    await expect(graph.getMe('token')).rejects.toThrow('must be open')
    released.open()
    expect(await running).toMatchObject({ success: true })
    await closing
  })

  it('may be called again by a caller of the same session', async () => {
    const { graph, call } = await createWorld(async ({ graph: given, session, parameters }) => {
      const calling = given as unknown as typeof graph
      if (parameters.name === undefined)
        await calling.callAction(session, { id: 'me', action: 'test', parameters: { name: 'inner' } })
    })
    expect(await call()).toMatchObject({ success: true })
  })
})

describe('the ids of a run', () => {
  it('are the same for each repetition with a key, and new without one', async () => {
    const ids: string[] = []
    const { call } = await createWorld(({ newId, callId }) => {
      ids.push(`${callId} ${newId('note')} ${newId('note')} ${newId('user')}`)
    })
    await call('key')
    await call('key')
    await call('other key')
    await call()
    await call()
    expect(new Set(ids).size).toBe(4)
    const [first = ''] = ids
    expect(first).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}( [1-9]\d{0,18}){3}$/,
    )
    expect(new Set(first.split(' ')).size).toBe(4)
  })

  it('are only for types of nodes: the error for another name lists them without root, and a suggestion', async () => {
    const types = { user: node({}), note: node({}) }
    const withRoot = defineSchema(types, { viewers: ['user'], collections: { notes: collection('note') } })
    const create = actionsOf(withRoot)('user', 'create', {
      policy: 'anyone',
      parameters: { type: parameter.string({ required: true }) },
      run: ({ newId, parameters: { type } }) => void newId(type as 'note'),
    })
    const graph = createGraph(createMemoryStore(), { schema: withRoot, actions: [create] })
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: {} } }])
    const session = graph.session({ viewer: '1', app: 'demo' })
    const causeFor = async (type: string) =>
      (await errorOf(graph.callAction(session, { id: 'me', action: 'create', parameters: { type } }))).cause
    const expected = 'newId: "type" must be one of "user", "note"; received'
    expect(await causeFor('notes')).toEqual(new TypeError(`${expected} "notes"; did you mean note?`))
    for (const name of ['root', 'toString'])
      expect(await causeFor(name)).toEqual(new TypeError(`${expected} "${name}"`))
  })

  it('have the prefix of their type in a graph with named ids', async () => {
    const named = defineSchema(
      { person: node({ idPrefix: 'user', fields: { name: field.string() } }) },
      { ids: 'named', viewers: ['person'] },
    )
    const actions = [
      actionsOf(named)('person', 'test', {
        policy: 'anyone',
        returns: 'person',
        run: ({ newId }) => ({ id: newId('person') }),
      }),
    ]
    const graph = createGraph(createMemoryStore(), { schema: named, actions })
    await graph.write([{ op: 'putNode', node: { id: 'user-1', type: 'person', fields: {} } }])
    const session = graph.session({ viewer: 'user-1', app: 'demo' })
    const { id } = await graph.callAction(session, { id: 'me', action: 'test' })
    expect(id).toMatch(/^user-[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe('the writes of a run', () => {
  it('do not write twice after a conflict if the call is repeated', async () => {
    const { call, graph, session } = await createWorld(async ({ newId, write }) => {
      const taken = {
        op: 'putNode',
        node: { id: '1', type: 'user', fields: {} },
        when: { exists: false },
      } as const
      const id = newId('note')
      await write([taken]).catch(() => undefined)
      await write([
        { op: 'putNode', node: { id, type: 'note', fields: { owner: '1', text: 'a' } } },
        { op: 'putEdge', edge: { source: '1', name: 'notes', target: id } },
      ])
    })
    await call('key')
    await call('key')
    expect((await graph.getEdge(session, { id: 'me', edge: 'notes' })).data).toHaveLength(1)
  })

  it('are sent one after another', async () => {
    const { call, graph, session } = await createWorld(async ({ write, source }) => {
      const names = ['a', 'b', 'c']
      await Promise.all(names.map(name => write([{ op: 'patchNode', id: source.id, fields: { name } }])))
    })
    await call('key')
    await call('key')
    expect((await graph.getMe(session)).name).toBe('c')
  })

  it('are those that were passed, although run changes them while they wait', async () => {
    const { call, graph, session } = await createWorld(async ({ write, source }) => {
      const fields = { name: 'passed' }
      const writes = [write([{ op: 'patchNode', id: source.id, fields }])]
      fields.name = 'changed'
      writes.push(write([{ op: 'patchNode', id: source.id, fields: { born: 6 } }]))
      await Promise.all(writes)
    })
    await call()
    expect(await graph.getMe(session, { fields: 'name' })).toMatchObject({ name: 'passed' })
  })

  it('are the same batch although the time or a record has changed', async () => {
    let now = 1_000_000
    const { call, graph, session } = await createWorld(
      ({ write, source, now: time }) =>
        write([{ op: 'patchNode', id: source.id, fields: { born: time, name: `${source.fields.name}!` } }]),
      { now: () => now },
    )
    await call('key')
    now += 5000
    expect(await call('key')).toMatchObject({ success: true })
    expect((await graph.getMe(session)).name).toBe('Ada!')
  })

  it('throw key_reused as an ActionError, which code for conflicts does not catch', async () => {
    const thrown: unknown[] = []
    const { call } = await createWorld(({ write, parameters }) =>
      write([{ op: 'patchNode', id: '1', fields: { name: parameters.name ?? '' } }]).catch(
        (error: unknown) => {
          thrown.push(error)
          throw error
        },
      ),
    )
    await call('key', { name: 'a' })
    expect(await errorOf(call('key', { name: 'b' }))).toMatchObject({
      data: { failure: 'key_reused' },
      status: 409,
    })
    expect(thrown[0]).toBeInstanceOf(ActionError)
  })

  it('need a store with conditional writes, unless the action is not idempotent', async () => {
    const memory = createMemoryStore()
    const store = { ...memory, capabilities: { ...memory.capabilities, conditionalWrites: false } }
    const run: TestRun = ({ write }) => write([{ op: 'patchNode', id: '1', fields: { name: 'Written' } }])
    await createGraph(memory, { schema }).write([
      { op: 'putNode', node: { id: '1', type: 'user', fields: {} } },
    ])
    const callWith = (idempotent: boolean, key?: string) => {
      const graph = createGraph(store, { schema, actions: [defineTest(run, idempotent)] })
      const session = graph.session({ viewer: '1', app: 'demo' })
      return graph.callAction(session, { id: 'me', action: 'test', idempotencyKey: key })
    }
    for (const key of [undefined, 'key']) {
      const error = await errorOf(callWith(true, key))
      expect([error.reason, `${error.cause}`]).toEqual([
        'internal_error',
        expect.stringContaining('conditional writes'),
      ])
    }
    expect(await callWith(false)).toMatchObject({ success: true })
    expect(await reasonOf(callWith(false, 'key'))).toBe('invalid_parameter')
  })
})

describe('the errors of a run', () => {
  const errorWhen = async (run: TestRun, key?: string) => errorOf((await createWorld(run)).call(key))

  it('keep the failure, the message and the data of an ActionError', async () => {
    const error = await errorWhen(() => {
      throw new ActionError('full', { status: 409, message: 'No place is left.', data: { places: 3 } })
    })
    expect(error.toJSON().error).toMatchObject({
      message: 'No place is left.',
      code: 100,
      error_data: { reason: 'action_failed', failure: 'full', data: { places: 3 } },
    })
    expect(error.status).toBe(409)
  })

  it('have the failure that run throws with fail, and a message that names it by default', async () => {
    const graph = createFailing(({ fail }) => fail('full'))
    expect((await errorOf(graph())).toJSON().error).toMatchObject({
      message: '(#100) The action failed: full',
      error_data: { reason: 'action_failed', failure: 'full' },
    })
    const withoutMessage = createFailing(({ fail }) => fail('full', { message: undefined as never }))
    expect((await errorOf(withoutMessage())).message).toBe('(#100) The action failed: full')
    const details = { status: 409, message: 'Nobody can join.', data: { since: 2020 } } as const
    const closed = await errorOf(createFailing(({ fail }) => fail('closed', details))())
    expect([closed.status, closed.message]).toEqual([409, 'Nobody can join.'])
    expect(closed.data).toEqual({ failure: 'closed', data: { since: 2020 } })
  })

  it('are internal errors for a failure that the action does not declare, by fail or an ActionError', async () => {
    for (const run of [
      ({ fail }: { fail: (failure: never) => never }) => fail('other' as never),
      () => {
        throw new ActionError('other', { message: 'hidden' })
      },
    ]) {
      const error = await errorOf(createFailing(run)())
      expect(error.reason).toBe('internal_error')
      expect(error.message).not.toContain('hidden')
    }
    const undeclared = await errorWhen(({ fail }) => fail('full' as never))
    expect(undeclared.reason).toBe('internal_error')
    expect(String(undeclared.cause)).toContain('"failure" must be declared in "failures" of the action')
  })

  it('keep the failures of the library if the action declares others', async () => {
    const conflict = createFailing(async ({ write }) => {
      await write([{ op: 'deleteNode', id: '1', when: { fields: { name: 'Eve' } } }])
    })
    expect((await errorOf(conflict())).data).toEqual({ failure: 'conflict' })
    const reused = createFailing(({ write, source }) =>
      write([{ op: 'patchNode', id: source.id, fields: { name: 'Cleo' } }]),
    )
    await reused('key', { name: 'a' })
    const { message, status, data } = await errorOf(reused('key', { name: 'b' }))
    expect(data).toEqual({ failure: 'key_reused' })
    const ownStore = createFailing(() => {
      throw keyReusedError()
    })
    expect(await errorOf(ownStore())).toMatchObject({ message, status, data })
  })

  it('hide the details of a conflict and of an invalid mutation', async () => {
    const conflict = await errorWhen(async ({ write }) => {
      await write([{ op: 'deleteNode', id: '1', when: { fields: { name: 'Eve' } } }])
    })
    expect(conflict).toMatchObject({ reason: 'action_failed', status: 409, data: { failure: 'conflict' } })
    expect(Object.keys(conflict.data)).toEqual(['failure'])
    expect(conflict.cause).toMatchObject({ reason: 'conflict', data: { index: 0, path: 'when.fields.name' } })
    const invalid = await errorWhen(async ({ write }) => {
      await write([{ op: 'patchNode', id: '99', fields: { name: 'Eve' } }])
    })
    expect(invalid).toMatchObject({
      reason: 'action_failed',
      status: 400,
      data: { failure: 'invalid_mutation' },
    })
  })

  it('are internal errors otherwise, with their cause', async () => {
    const cause = new Error('the disk is full of secrets')
    const error = await errorWhen(() => {
      throw cause
    })
    expect([error.reason, error.cause]).toEqual(['internal_error', cause])
    expect(JSON.stringify(error)).not.toContain('secrets')
    const read = await errorWhen(async ({ graph, session }) => {
      await graph.getNode(session, { id: '3' })
    })
    expect(read.reason).toBe('internal_error')
  })

  it('say that the action was carried out if its result is not valid', async () => {
    const { call } = await createWorld((() => ({ id: '1' })) as never)
    const error = await errorOf(call())
    expect(error.reason).toBe('internal_error')
    expect(error.message).toContain('was carried out')
  })

  it('have the original response if the read after the run fails', async () => {
    const actions = [
      action('user', 'notes.add', {
        policy: [isViewer()],
        returns: 'note',
        run: async ({ newId, write }) => {
          const id = newId('note')
          await write([{ op: 'putNode', node: { id, type: 'note', fields: { owner: '2' } } }])
          return { id, revision: undefined }
        },
      }),
    ]
    const graph = createGraph(createMemoryStore(), { schema, actions })
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: {} } }])
    const session = graph.session({ viewer: '1', app: 'demo' })
    const error = await errorOf(graph.callAction(session, { id: 'me', action: 'notes.add', fields: 'text' }))
    expect(error.reason).toBe('node_not_found')
    expect(error.originalResponse?.id).toMatch(/^\d+$/)
    expect(error.toJSON().error.original_response).toEqual({ id: error.originalResponse?.id })
  })
})

describe('the events of an action', () => {
  it('are one event with the type and the name, and no ids', async () => {
    const events: GraphEvent[] = []
    const { call } = await createWorld(() => undefined, {
      onEvent: (event: GraphEvent) => events.push(event),
    })
    await call()
    await reasonOf(call(undefined, { note: '3' }))
    expect(events.filter(({ kind }) => kind === 'query')).toEqual([])
    expect(events.filter(({ kind }) => kind === 'action')).toMatchObject([
      { type: 'user', action: 'test', reason: undefined, bypassedPolicies: false },
      { type: 'user', action: 'test', reason: 'invalid_parameter', bypassedPolicies: false },
    ])
  })

  it('say that a session bypasses policies, which skips the policy of the action too', async () => {
    const events: GraphEvent[] = []
    const { graph } = await createWorld(() => undefined, {
      onEvent: (event: GraphEvent) => events.push(event),
    })
    const admin = graph.session({ viewer: '2', app: 'admin', bypassPolicies: true })
    const call = graph.callAction(admin, { type: 'user', id: '1', action: 'test', parameters: { note: '3' } })
    expect(await call).toMatchObject({ success: true })
    expect(events.find(({ kind }) => kind === 'action')).toMatchObject({ bypassedPolicies: true })
  })
})
