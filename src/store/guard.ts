import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { describe } from '../base/describe.ts'
import { GraphError } from '../base/faults.ts'
import { isPlainObject } from '../base/json.ts'
import type {
  Mutation,
  ReadOptions,
  Store,
  StoreCapabilities,
  StoreReader,
  StoreSnapshot,
  Wave,
  WaveAnswer,
} from './contract.ts'
import { aborted, assertTimely, attempt, settle, toFault } from './settle.ts'

/**
 * Wraps a store once, so that adapters need not repeat what all of them owe: it is opened at the first use and shared
 * by all who wait for that, refuses every call after `close()`, ends a read at its signal or deadline, and lets out
 * nothing but faults, each with what the store threw as its `cause`.
 *
 * A store that answers at once is answered at once. Guarding a guarded store gives it back.
 *
 * @throws TypeError where the value is no store, naming what it lacks.
 */
export const guardStore = (store: Store): Store => {
  if (store instanceof GuardedStore) return store
  assertStore(store)
  return new GuardedStore(store)
}

class GuardedStore implements Store {
  readonly capabilities: StoreCapabilities
  readonly #store: Store
  readonly #opening: Once
  readonly #closing: Once
  #closed = false

  constructor(store: Store) {
    this.capabilities = store.capabilities
    this.#store = store
    this.#opening = new Once(() => store.open())
    this.#closing = new Once(() => store.close())
  }

  open(): Awaitable<void> {
    this.assertOpen()
    return this.#opening.run()
  }

  /** A store that is still opening is closed when it has opened, lest it stay open for good. */
  close(): Awaitable<void> {
    this.#closed = true
    const opening = this.#opening.pending
    if (opening === undefined) return this.#closing.run()
    const close = () => this.#closing.run()
    return opening.then(close, close)
  }

  read(wave: Wave, options: ReadOptions): Awaitable<WaveAnswer> {
    this.assertOpen()
    assertTimely(options)
    const opening = this.#opening.run()
    if (opening === undefined) return readFrom(this.#store, wave, options)
    return settle(opening, options.signal, options.deadline).then(() => this.read(wave, options))
  }

  write(
    mutations: readonly Mutation[],
    options: { readonly signal: AbortSignal | undefined },
  ): Awaitable<{ version: string | undefined }> {
    this.assertOpen()
    if (options.signal?.aborted) throw aborted(options.signal)
    const opening = this.#opening.run()
    if (opening !== undefined)
      return settle(opening, options.signal, undefined).then(() => this.write(mutations, options))
    const written = attempt(() => this.#store.write(mutations, options))
    return isPromiseLike(written)
      ? settle(written, options.signal, undefined).then(checkedVersion)
      : checkedVersion(written)
  }

  snapshot(): Awaitable<StoreSnapshot> {
    this.assertOpen()
    if (!this.capabilities.snapshots) throw new TypeError('the store has no snapshots')
    const opening = this.#opening.run()
    if (opening !== undefined) return opening.then(() => this.snapshot())
    const taken = attempt(() => this.#store.snapshot())
    return isPromiseLike(taken)
      ? settle(taken, undefined, undefined).then(snapshot => new GuardedSnapshot(this, snapshot))
      : new GuardedSnapshot(this, taken)
  }

  assertOpen(): void {
    if (this.#closed) throw new TypeError('the store is closed')
  }
}

class GuardedSnapshot implements StoreSnapshot {
  readonly #store: GuardedStore
  readonly #snapshot: StoreSnapshot
  readonly #closing: Once
  #closed = false

  constructor(store: GuardedStore, snapshot: StoreSnapshot) {
    this.#store = store
    this.#snapshot = snapshot
    this.#closing = new Once(() => snapshot.close())
  }

  read(wave: Wave, options: ReadOptions): Awaitable<WaveAnswer> {
    this.#store.assertOpen()
    if (this.#closed) throw new TypeError('the snapshot is closed')
    assertTimely(options)
    return readFrom(this.#snapshot, wave, options)
  }

  close(): Awaitable<void> {
    this.#closed = true
    return this.#closing.run()
  }
}

/** A step that is taken once: who comes meanwhile shares it, and where it failed, the next one takes it again. */
class Once {
  readonly #step: () => Awaitable<void>
  #done = false
  #pending: Promise<void> | undefined

  constructor(step: () => Awaitable<void>) {
    this.#step = step
  }

  get pending(): Promise<void> | undefined {
    return this.#pending
  }

  run(): Promise<void> | undefined {
    if (this.#done) return undefined
    if (this.#pending !== undefined) return this.#pending
    const taken = attempt(this.#step)
    if (!isPromiseLike(taken)) {
      this.#done = true
      return undefined
    }
    this.#pending = settle(taken, undefined, undefined)
      .then(() => {
        this.#done = true
      })
      .finally(() => {
        this.#pending = undefined
      })
    return this.#pending
  }
}

const METHODS = ['open', 'close', 'read', 'write', 'snapshot'] as const
const FLAGS = ['snapshots', 'durable', 'shared'] as const

const assertStore = (store: unknown): void => {
  const expected = 'expected a store, such as createMemoryStore() gives'
  if (!isPlainObject(store)) throw new TypeError(`${expected}, came ${describe(store)}`)
  const missing: string[] = METHODS.filter(method => typeof store[method] !== 'function')
  const { capabilities } = store
  if (!isPlainObject(capabilities)) missing.push('capabilities')
  else {
    missing.push(
      ...FLAGS.filter(flag => typeof capabilities[flag] !== 'boolean').map(flag => `capabilities.${flag}`),
    )
    if (capabilities.atomicity !== 'batch' && capabilities.atomicity !== 'source')
      missing.push('capabilities.atomicity')
  }
  if (missing.length > 0)
    throw new TypeError(`${expected}, came ${describe(store)}, which lacks ${missing.join(', ')}`)
}

/** Asks for one wave: no promise, timer or closure where the answer comes at once. */
const readFrom = (reader: StoreReader, wave: Wave, options: ReadOptions): Awaitable<WaveAnswer> => {
  let answer: Awaitable<WaveAnswer>
  try {
    answer = reader.read(wave, options)
  } catch (cause) {
    throw toFault(cause)
  }
  return isPromiseLike(answer)
    ? settle(answer, options.signal, options.deadline).then(settled => checked(wave, settled))
    : checked(wave, answer)
}

const checked = (wave: Wave, answer: WaveAnswer): WaveAnswer => {
  if (!isPlainObject(answer)) throw malformed('answer', 'an object', answer)
  checkPart('nodes', wave.nodes, answer.nodes)
  checkPart('ranges', wave.ranges, answer.ranges)
  checkPart('tests', wave.tests, answer.tests)
  // A test that is not told is not false: whom a block list keeps out would be let in.
  for (const has of answer.tests) if (typeof has !== 'boolean') throw malformed('tests', 'booleans', has)
  checkPart('tokens', wave.tokens, answer.tokens)
  return answer
}

const checkPart = (part: keyof Wave, asked: readonly unknown[], answered: unknown): void => {
  if (!Array.isArray(answered) || answered.length !== asked.length)
    throw malformed(part, `a list of ${asked.length}`, answered)
}

const checkedVersion = (written: { version: string | undefined }): { version: string | undefined } => {
  if (!isPlainObject(written)) throw malformed('version', 'an object with it', written)
  return written
}

const malformed = (part: string, expected: string, came: unknown): GraphError =>
  new GraphError(
    'store_fault',
    `(#2) The store answered out of shape: ${part}`,
    { part },
    { cause: new TypeError(`${part}: expected ${expected}, came ${describe(came)}`) },
  )
