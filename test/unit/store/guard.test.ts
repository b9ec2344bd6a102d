import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type GraphError, invalidMutation, isGraphError } from '../../../src/base/faults.ts'
import type { ReadOptions, Store, Wave, WaveAnswer } from '../../../src/store/contract.ts'
import { guardStore } from '../../../src/store/guard.ts'

const WAVE: Wave = { nodes: ['1'], ranges: [], tests: [], tokens: [] }
const ANSWER: WaveAnswer = { nodes: [undefined], ranges: [], tests: [], tokens: [] }
const OPTIONS: ReadOptions = { signal: undefined, deadline: undefined, atLeast: undefined }
const WRITE = { signal: undefined }
const never = new Promise<never>(() => {})

/** A promise that the test settles. */
const deferred = <T>() => {
  let resolve: (value: T) => void = () => {}
  let reject: (cause: unknown) => void = () => {}
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

const storeWith = (replaced: Partial<Store> = {}): Store => ({
  capabilities: { snapshots: true, durable: false, shared: false, atomicity: 'batch' },
  open: vi.fn(() => undefined),
  close: vi.fn(() => undefined),
  read: vi.fn(() => ANSWER),
  write: vi.fn(() => ({ version: undefined })),
  snapshot: vi.fn(() => ({ read: () => ANSWER, close: () => undefined })),
  ...replaced,
})

/** The fault that a call ends in, whether it throws or rejects. */
const faultOf = async (call: () => unknown): Promise<GraphError> => {
  const thrown: unknown = await Promise.resolve()
    .then(call)
    .then(
      value => new Error(`no fault, but ${JSON.stringify(value)}`),
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

describe('what is guarded', () => {
  it.each([
    [undefined, 'came undefined'],
    ['memory', 'came "memory"'],
    [() => storeWith(), 'came a function'],
    [{}, 'lacks open, close, read, write, snapshot, capabilities'],
    [{ ...storeWith(), write: undefined }, 'lacks write'],
    [
      { ...storeWith(), capabilities: { snapshots: true, durable: true, atomicity: 'row' } },
      'lacks capabilities.shared, capabilities.atomicity',
    ],
  ])('is a store: %o is refused', (value, text) => {
    expect(() => Reflect.apply(guardStore, undefined, [value])).toThrow(TypeError)
    expect(() => Reflect.apply(guardStore, undefined, [value])).toThrow(text)
  })

  it('is guarded once', () => {
    const guarded = guardStore(storeWith())
    expect(guardStore(guarded)).toBe(guarded)
  })

  it('keeps its capabilities', () => {
    const store = storeWith()
    expect(guardStore(store).capabilities).toBe(store.capabilities)
  })
})

describe('a store that answers at once', () => {
  it('is answered at once, the first use and a snapshot included', () => {
    const guarded = guardStore(storeWith())
    expect(guarded.read(WAVE, { ...OPTIONS, deadline: Date.now() + 10 })).toBe(ANSWER)
    expect(guarded.write([], WRITE)).toEqual({ version: undefined })
    expect(guarded.snapshot()).toHaveProperty('read')
    expect(guarded.close()).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('opening', () => {
  it('happens at the first use, and once for all who use it meanwhile', async () => {
    const { promise, resolve } = deferred<void>()
    const store = storeWith({ open: vi.fn(() => promise) })
    const guarded = guardStore(store)
    expect(store.open).not.toHaveBeenCalled()
    const uses = [guarded.read(WAVE, OPTIONS), guarded.write([], WRITE), guarded.snapshot(), guarded.open()]
    expect(store.open).toHaveBeenCalledTimes(1)
    expect(store.read).not.toHaveBeenCalled()
    resolve()
    await Promise.all(uses)
    expect(guarded.read(WAVE, OPTIONS)).toBe(ANSWER)
    expect(store.open).toHaveBeenCalledTimes(1)
  })

  it.each(['throws', 'rejects'])('that %s is a fault, and is tried again by the next use', async way => {
    const cause = new Error('no route to db-7')
    const open = vi.fn((): void | Promise<void> => {
      if (open.mock.calls.length > 1) return undefined
      if (way === 'throws') throw cause
      return Promise.reject(cause)
    })
    const guarded = guardStore(storeWith({ open }))
    const fault = await faultOf(() => guarded.read(WAVE, OPTIONS))
    expect(fault).toMatchObject({ data: { reason: 'store_fault' }, cause })
    expect(fault.message).not.toContain('db-7')
    expect(guarded.read(WAVE, OPTIONS)).toBe(ANSWER)
  })

  it('is not waited for beyond the deadline of a read', async () => {
    const guarded = guardStore(storeWith({ open: () => never }))
    const fault = faultOf(() => guarded.read(WAVE, { ...OPTIONS, deadline: Date.now() + 50 }))
    await vi.advanceTimersByTimeAsync(50)
    expect((await fault).data.reason).toBe('deadline')
  })
})

describe('closing', () => {
  it('refuses every later call and is idempotent', async () => {
    const store = storeWith()
    const guarded = guardStore(store)
    const snapshot = await guarded.snapshot()
    await guarded.close()
    await guarded.close()
    expect(store.close).toHaveBeenCalledTimes(1)
    for (const call of [
      () => guarded.open(),
      () => guarded.read(WAVE, OPTIONS),
      () => guarded.write([], WRITE),
      () => guarded.snapshot(),
      () => snapshot.read(WAVE, OPTIONS),
    ])
      expect(call).toThrow(new TypeError('the store is closed'))
  })

  it('waits for no read that is under way', async () => {
    const guarded = guardStore(storeWith({ read: () => never }))
    guarded.read(WAVE, OPTIONS)
    expect(guarded.close()).toBeUndefined()
  })

  it('while opening closes what has opened, and refuses who waited for it', async () => {
    const { promise, resolve } = deferred<void>()
    const store = storeWith({ open: () => promise })
    const guarded = guardStore(store)
    const read = Promise.resolve(guarded.read(WAVE, OPTIONS))
    const closed = guarded.close()
    expect(store.close).not.toHaveBeenCalled()
    resolve()
    await expect(read).rejects.toThrow('the store is closed')
    await closed
    expect(store.close).toHaveBeenCalledTimes(1)
  })

  it('that fails is a fault with its cause', async () => {
    const cause = new Error('busy')
    const guarded = guardStore(storeWith({ close: () => Promise.reject(cause) }))
    expect(await faultOf(() => guarded.close())).toMatchObject({ data: { reason: 'store_fault' }, cause })
  })

  it('a snapshot refuses its later reads, not those of the store', async () => {
    const guarded = guardStore(storeWith())
    const snapshot = await guarded.snapshot()
    await snapshot.close()
    expect(() => snapshot.read(WAVE, OPTIONS)).toThrow(new TypeError('the snapshot is closed'))
    expect(guarded.read(WAVE, OPTIONS)).toBe(ANSWER)
  })
})

describe('a signal', () => {
  it('that is aborted already keeps the store from being asked', async () => {
    const store = storeWith()
    const guarded = guardStore(store)
    const cause = new Error('gone')
    const signal = AbortSignal.abort(cause)
    for (const call of [
      () => guarded.read(WAVE, { ...OPTIONS, signal }),
      () => guarded.write([], { signal }),
    ])
      expect(await faultOf(call)).toMatchObject({ data: { reason: 'aborted' }, cause })
    expect(store.read).not.toHaveBeenCalled()
    expect(store.write).not.toHaveBeenCalled()
  })

  it('ends a pending read and a pending write at once, and leaves no listener', async () => {
    const guarded = guardStore(storeWith({ read: () => never, write: () => never }))
    const controller = new AbortController()
    const { signal } = controller
    const remove = vi.spyOn(signal, 'removeEventListener')
    const faults = [
      faultOf(() => guarded.read(WAVE, { signal, deadline: Date.now() + 1000, atLeast: undefined })),
      faultOf(() => guarded.write([], { signal })),
    ]
    await Promise.resolve().then(() => controller.abort('stop'))
    for (const fault of await Promise.all(faults))
      expect(fault).toMatchObject({ data: { reason: 'aborted' }, cause: 'stop' })
    expect(remove).toHaveBeenCalledTimes(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that is never aborted is let go with the answer', async () => {
    const { signal } = new AbortController()
    const add = vi.spyOn(signal, 'addEventListener')
    const remove = vi.spyOn(signal, 'removeEventListener')
    const guarded = guardStore(storeWith({ read: async () => ANSWER }))
    expect(await guarded.read(WAVE, { ...OPTIONS, signal })).toBe(ANSWER)
    expect(remove.mock.calls[0]?.[1]).toBe(add.mock.calls[0]?.[1])
  })
})

describe('a deadline', () => {
  it('that has passed keeps the store from being asked', async () => {
    const store = storeWith()
    const fault = await faultOf(() => guardStore(store).read(WAVE, { ...OPTIONS, deadline: Date.now() }))
    expect(fault.data.reason).toBe('deadline')
    expect(store.read).not.toHaveBeenCalled()
  })

  it('ends a pending read; an answer or a rejection that comes later is dropped', async () => {
    const { promise, reject } = deferred<WaveAnswer>()
    const guarded = guardStore(storeWith({ read: () => promise }))
    const fault = faultOf(() => guarded.read(WAVE, { ...OPTIONS, deadline: Date.now() + 50 }))
    await vi.advanceTimersByTimeAsync(49)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect((await fault).data.reason).toBe('deadline')
    reject(new Error('too late'))
    await vi.runAllTimersAsync()
  })

  it('further away than timers reach does not end a read', async () => {
    const guarded = guardStore(storeWith({ read: async () => ANSWER }))
    expect(await guarded.read(WAVE, { ...OPTIONS, deadline: Date.now() + 2 ** 40 })).toBe(ANSWER)
  })

  it('leaves no timer once the answer is there', async () => {
    const guarded = guardStore(storeWith({ read: async () => ANSWER }))
    await guarded.read(WAVE, { ...OPTIONS, deadline: Date.now() + 1000 })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('what a store throws or rejects with', () => {
  const cause = new Error('SELECT secret FROM people')
  const fail = () => {
    throw cause
  }

  it.each([
    ['read', (store: Store) => store.read(WAVE, OPTIONS)],
    ['write', (store: Store) => store.write([], WRITE)],
    ['snapshot', (store: Store) => store.snapshot()],
  ])('in %s is a fault whose text says nothing of it', async (method, call) => {
    for (const failing of [fail, () => Promise.reject(cause)]) {
      const fault = await faultOf(() => call(guardStore(storeWith({ [method]: failing }))))
      expect(fault).toMatchObject({ data: { reason: 'store_fault' }, status: 503, cause })
      expect(JSON.stringify(fault)).not.toContain('secret')
    }
  })

  it('in a snapshot is a fault as well', async () => {
    const guarded = guardStore(storeWith({ snapshot: () => ({ read: fail, close: () => undefined }) }))
    const snapshot = await guarded.snapshot()
    expect(await faultOf(() => snapshot.read(WAVE, OPTIONS))).toMatchObject({ cause })
  })

  it('passes through where it is a fault already', async () => {
    const fault = invalidMutation(3, 'node.type', 'its type', 'another')
    const guarded = guardStore(storeWith({ write: () => Promise.reject(fault) }))
    expect(await faultOf(() => guarded.write([], WRITE))).toBe(fault)
  })
})

describe('an answer out of shape is a fault that names the part', () => {
  it.each([
    ['nodes', { ...ANSWER, nodes: [] }],
    ['ranges', { ...ANSWER, ranges: undefined }],
    ['tests', { ...ANSWER, tests: [true] }],
    ['tokens', { ...ANSWER, tokens: 'none' }],
    ['answer', undefined],
  ])('%s', async (part, answer) => {
    for (const read of [() => answer, async () => answer]) {
      const guarded = guardStore({ ...storeWith(), ...Object.fromEntries([['read', read]]) })
      const fault = await faultOf(() => guarded.read(WAVE, OPTIONS))
      expect(fault.data).toEqual({ reason: 'store_fault', part })
      expect(String(fault.cause)).toContain(part)
    }
  })

  it('version', async () => {
    const guarded = guardStore({ ...storeWith(), ...Object.fromEntries([['write', () => undefined]]) })
    expect((await faultOf(() => guarded.write([], WRITE))).data).toMatchObject({ part: 'version' })
  })
})

it('a store that declares no snapshots has none', () => {
  const store = storeWith()
  const guarded = guardStore({ ...store, capabilities: { ...store.capabilities, snapshots: false } })
  expect(() => guarded.snapshot()).toThrow(new TypeError('the store has no snapshots'))
})
