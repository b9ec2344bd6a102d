import { batchConflictError } from '../../base/errors.ts'
import type { BatchId } from '../../store/conditional.ts'

/** The minimum time between two removals of expired ids, in milliseconds. */
const REMOVAL_INTERVAL_MS = 60_000

/** The ids of the batches that were written, until they expire. */
export class AppliedBatches {
  readonly #batches = new Map<string, { readonly digest: string; readonly expiresAt: number }>()
  #nextRemovalAt = 0

  /**
   * Whether a batch was written before.
   *
   * @throws GraphError `conflict` if another batch was written with its id.
   */
  has({ id, digest }: BatchId): boolean {
    const known = this.#batches.get(id)
    if (known === undefined || known.expiresAt <= Date.now()) return false
    if (known.digest !== digest) throw batchConflictError()
    return true
  }

  add({ id, digest, keepMs }: BatchId): void {
    const now = Date.now()
    if (now >= this.#nextRemovalAt) this.#removeExpired(now)
    this.#batches.set(id, { digest, expiresAt: now + keepMs })
  }

  #removeExpired(now: number): void {
    this.#nextRemovalAt = now + REMOVAL_INTERVAL_MS
    for (const [id, { expiresAt }] of this.#batches) if (expiresAt <= now) this.#batches.delete(id)
  }
}
