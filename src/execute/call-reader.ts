import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type { TurnQueue } from '../base/turn-queue.ts'
import { EMPTY_READ_RESULT, PAUSE_REQUEST, type ReadStep, type ReadTask } from '../core/batching.ts'
import { audienceOf } from '../core/cursor.ts'
import type {
  RangeResult,
  StoreReader,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
} from '../store/contract.ts'
import { divideCountedRows } from '../store/divide-counted-rows.ts'
import {
  createNextRequest,
  divideRequest,
  isLongRead,
  joinRangeResults,
  joinReadResults,
  requestSizeOf,
} from '../store/requests.ts'
import { assertInTime, settleInTime } from '../store/settle-in-time.ts'
import { mustAwaitSession } from './call-session.ts'
import { contextOf, type Query } from './query.ts'
import { readAndCount } from './read-and-count.ts'
import { MAX_EDGES_WITHOUT_SLOT, PROCESS_SLOTS, type ScanSlot } from './scan-slots.ts'

/** The number of entries and keys that most calls request at most. Above it, a call checks the time. */
const MAX_ITEMS_WITHOUT_TIME_CHECK = 1000

/** The number of milliseconds that a call may run before it pauses. */
const MAX_RUN_MS = 10

/** Decides when a call pauses, so that the call does not block the event loop for long. */
class Pace {
  readonly #turnQueue: TurnQueue
  /**
   * The time (`performance.now()`) at which the call last continued, or `undefined` before its first pause.
   */
  #resumedAt: number | undefined

  constructor(turnQueue: TurnQueue) {
    this.#turnQueue = turnQueue
  }

  /** Whether the call has run long enough to pause. */
  get isPauseDue(): boolean {
    return this.#resumedAt === undefined || performance.now() - this.#resumedAt > MAX_RUN_MS
  }

  async pause(): Promise<void> {
    await this.#turnQueue.waitForTurn()
    this.#resumedAt = performance.now()
  }
}

/**
 * Runs the tasks of one call on the newest state of the store or on one snapshot. Large reads are divided
 * into parts with pauses between them.
 */
export class CallReader {
  readonly #query: Query
  #reader: StoreReader
  /** The pace, which is created for the first large read. */
  #pace: Pace | undefined
  /** The number of entries and keys that were requested since the last check of the time. */
  #itemsSinceTimeCheck = 0
  #scanSlot: ScanSlot | undefined
  /** The snapshot of the call, `due` before it is taken, or `undefined` if the call reads the newest state. */
  #snapshot: StoreSnapshot | 'due' | undefined

  constructor(query: Query) {
    this.#query = query
    this.#reader = query.engine.store
  }

  /** Runs a task. It runs synchronously until a step returns a promise. */
  run<TResult>(task: ReadTask<TResult>): Awaitable<TResult> {
    let step = task.next()
    while (!step.done) {
      const result = this.#performStep(step.value)
      if (isPromiseLike(result)) return this.#runAsync(task, result)
      step = task.next(result)
    }
    return step.value
  }

  /**
   * Runs `work`, with all reads of the call on one snapshot. If the data must await the session, the token is read
   * before the snapshot is taken.
   */
  async runOnSnapshot<TResult>(work: () => Awaitable<TResult>): Promise<TResult> {
    this.#snapshot = 'due'
    if (!mustAwaitSession(this.#query)) await this.#startSnapshot()
    try {
      return await work()
    } finally {
      if (typeof this.#snapshot === 'object') await this.#closeSnapshot(this.#snapshot)
    }
  }

  async #startSnapshot(): Promise<void> {
    this.#snapshot = await this.#takeSnapshot()
    this.#reader = this.#snapshot
  }

  /** Releases the scan slot of this call, if it has one, for another call. */
  releaseScanSlot(): void {
    this.#scanSlot?.release()
    this.#scanSlot = undefined
  }

  async #runAsync<TResult>(
    task: ReadTask<TResult>,
    firstResult: PromiseLike<StoreReadResult>,
  ): Promise<TResult> {
    let step = task.next(await firstResult)
    while (!step.done) step = task.next(await this.#performStep(step.value))
    return step.value
  }

  #performStep(step: ReadStep): Awaitable<StoreReadResult> {
    if ('until' in step) {
      // The promise may depend on another call of the same viewer, which may need the slot.
      this.releaseScanSlot()
      return step.until
    }
    if (step === PAUSE_REQUEST) return this.#pauseIfDue()
    if (this.#snapshot === 'due' && this.#query.context !== undefined)
      return this.#startSnapshot().then(() => this.#performStep(step))
    const request = divideCountedRows(step)
    const { examinedCount } = this.#query.scanLimit
    const needsNoSlot = this.#scanSlot !== undefined || examinedCount <= MAX_EDGES_WITHOUT_SLOT
    return needsNoSlot ? this.#readStep(request) : this.#takeScanSlot().then(() => this.#readStep(request))
  }

  #readStep(request: StoreReadRequest): Awaitable<StoreReadResult> {
    const appliesConditions = this.#query.engine.store.capabilities.conditions === true
    return appliesConditions ? this.#readAndCount(request) : this.#read(request)
  }

  // A separate method: a closure would take memory even in calls that do not create it.
  #readAndCount(request: StoreReadRequest): Awaitable<StoreReadResult> {
    return readAndCount(request, part => this.#read(part))
  }

  /** Waits for a slot, at most until the deadline of the call. */
  async #takeScanSlot(): Promise<void> {
    const { readOptions } = this.#query
    const { session } = contextOf(this.#query)
    this.#scanSlot = await PROCESS_SLOTS.take(audienceOf(session), pendingSlot =>
      settleInTime(pendingSlot, readOptions.signal, readOptions.deadline),
    )
  }

  #read(request: StoreReadRequest): Awaitable<StoreReadResult> {
    const size = requestSizeOf(request)
    this.#itemsSinceTimeCheck += size
    return this.#itemsSinceTimeCheck <= MAX_ITEMS_WITHOUT_TIME_CHECK
      ? this.#readUndivided(request)
      : this.#readWithPauses(request, isLongRead(size))
  }

  /**
   * Lets other calls run if this call has run for longer than `MAX_RUN_MS`. @throws GraphError `aborted`,
   * `timeout`.
   */
  #pauseIfDue(): Awaitable<StoreReadResult> {
    const pace = this.#getPace()
    if (!pace.isPauseDue) return EMPTY_READ_RESULT
    return pace.pause().then(() => {
      assertInTime(this.#query.readOptions)
      return EMPTY_READ_RESULT
    })
  }

  #getPace(): Pace {
    this.#pace ??= new Pace(this.#query.engine.turnQueue)
    return this.#pace
  }

  #readUndivided(request: StoreReadRequest): Awaitable<StoreReadResult> {
    const { reporter, readOptions } = this.#query
    if (reporter === undefined) return this.#reader.read(request, readOptions)
    return reporter.reportRead(request, () => this.#reader.read(request, readOptions))
  }

  async #readWithPauses(request: StoreReadRequest, isReadInParts: boolean): Promise<StoreReadResult> {
    this.#itemsSinceTimeCheck = 0
    if (this.#getPace().isPauseDue) await this.#getPace().pause()
    return isReadInParts ? this.#readParts(request) : this.#readUndivided(request)
  }

  /** Reads a request in parts, and reports them as one read. */
  #readParts(request: StoreReadRequest): Promise<StoreReadResult> {
    const read = async (): Promise<StoreReadResult> => {
      const results: StoreReadResult[] = []
      for (const part of divideRequest(request)) results.push(await this.#readPart(part))
      return joinReadResults(results)
    }
    return this.#query.reporter === undefined ? read() : this.#query.reporter.reportRead(request, read)
  }

  async #readPart(part: StoreReadRequest): Promise<StoreReadResult> {
    const firstRequest = createNextRequest(part, undefined)
    if (firstRequest === undefined) return this.#readAfterPause(part)
    let rangeResult: RangeResult | undefined
    for (
      let nextRequest: StoreReadRequest | undefined = firstRequest;
      nextRequest !== undefined;
      nextRequest = createNextRequest(part, rangeResult)
    ) {
      const [nextResult] = (await this.#readAfterPause(nextRequest)).ranges
      if (nextResult === undefined) break
      rangeResult = joinRangeResults(rangeResult, nextResult)
      if (nextResult.entries.length === 0) break
    }
    return { ...EMPTY_READ_RESULT, ranges: rangeResult === undefined ? [] : [rangeResult] }
  }

  async #readAfterPause(part: StoreReadRequest): Promise<StoreReadResult> {
    if (this.#getPace().isPauseDue) await this.#getPace().pause()
    return this.#reader.read(part, this.#query.readOptions)
  }

  /** Takes a snapshot, or closes it when it becomes available if the call no longer waits for it. */
  async #takeSnapshot(): Promise<StoreSnapshot> {
    const { readOptions, engine } = this.#query
    assertInTime(readOptions)
    const { session } = readOptions
    const pendingSnapshot = engine.store.snapshot(session === undefined ? undefined : { session })
    if (!isPromiseLike(pendingSnapshot)) return pendingSnapshot
    try {
      return await settleInTime(pendingSnapshot, readOptions.signal, readOptions.deadline)
    } catch (error) {
      pendingSnapshot.then(snapshot => snapshot.close()).then(undefined, () => undefined)
      throw error
    }
  }

  /** Closes a snapshot. An error during the close does not change the result of the call. */
  async #closeSnapshot(snapshot: StoreSnapshot): Promise<void> {
    try {
      const closing = snapshot.close()
      if (isPromiseLike(closing)) await settleInTime(closing, undefined, this.#query.readOptions.deadline)
    } catch {}
  }
}
