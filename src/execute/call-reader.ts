import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type {
  RangeResult,
  StoreReader,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
} from '../store/contract.ts'
import {
  createNextRequest,
  divideRequest,
  isLongRead,
  joinRangeResults,
  joinReadResults,
  requestSizeOf,
} from '../store/divided-read.ts'
import { assertInTime, settleInTime } from '../store/settle-in-time.ts'
import { EMPTY_READ_RESULT } from './course.ts'
import type { Engine } from './engine.ts'
import type { EventReporter } from './event-reporter.ts'
import { Pace } from './pace.ts'

/**
 * The number of entries and keys that a call requests before it checks the time. Most calls request fewer.
 */
const MAX_ITEMS_WITHOUT_TIME_CHECK = 1000

/**
 * Reads the store for one call: its newest state or one snapshot. Large reads are divided into parts with
 * pauses between them.
 */
export class CallReader {
  readonly options: StoreReadOptions
  readonly #engine: Pick<Engine, 'store' | 'turnQueue'>
  readonly #reporter: EventReporter | undefined
  #reader: StoreReader
  /** Created for the first large read. */
  #pace: Pace | undefined
  /** The number of entries and keys that were requested since the last check of the time. */
  #itemsSinceTimeCheck = 0

  constructor(
    engine: Pick<Engine, 'store' | 'turnQueue'>,
    options: StoreReadOptions,
    reporter: EventReporter | undefined,
  ) {
    this.options = options
    this.#engine = engine
    this.#reporter = reporter
    this.#reader = engine.store
  }

  read(request: StoreReadRequest): Awaitable<StoreReadResult> {
    const size = requestSizeOf(request)
    this.#itemsSinceTimeCheck += size
    return this.#itemsSinceTimeCheck <= MAX_ITEMS_WITHOUT_TIME_CHECK
      ? this.#readUndivided(request)
      : this.#readWithPauses(request, isLongRead(size))
  }

  /** Lets other calls run if this one has run for long. @throws GraphError `aborted`, `timeout`. */
  pause(): Awaitable<StoreReadResult> {
    if (!this.pace.isPauseDue) return EMPTY_READ_RESULT
    return this.pace.pause().then(() => {
      assertInTime(this.options)
      return EMPTY_READ_RESULT
    })
  }

  /** Runs `work` with all its reads on one snapshot. */
  async runOnSnapshot<TResult>(work: () => Awaitable<TResult>): Promise<TResult> {
    const snapshot = await this.#takeSnapshot()
    this.#reader = snapshot
    try {
      return await work()
    } finally {
      await this.#closeSnapshot(snapshot)
    }
  }

  get pace(): Pace {
    this.#pace ??= new Pace(this.#engine.turnQueue)
    return this.#pace
  }

  #readUndivided(request: StoreReadRequest): Awaitable<StoreReadResult> {
    if (this.#reporter === undefined) return this.#reader.read(request, this.options)
    return this.#reporter.reportRead(request, () => this.#reader.read(request, this.options))
  }

  async #readWithPauses(request: StoreReadRequest, isReadInParts: boolean): Promise<StoreReadResult> {
    this.#itemsSinceTimeCheck = 0
    if (this.pace.isPauseDue) await this.pace.pause()
    return isReadInParts ? this.#readParts(request) : this.#readUndivided(request)
  }

  /** Reports the parts as one read. */
  #readParts(request: StoreReadRequest): Promise<StoreReadResult> {
    const read = async (): Promise<StoreReadResult> => {
      const results: StoreReadResult[] = []
      for (const part of divideRequest(request)) results.push(await this.#readPart(part))
      return joinReadResults(results)
    }
    return this.#reporter === undefined ? read() : this.#reporter.reportRead(request, read)
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
    if (this.pace.isPauseDue) await this.pace.pause()
    return this.#reader.read(part, this.options)
  }

  /** Takes a snapshot. One that arrives after the call has stopped waiting is closed at once. */
  async #takeSnapshot(): Promise<StoreSnapshot> {
    assertInTime(this.options)
    const pendingSnapshot = this.#engine.store.snapshot()
    if (!isPromiseLike(pendingSnapshot)) return pendingSnapshot
    try {
      return await settleInTime(pendingSnapshot, this.options.signal, this.options.deadline)
    } catch (error) {
      pendingSnapshot.then(snapshot => snapshot.close()).then(undefined, () => undefined)
      throw error
    }
  }

  /** Closes a snapshot. An error of closing does not change the result of the call. */
  async #closeSnapshot(snapshot: StoreSnapshot): Promise<void> {
    try {
      const closing = snapshot.close()
      if (isPromiseLike(closing)) await settleInTime(closing, undefined, this.options.deadline)
    } catch {}
  }
}
