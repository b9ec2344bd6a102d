import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type GraphError, invalidMutationError, isGraphError } from '../../../src/base/errors.ts'
import type {
  EdgeCheck,
  Store,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
} from '../../../src/store/contract.ts'
import { guardStore } from '../../../src/store/guard.ts'

const REQUEST: StoreReadRequest = { nodes: ['1'], ranges: [], checks: [], tokens: [] }
const RESULT: StoreReadResult = { nodes: [undefined], ranges: [], checks: [], tokens: [] }
const OPTIONS: StoreReadOptions = { signal: undefined, deadline: undefined, minRevision: undefined }
const WRITE = { signal: undefined }
const never = new Promise<never>(() => {})

/** Creates a promise that the test settles. */
const createDeferred = <T>() => {
  let resolve: (value: T) => void = () => {}
  let reject: (cause: unknown) => void = () => {}
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

const storeWith = (replaced: Partial<Store> = {}): Store => ({
  capabilities: {
    snapshots: true,
    durable: false,
    shared: false,
    atomicity: 'batch',
    conditionalWrites: false,
    collections: false,
  },
  open: vi.fn(() => undefined),
  close: vi.fn(() => undefined),
  read: vi.fn(() => RESULT),
  write: vi.fn(() => ({ revision: undefined })),
  snapshot: vi.fn(() => ({ read: () => RESULT, close: () => undefined })),
  ...replaced,
})

/** Returns the error of a call that throws or rejects. */
const catchStoreError = async (call: () => unknown): Promise<GraphError> => {
  const thrown: unknown = await Promise.resolve()
    .then(call)
    .then(
      value => new Error(`expected an error; received ${JSON.stringify(value)}`),
      error => error,
    )
  if (!isGraphError(thrown)) throw thrown
  return thrown
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('guardStore', () => {
  it.each([
    [
      undefined,
      'createGraph: "store" must be a store, such as the result of createMemoryStore(); received undefined',
    ],
    [
      'memory',
      'createGraph: "store" must be a store, such as the result of createMemoryStore(); received "memory"',
    ],
    [
      () => storeWith(),
      'createGraph: "store" must be a store, such as the result of createMemoryStore(); received a function',
    ],
    [
      {},
      'createGraph: "store" must be a store, such as the result of createMemoryStore(); received an object without open, close, read, write, snapshot, capabilities',
    ],
    [
      { ...storeWith(), write: undefined },
      'createGraph: "store" must be a store, such as the result of createMemoryStore(); received an object without write',
    ],
    [
      { ...storeWith(), capabilities: { snapshots: true, durable: true, atomicity: 'row' } },
      'createGraph: "store" must be a store, such as the result of createMemoryStore(); received an object without capabilities.shared, capabilities.conditionalWrites, capabilities.collections, capabilities.atomicity',
    ],
    [
      { ...storeWith(), capabilities: { ...storeWith().capabilities, readsAhead: 'yes', conditions: 1 } },
      'createGraph: "store" must be a store, such as the result of createMemoryStore(); received an object without a boolean capabilities.readsAhead, a boolean capabilities.conditions',
    ],
  ])('rejects %o, which is not a store', (value, text) => {
    expect(() => Reflect.apply(guardStore, undefined, [value])).toThrow(TypeError)
    expect(() => Reflect.apply(guardStore, undefined, [value])).toThrow(text)
  })

  it('returns a guarded store unchanged', () => {
    const guarded = guardStore(storeWith())
    expect(guardStore(guarded)).toBe(guarded)
  })

  it('keeps the capabilities of the store', () => {
    const store = storeWith()
    expect(guardStore(store).capabilities).toBe(store.capabilities)
  })
})

describe('a guarded synchronous store', () => {
  it('stays synchronous, including its first use and snapshots', () => {
    const guarded = guardStore(storeWith())
    expect(guarded.read(REQUEST, { ...OPTIONS, deadline: Date.now() + 10 })).toBe(RESULT)
    expect(guarded.write([], WRITE)).toEqual({ revision: undefined })
    expect(guarded.snapshot()).toHaveProperty('read')
    expect(guarded.close()).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('opening a store', () => {
  it('happens once, at the first use', async () => {
    const { promise, resolve } = createDeferred<void>()
    const store = storeWith({ open: vi.fn(() => promise) })
    const guarded = guardStore(store)
    expect(store.open).not.toHaveBeenCalled()
    const uses = [
      guarded.read(REQUEST, OPTIONS),
      guarded.write([], WRITE),
      guarded.snapshot(),
      guarded.open(),
    ]
    expect(store.open).toHaveBeenCalledTimes(1)
    expect(store.read).not.toHaveBeenCalled()
    resolve()
    await Promise.all(uses)
    expect(guarded.read(REQUEST, OPTIONS)).toBe(RESULT)
    expect(store.open).toHaveBeenCalledTimes(1)
  })

  it.each(['throws', 'rejects'])(
    'makes the call fail with store_error if it %s, and is tried again by the next use',
    async way => {
      const cause = new Error('no route to db-7')
      const open = vi.fn((): void | Promise<void> => {
        if (open.mock.calls.length > 1) return undefined
        if (way === 'throws') throw cause
        return Promise.reject(cause)
      })
      const guarded = guardStore(storeWith({ open }))
      const error = await catchStoreError(() => guarded.read(REQUEST, OPTIONS))
      expect(error).toMatchObject({ reason: 'store_error', cause })
      expect(error.message).not.toContain('db-7')
      expect(guarded.read(REQUEST, OPTIONS)).toBe(RESULT)
    },
  )

  it('does not delay a read past its deadline', async () => {
    const guarded = guardStore(storeWith({ open: () => never }))
    const error = catchStoreError(() => guarded.read(REQUEST, { ...OPTIONS, deadline: Date.now() + 50 }))
    await vi.advanceTimersByTimeAsync(50)
    expect((await error).reason).toBe('timeout')
  })
})

describe('closing a store', () => {
  it('makes every later call fail, and may be repeated', async () => {
    const store = storeWith()
    const guarded = guardStore(store)
    const snapshot = await guarded.snapshot()
    await guarded.close()
    await guarded.close()
    expect(store.close).toHaveBeenCalledTimes(1)
    for (const call of [
      () => guarded.open(),
      () => guarded.read(REQUEST, OPTIONS),
      () => guarded.write([], WRITE),
      () => guarded.snapshot(),
      () => snapshot.read(REQUEST, OPTIONS),
    ])
      expect(call).toThrow(new TypeError('store: the store must be open; received a closed store'))
  })

  it('does not wait for reads under way', async () => {
    const guarded = guardStore(storeWith({ read: () => never }))
    guarded.read(REQUEST, OPTIONS)
    expect(guarded.close()).toBeUndefined()
  })

  it('waits until a pending open ends, and rejects the calls that waited for it', async () => {
    const { promise, resolve } = createDeferred<void>()
    const store = storeWith({ open: () => promise })
    const guarded = guardStore(store)
    const read = Promise.resolve(guarded.read(REQUEST, OPTIONS))
    const closed = guarded.close()
    expect(store.close).not.toHaveBeenCalled()
    resolve()
    await expect(read).rejects.toThrow('store: the store must be open; received a closed store')
    await closed
    expect(store.close).toHaveBeenCalledTimes(1)
  })

  it('throws store_error with the cause if it fails', async () => {
    const cause = new Error('busy')
    const guarded = guardStore(storeWith({ close: () => Promise.reject(cause) }))
    expect(await catchStoreError(() => guarded.close())).toMatchObject({ reason: 'store_error', cause })
  })

  it('differs from closing a snapshot, which rejects later reads of the snapshot only', async () => {
    const guarded = guardStore(storeWith())
    const snapshot = await guarded.snapshot()
    await snapshot.close()
    expect(() => snapshot.read(REQUEST, OPTIONS)).toThrow(
      new TypeError('snapshot.read: the snapshot must be open; received a closed snapshot'),
    )
    expect(guarded.read(REQUEST, OPTIONS)).toBe(RESULT)
  })
})

describe('the signal of a store read or write', () => {
  it('prevents the call if it is aborted already', async () => {
    const store = storeWith()
    const guarded = guardStore(store)
    const cause = new Error('gone')
    const signal = AbortSignal.abort(cause)
    for (const call of [
      () => guarded.read(REQUEST, { ...OPTIONS, signal }),
      () => guarded.write([], { signal }),
    ])
      expect(await catchStoreError(call)).toMatchObject({ reason: 'aborted', cause })
    expect(store.read).not.toHaveBeenCalled()
    expect(store.write).not.toHaveBeenCalled()
  })

  it('ends a pending read and a pending write at once, and leaves no listener', async () => {
    const guarded = guardStore(storeWith({ read: () => never, write: () => never }))
    const controller = new AbortController()
    const { signal } = controller
    const remove = vi.spyOn(signal, 'removeEventListener')
    const errors = [
      catchStoreError(() =>
        guarded.read(REQUEST, { signal, deadline: Date.now() + 1000, minRevision: undefined }),
      ),
      catchStoreError(() => guarded.write([], { signal })),
    ]
    await Promise.resolve().then(() => controller.abort('stop'))
    for (const error of await Promise.all(errors))
      expect(error).toMatchObject({ reason: 'aborted', cause: 'stop' })
    expect(remove).toHaveBeenCalledTimes(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('has no listener after the result if it is never aborted', async () => {
    const { signal } = new AbortController()
    const add = vi.spyOn(signal, 'addEventListener')
    const remove = vi.spyOn(signal, 'removeEventListener')
    const guarded = guardStore(storeWith({ read: async () => RESULT }))
    expect(await guarded.read(REQUEST, { ...OPTIONS, signal })).toBe(RESULT)
    expect(remove.mock.calls[0]?.[1]).toBe(add.mock.calls[0]?.[1])
  })
})

describe('the deadline of a store read', () => {
  it('prevents the read if it has passed', async () => {
    const store = storeWith()
    const error = await catchStoreError(() =>
      guardStore(store).read(REQUEST, { ...OPTIONS, deadline: Date.now() }),
    )
    expect(error.reason).toBe('timeout')
    expect(store.read).not.toHaveBeenCalled()
  })

  it('ends a pending read, and a later rejection is ignored', async () => {
    const { promise, reject } = createDeferred<StoreReadResult>()
    const guarded = guardStore(storeWith({ read: () => promise }))
    const error = catchStoreError(() => guarded.read(REQUEST, { ...OPTIONS, deadline: Date.now() + 50 }))
    await vi.advanceTimersByTimeAsync(49)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect((await error).reason).toBe('timeout')
    reject(new Error('too late'))
    await vi.advanceTimersByTimeAsync(1000)
  })

  it('does not end a read if it is further away than timers reach', async () => {
    const guarded = guardStore(storeWith({ read: async () => RESULT }))
    expect(await guarded.read(REQUEST, { ...OPTIONS, deadline: Date.now() + 2 ** 40 })).toBe(RESULT)
  })

  it('leaves no timer after the result', async () => {
    const guarded = guardStore(storeWith({ read: async () => RESULT }))
    await guarded.read(REQUEST, { ...OPTIONS, deadline: Date.now() + 1000 })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('an error of a store', () => {
  const cause = new Error('SELECT secret FROM people')
  const fail = () => {
    throw cause
  }

  it.each([
    ['read', (store: Store) => store.read(REQUEST, OPTIONS)],
    ['write', (store: Store) => store.write([], WRITE)],
    ['snapshot', (store: Store) => store.snapshot()],
  ])('in %s causes a store_error that does not contain its message', async (method, call) => {
    for (const failing of [fail, () => Promise.reject(cause)]) {
      const error = await catchStoreError(() => call(guardStore(storeWith({ [method]: failing }))))
      expect(error).toMatchObject({ reason: 'store_error', status: 503, cause })
      expect(JSON.stringify(error)).not.toContain('secret')
    }
  })

  it('in a read of a snapshot also causes a store_error', async () => {
    const guarded = guardStore(storeWith({ snapshot: () => ({ read: fail, close: () => undefined }) }))
    const snapshot = await guarded.snapshot()
    expect(await catchStoreError(() => snapshot.read(REQUEST, OPTIONS))).toMatchObject({ cause })
  })

  it('is passed on unchanged if it is a GraphError', async () => {
    const error = invalidMutationError(3, 'node.type', 'its type', 'another')
    const guarded = guardStore(storeWith({ write: () => Promise.reject(error) }))
    expect(await catchStoreError(() => guarded.write([], WRITE))).toBe(error)
  })
})

describe('a malformed result of a store', () => {
  it.each([
    ['nodes', { ...RESULT, nodes: [] }],
    ['ranges', { ...RESULT, ranges: undefined }],
    ['checks', { ...RESULT, checks: [true] }],
    ['tokens', { ...RESULT, tokens: 'none' }],
    ['result', undefined],
  ])('causes a store_error with the name of the malformed part: %s', async (part, result) => {
    for (const read of [() => result, async () => result]) {
      const guarded = guardStore({ ...storeWith(), ...Object.fromEntries([['read', read]]) })
      const error = await catchStoreError(() => guarded.read(REQUEST, OPTIONS))
      expect(error.toJSON().error.error_data).toEqual({ reason: 'store_error', part })
      expect(String(error.cause)).toContain(part)
    }
  })

  const edge = { source: '1', name: 'members', target: '2' }
  const record = { ...edge, time: 5, data: { role: 'admin' } }
  const readCheck = (check: EdgeCheck, result: unknown) => {
    const read = () => ({ ...RESULT, nodes: [], checks: [result] })
    const guarded = guardStore({ ...storeWith(), ...Object.fromEntries([['read', read]]) })
    return guarded.read({ ...REQUEST, nodes: [], checks: [check] }, OPTIONS)
  }

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a number', 1],
    ['the record of the edge', record],
  ])('causes a store_error that says what was expected if a check without data is %s', async (_, result) => {
    const error = await catchStoreError(() => readCheck(edge, result))
    expect(String(error.cause)).toContain('"checks" must be true or false for each check without data')
  })

  it.each([
    ['undefined', undefined],
    ['true', true],
    ['null', null],
    ['only the data', { role: 'admin' }],
    ['a record of another source', { ...record, source: '3' }],
    ['a record of another name', { ...record, name: 'owners' }],
    ['a record of another target', { ...record, target: '3' }],
    ['a record without a time', { ...edge, data: {} }],
    ['a record with a time that is no integer', { ...record, time: 0.5 }],
    ['a record whose data is null', { ...record, data: null }],
    ['a record whose data is a list', { ...record, data: [] }],
  ])('causes a store_error that says what was expected if a check with data is %s', async (_, result) => {
    const error = await catchStoreError(() => readCheck({ ...edge, data: true }, result))
    expect(String(error.cause)).toContain(
      '"checks" must be false, or the record { source, name, target, time, data } of the edge, for each check with data',
    )
  })

  it('is not caused by a check with data that is false, or a record with or without data', async () => {
    for (const result of [false, record, { ...edge, time: -1 }])
      expect((await readCheck({ ...edge, data: true }, result)).checks).toEqual([result])
  })

  it('causes a store_error with the part "revision" if a write returns undefined', async () => {
    const guarded = guardStore({ ...storeWith(), ...Object.fromEntries([['write', () => undefined]]) })
    expect((await catchStoreError(() => guarded.write([], WRITE))).data).toMatchObject({ part: 'revision' })
  })
})

it('guardStore rejects snapshots of a store without the capability snapshots', () => {
  const store = storeWith()
  const guarded = guardStore({ ...store, capabilities: { ...store.capabilities, snapshots: false } })
  expect(() => guarded.snapshot()).toThrow(
    new TypeError('store.snapshot: the store must be one with snapshots; received a store without snapshots'),
  )
})
