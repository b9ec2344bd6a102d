import { abortedError, isGraphError } from '../base/errors.ts'
import type { Session } from '../base/session.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import type { Engine } from '../execute/engine.ts'
import { assertWritesData } from '../store/assert-writes.ts'
import type { WriteResult } from '../write/commit.ts'
import { deepCopy } from '../write/input-values.ts'
import type { UntypedMutation } from '../write/mutation.ts'
import type { DigestedWrite, WriteOptions } from '../write/writer.ts'
import { keyReusedError } from './action-error.ts'

/** The parts of a run that its writes use. */
export type WriterOptions = {
  readonly engine: Engine
  readonly write: DigestedWrite
  readonly session: Session
  readonly signal: AbortSignal
  readonly callId: string
  /** The digest of the parameters: another call with the same key has another digest. */
  readonly digest: string
  readonly isIdempotent: boolean
}

/** Whether another batch has the id of a batch. A condition that does not hold has an index. */
const isOtherBatch = (error: unknown): boolean =>
  isGraphError(error) && error.reason === 'conflict' && error.data.index === undefined

/** The writes of one run, which are sent one after another. */
export class ActionWriter {
  readonly #options: WriterOptions
  /** The number of writes that were accepted. */
  #acceptedCount = 0
  #lastWrite: Promise<unknown> = Promise.resolve()
  #isEnded = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Rejects later writes. */
  end(): void {
    this.#isEnded = true
  }

  readonly write = (mutations: readonly UntypedMutation[]): Promise<WriteResult> => {
    // The caller may change the mutations while they wait for an earlier write.
    const copy = deepCopy(mutations)
    const result = this.#lastWrite.then(() => this.#writeNext(copy))
    this.#lastWrite = result.then(undefined, () => undefined)
    return result
  }

  async #writeNext(mutations: unknown): Promise<WriteResult> {
    const { write, digest } = this.#options
    if (this.#isEnded) throw abortedError(new Error('The action has ended'))
    this.#assertSupported()
    try {
      const result = await write(mutations, this.#createOptions(), digest)
      this.#acceptedCount++
      return result
    } catch (error) {
      throw isOtherBatch(error) ? keyReusedError() : error
    }
  }

  #assertSupported(): void {
    const { engine, isIdempotent } = this.#options
    assertWritesData('write', engine.store)
    if (isIdempotent && !engine.store.capabilities.conditionalWrites)
      throw usageErrorAbout(
        'write',
        'the store',
        'one with conditional writes, unless the action has idempotent: false',
        'a store with conditionalWrites: false',
      )
  }

  #createOptions(): WriteOptions {
    const { engine, session, signal, callId } = this.#options
    const hasId = engine.store.capabilities.conditionalWrites
    return { session, signal, ...(hasId && { id: `${callId}:${this.#acceptedCount}` }) }
  }
}
