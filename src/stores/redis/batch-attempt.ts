import { batchConflictError } from '../../base/errors.ts'
import type { NodeId } from '../../base/ids.ts'
import type { BatchId } from '../../store/conditional.ts'
import { ABANDON_BATCH_SCRIPT, BEGIN_BATCH_SCRIPT, FINISH_BATCH_SCRIPT } from './batch-scripts.ts'
import { createScriptCommand, parseListReply } from './commands.ts'
import type { RedisKeys } from './encoding.ts'
import type { StepSender } from './write-steps.ts'

/** How far earlier attempts to write a batch are. */
type BegunAttempt = { readonly wasWritten: boolean; readonly source: NodeId | undefined }

/**
 * An attempt to write a batch with an id. It begins before the batch is written, so that no other batch with
 * the same id is written meanwhile. If its process is killed, the id belongs to the batch until it expires.
 */
export class BatchAttempt {
  readonly #sender: StepSender
  readonly #key: string
  readonly #batch: BatchId
  readonly #name = crypto.randomUUID()

  constructor(sender: StepSender, keys: RedisKeys, batch: BatchId) {
    this.#sender = sender
    this.#key = keys.batch(batch.id)
    this.#batch = batch
  }

  /**
   * Begins the attempt. `source` is that of a batch whose step there shows that all of it was written. Returns
   * whether the batch was completely written before, and its source as this or an earlier attempt has passed
   * it.
   *
   * @throws GraphError `conflict` if the id belongs to another batch.
   */
  async begin(source?: NodeId): Promise<BegunAttempt> {
    const { digest, keepMs } = this.#batch
    const reply = await this.#run(BEGIN_BATCH_SCRIPT, digest, `${keepMs}`, this.#name, source ?? '')
    const [status, knownSource = ''] = parseListReply(reply)
    if (status === 'conflict') throw batchConflictError()
    return {
      wasWritten: status === 'written',
      source: knownSource === '' ? undefined : String(knownSource),
    }
  }

  /** Ends an attempt that wrote nothing. Ignores errors, because the id expires. */
  async abandon(): Promise<void> {
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
