import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { abortedError } from '../base/errors.ts'
import { isNonArrayObject } from '../base/json.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import { assertStore } from './assert-store.ts'
import {
  assertRangeResults,
  createMalformedResultError,
  describeExpectedResult,
  isCheckResult,
} from './check-results.ts'
import type {
  EdgeCheck,
  Store,
  StoreCapabilities,
  StoreReader,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
  StoreSnapshotOptions,
  StoreWriteOptions,
} from './contract.ts'
import type { StoreMutation } from './mutations.ts'
import { assertInTime, runStoreCall, settleInTime, toStoreError } from './settle-in-time.ts'

/**
 * Wraps a store with the behaviour that all adapters share. The wrapper opens the store at the first use,
 * once for all callers. It rejects every call after `close()`, and aborts a read at its signal or deadline.
 * It converts every error of the store to a GraphError with that error as its `cause`.
 *
 * The wrapper of a synchronous store is synchronous too. A wrapped store is returned unchanged.
 *
 * @throws TypeError for a value that is not a store. The message names the missing members.
 */
export const guardStore = (store: Store): Store => {
  if (store instanceof GuardedStore) return store
  assertStore('createGraph', 'store', store)
  return new GuardedStore(store)
}

class GuardedStore implements Store {
  readonly capabilities: StoreCapabilities
  readonly #store: Store
  readonly #openTask: OnceTask
  readonly #closeTask: OnceTask
  #isClosed = false

  constructor(store: Store) {
    this.capabilities = store.capabilities
    this.#store = store
    this.#openTask = new OnceTask(() => store.open())
    this.#closeTask = new OnceTask(() => store.close())
  }

  open(): Awaitable<void> {
    this.assertOpen()
    return this.#openTask.run()
  }

  /** Closes the store. A store that is still opening is closed as soon as it is open. */
  close(): Awaitable<void> {
    this.#isClosed = true
    const pendingOpen = this.#openTask.pending
    if (pendingOpen === undefined) return this.#closeTask.run()
    const close = () => this.#closeTask.run()
    return pendingOpen.then(close, close)
  }

  read(request: StoreReadRequest, options: StoreReadOptions): Awaitable<StoreReadResult> {
    this.assertOpen()
    assertInTime(options)
    const pendingOpen = this.#openTask.run()
    if (pendingOpen === undefined) return readFrom(this.#store, request, options)
    return settleInTime(pendingOpen, options.signal, options.deadline).then(() => this.read(request, options))
  }

  write(
    mutations: readonly StoreMutation[],
    options: StoreWriteOptions,
  ): Awaitable<{ revision: string | undefined }> {
    this.assertOpen()
    if (options.signal?.aborted) throw abortedError(options.signal.reason)
    const pendingOpen = this.#openTask.run()
    if (pendingOpen !== undefined)
      return settleInTime(pendingOpen, options.signal, undefined).then(() => this.write(mutations, options))
    const result = runStoreCall(() => this.#store.write(mutations, options))
    return isPromiseLike(result)
      ? settleInTime(result, options.signal, undefined).then(validateWriteResult)
      : validateWriteResult(result)
  }

  snapshot(options?: StoreSnapshotOptions): Awaitable<StoreSnapshot> {
    this.assertOpen()
    if (!this.capabilities.snapshots)
      throw usageErrorAbout('store.snapshot', 'the store', 'one with snapshots', 'a store without snapshots')
    const pendingOpen = this.#openTask.run()
    if (pendingOpen !== undefined) return pendingOpen.then(() => this.snapshot(options))
    const result = runStoreCall(() => this.#store.snapshot(options))
    return isPromiseLike(result)
      ? settleInTime(result, undefined, undefined).then(snapshot => new GuardedSnapshot(this, snapshot))
      : new GuardedSnapshot(this, result)
  }

  assertOpen(): void {
    if (this.#isClosed) throw usageErrorAbout('store', 'the store', 'open', 'a closed store')
  }
}

class GuardedSnapshot implements StoreSnapshot {
  readonly #store: GuardedStore
  readonly #snapshot: StoreSnapshot
  readonly #closeTask: OnceTask
  #isClosed = false

  constructor(store: GuardedStore, snapshot: StoreSnapshot) {
    this.#store = store
    this.#snapshot = snapshot
    this.#closeTask = new OnceTask(() => snapshot.close())
  }

  read(request: StoreReadRequest, options: StoreReadOptions): Awaitable<StoreReadResult> {
    this.#store.assertOpen()
    if (this.#isClosed) throw usageErrorAbout('snapshot.read', 'the snapshot', 'open', 'a closed snapshot')
    assertInTime(options)
    return readFrom(this.#snapshot, request, options)
  }

  close(): Awaitable<void> {
    this.#isClosed = true
    return this.#closeTask.run()
  }
}

/**
 * A task that runs once. Concurrent callers share the task, and after a failure, the next caller runs it
 * again.
 */
class OnceTask {
  readonly #task: () => Awaitable<void>
  #isDone = false
  #pending: Promise<void> | undefined

  constructor(task: () => Awaitable<void>) {
    this.#task = task
  }

  get pending(): Promise<void> | undefined {
    return this.#pending
  }

  run(): Promise<void> | undefined {
    if (this.#isDone) return undefined
    if (this.#pending !== undefined) return this.#pending
    const result = runStoreCall(this.#task)
    if (!isPromiseLike(result)) {
      this.#isDone = true
      return undefined
    }
    this.#pending = settleInTime(result, undefined, undefined)
      .then(() => {
        this.#isDone = true
      })
      .finally(() => {
        this.#pending = undefined
      })
    return this.#pending
  }
}

/** Executes one read request. For a synchronous store, it creates no promise, timer or closure. */
const readFrom = (
  reader: StoreReader,
  request: StoreReadRequest,
  options: StoreReadOptions,
): Awaitable<StoreReadResult> => {
  let result: Awaitable<StoreReadResult>
  try {
    result = reader.read(request, options)
  } catch (cause) {
    throw toStoreError(cause)
  }
  return isPromiseLike(result)
    ? settleInTime(result, options.signal, options.deadline).then(settledResult =>
        validateReadResult(request, settledResult),
      )
    : validateReadResult(request, result)
}

const validateReadResult = (request: StoreReadRequest, result: StoreReadResult): StoreReadResult => {
  if (!isNonArrayObject(result)) throw createMalformedResultError('result', 'an object', result)
  assertResultLength('nodes', request.nodes, result.nodes)
  assertResultLength('ranges', request.ranges, result.ranges)
  assertRangeResults(request.ranges, result.ranges)
  assertResultLength('checks', request.checks, result.checks)
  // An iterator would be allocated in each read.
  for (let index = 0; index < request.checks.length; index++) {
    const check = request.checks[index]
    if (check !== undefined) assertCheckResult(check, result.checks[index])
  }
  assertResultLength('tokens', request.tokens, result.tokens)
  if (request.flags !== undefined) assertResultLength('flags', request.flags, result.flags)
  return result
}

const assertResultLength = (
  part: keyof StoreReadRequest,
  requested: readonly unknown[],
  received: unknown,
): void => {
  if (!Array.isArray(received) || received.length !== requested.length)
    throw createMalformedResultError(part, `an array of length ${requested.length}`, received)
}

/** A missing result must not count as false, because policies would then allow blocked viewers. */
const assertCheckResult = (check: EdgeCheck, result: unknown): void => {
  if (!isCheckResult(check, result))
    throw createMalformedResultError('checks', describeExpectedResult(check), result)
}

const validateWriteResult = (result: { revision: string | undefined }): { revision: string | undefined } => {
  if (!isNonArrayObject(result))
    throw createMalformedResultError('revision', 'an object with the revision', result)
  return result
}
