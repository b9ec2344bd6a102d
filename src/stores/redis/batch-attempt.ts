import { batchConflictError } from '../../base/errors.ts'
import type { BatchId } from '../../store/conditional.ts'
import {
  ABANDON_BATCH_SCRIPT,
  BEGIN_BATCH_SCRIPT,
  FINISH_BATCH_SCRIPT,
  KEEP_BATCH_SCRIPT,
} from './batch-scripts.ts'
import { createCommand, createScriptCommand, parseListReply } from './commands.ts'
import { encodeKeptBatch, type KeptBatch, parseKeptBatch } from './kept-batch.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { StepSender } from './write-steps.ts'

/** The progress of earlier attempts to write a batch. */
type EarlierAttempts = {
  readonly wasWritten: boolean
  /** The batch as an earlier attempt keeps it; undefined if there is none, or if it is the same. */
  readonly kept: KeptBatch | undefined
}

/**
 * An attempt to write a batch with an id. It begins before the batch is written, so that no other batch with
 * the same id is written meanwhile. If its process is killed, the id belongs to the batch until it expires.
 */
export class BatchAttempt {
  readonly #sender: StepSender
  readonly #key: string
  readonly #batch: BatchId
  readonly #text: string
  readonly #name = crypto.randomUUID()
  #begun: Promise<EarlierAttempts> | undefined

  /** `kept` is the part of the batch that completes it. */
  constructor(sender: StepSender, keys: RedisKeys, batch: BatchId, kept: KeptBatch) {
    this.#sender = sender
    this.#key = keys.batch(batch.id)
    this.#batch = batch
    this.#text = encodeKeptBatch(kept)
  }

  /**
   * Begins the attempt. The batch is kept with its id, unless that of an earlier attempt is.
   *
   * @throws GraphError `conflict` if the id belongs to another batch.
   */
  begin(): Promise<EarlierAttempts> {
    this.#begun = this.#begin()
    return this.#begun
  }

  async #begin(): Promise<EarlierAttempts> {
    const { digest, keepMs } = this.#batch
    const reply = await this.#run(BEGIN_BATCH_SCRIPT, digest, `${keepMs}`, this.#name, this.#text)
    const [status, kept = ''] = parseListReply(reply)
    if (status === 'conflict') throw batchConflictError()
    return { wasWritten: status === 'written', kept: parseKeptBatch(String(kept)) }
  }

  /** Keeps the batch of this attempt, because nothing is written of the one that an earlier attempt keeps. */
  async keep(): Promise<void> {
    await this.#run(KEEP_BATCH_SCRIPT, this.#name, this.#text)
  }

  /** Reads the batch as it is kept now. */
  async readKept(): Promise<KeptBatch | undefined> {
    const [text] = await this.#sender.send([createCommand('hget', this.#key, 'kept')])
    return parseKeptBatch(String(text ?? ''))
  }

  /** Ends an attempt that wrote nothing. Ignores errors, because the id expires. */
  async abandon(): Promise<void> {
    // The script that begins the attempt may still run, and would then keep the id.
    await this.#begun?.catch(() => undefined)
    await this.#run(ABANDON_BATCH_SCRIPT, this.#name).catch(() => undefined)
  }

  /** Marks the batch as written, so that it is not written again, even if it is invalid by then. */
  async finish(): Promise<void> {
    await this.#run(FINISH_BATCH_SCRIPT, this.#batch.digest, `${this.#batch.keepMs}`)
  }

  async #run(script: string, ...args: readonly string[]): Promise<unknown> {
    const [reply] = await this.#sender.send([createScriptCommand(script, [this.#key], args)])
    return reply
  }
}
