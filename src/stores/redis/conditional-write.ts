import { batchConflictError, GraphError, isGraphError, timeoutError } from '../../base/errors.ts'
import { type BatchId, createRetryId, isChosenId, RETRY_KEEP_MS } from '../../store/conditional.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { limitWriteTime, unknownWriteError } from '../write-timeout.ts'
import { BatchAttempt } from './batch-attempt.ts'
import { parseListReply } from './commands.ts'
import { findOnlySource } from './condition-rules.ts'
import { hasOtherSources, toKeptBatch } from './kept-batch.ts'
import { createChangeCommand, planChange, type SourceChange } from './source-change.ts'
import { SourceChangeWriter } from './source-change-writer.ts'
import type { SourceQueue } from './source-queue.ts'
import { type Generations, readSourceState, type SourceBatch, type SourceState } from './source-state.ts'
import type { WriteContext } from './write-context.ts'

/** The longest wait before another attempt, in milliseconds. */
const MAX_WAIT_MS = 50

/** The part of the time of a write after which no attempt begins, so that the last one can finish in time. */
const ATTEMPT_TIME = 0.9

/** The progress of a conditional write. */
type Progress = {
  /** When the last attempt may begin. */
  readonly lastAttemptAt: number
  /** Whether a script was sent whose reply has not said that it wrote nothing. */
  mayBeWritten: boolean
  /** Whether the caller no longer waits, so that nothing more may be written. */
  isGivenUp: boolean
}

const createUnwrittenError = (cause: unknown): GraphError =>
  new GraphError('store_error', '(#2) The store failed before it wrote anything of the batch', {}, { cause })

const createContendedError = (): GraphError =>
  new GraphError(
    'store_error',
    '(#2) Other writers changed the source until "writeTimeoutMs" was over; nothing was written',
    {},
    { cause: timeoutError() },
  )

/** Writes a batch to one source if its conditions hold. */
class ConditionalWriter {
  readonly #context: WriteContext
  readonly #batch: SourceBatch
  /** Undefined if the caller did not choose the id of the batch. */
  readonly #attempt: BatchAttempt | undefined
  readonly #progress: Progress
  readonly #writer: SourceChangeWriter

  constructor(
    context: WriteContext,
    batch: SourceBatch,
    attempt: BatchAttempt | undefined,
    progress: Progress,
  ) {
    this.#context = context
    this.#batch = batch
    this.#attempt = attempt
    this.#progress = progress
    this.#writer = new SourceChangeWriter(context, batch)
  }

  async write(): Promise<void> {
    try {
      await this.#writeUnlessGivenUp()
    } catch (error) {
      if (this.#progress.mayBeWritten) throw this.#writer.toError(error)
      await this.#attempt?.abandon()
      throw isGraphError(error) || error instanceof TypeError ? error : createUnwrittenError(error)
    }
  }

  async #writeUnlessGivenUp(): Promise<void> {
    if (this.#progress.isGivenUp) return
    const [earlier, firstState] = await Promise.all([this.#attempt?.begin(), this.#read(new Map())])
    if (earlier?.wasWritten) return
    if (earlier?.kept !== undefined) await this.#attempt?.keep()
    let state = firstState
    for (let waitMs = 1; !(await this.#tryToWrite(state)); waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
      const delayMs = waitMs * Math.random()
      await new Promise(resolve => setTimeout(resolve, delayMs))
      if (Date.now() > this.#progress.lastAttemptAt) throw createContendedError()
      state = await this.#read(state.generations)
    }
  }

  #read(generations: Generations): Promise<SourceState> {
    return readSourceState(this.#context.sender, this.#context.keys, this.#batch, generations)
  }

  /** Returns false if the source has changed since it was read, so that nothing was written. */
  async #tryToWrite(state: SourceState): Promise<boolean> {
    if (state.status === 'conflict') throw batchConflictError()
    if (state.status === 'known') return this.#completeKnown(state, state.result)
    const change = this.#plan(state)
    if (this.#progress.isGivenUp) throw createUnwrittenError(timeoutError())
    const [status, ...details] = await this.#sendChange(state, change)
    if (status === 'conflict') throw batchConflictError()
    // The batch may have put the source, so its generation is read again.
    if (status === 'known')
      return this.#completeKnown(await this.#read(state.generations), String(details[0]))
    if (status !== 'done') return false
    await this.#writer.complete(state, change, details)
    await this.#finish()
    return true
  }

  async #sendChange(state: SourceState, change: SourceChange): Promise<readonly unknown[]> {
    this.#progress.mayBeWritten = true
    const sentAt = performance.now()
    const command = createChangeCommand(this.#context.keys, this.#batch, state, change)
    const [reply] = await this.#context.sender.send([command])
    const status = parseListReply(reply)
    const isWritten = status[0] === 'done' || status[0] === 'known'
    // The client may have sent the command again. If the id has expired since, the reply does not show whether the
    // first command was executed.
    if (!isWritten && performance.now() - sentAt >= this.#batch.batch.keepMs)
      throw unknownWriteError(new Error('the id of the batch expired before the reply'))
    this.#progress.mayBeWritten = isWritten
    return status
  }

  /** Completes a batch that an earlier attempt has begun to write. */
  async #completeKnown(state: SourceState, score: string): Promise<true> {
    this.#progress.mayBeWritten = true
    await this.#writer.completeKnown(state, score)
    await this.#finish()
    return true
  }

  #plan(state: SourceState): SourceChange {
    try {
      return planChange(this.#batch, state)
    } catch (error) {
      // The caller may know only the second side of an edge, which a killed process has left unfinished.
      this.#context.settler.addUnfinished(state.oldNotes, [])
      throw error
    }
  }

  /**
   * Marks the batch as written. An id that is kept only for retries needs no mark, which is a round trip: the
   * step at the source shows that the batch was written, unless the batch also has steps elsewhere.
   */
  async #finish(): Promise<void> {
    const { source, mutations, batch } = this.#batch
    if (batch.keepMs > RETRY_KEEP_MS || hasOtherSources(source, mutations)) await this.#attempt?.finish()
  }
}

/**
 * Writes a batch that has conditions or increments. Writes to the same source wait for each other. If a
 * condition's record or edge changes meanwhile, it is read again, until the time is over.
 *
 * @throws GraphError `conflict` or `invalid_mutation` before anything is written; `store_error` if the time is
 * over, or if the write failed midway.
 */
export const writeConditionally = async (
  context: WriteContext,
  queue: SourceQueue,
  mutations: readonly StoreMutation[],
  sentBatch: BatchId | undefined,
  timeoutMs: number,
): Promise<void> => {
  const source = findOnlySource(mutations)
  // Without an id, a command that the client sends again after a lost reply would be executed twice.
  const batch = sentBatch ?? createRetryId()
  // Nobody else can write a batch with a random id.
  const attempt = isChosenId(batch)
    ? new BatchAttempt(context.sender, context.keys, batch, toKeptBatch(source, mutations))
    : undefined
  const lastAttemptAt = Date.now() + ATTEMPT_TIME * timeoutMs
  const progress: Progress = { lastAttemptAt, mayBeWritten: false, isGivenUp: false }
  const writer = new ConditionalWriter(context, { source, mutations, batch }, attempt, progress)
  const giveUp = (cause: unknown): GraphError => {
    progress.isGivenUp = true
    return progress.mayBeWritten ? unknownWriteError(cause) : createUnwrittenError(cause)
  }
  await queue.run(source, turn =>
    limitWriteTime(
      turn.then(() => writer.write()),
      timeoutMs,
      giveUp,
    ),
  )
}
