import type { ParsedRecord } from './record-reader.ts'

const MAX_COUNT = 1000
const MIN_COUNT = 50
/** The size of the first batch, which takes longer than later ones, because its code is not compiled yet. */
const FIRST_COUNT = 250
/** The length of the records, as text, that ends a batch before it has the maximum number of records. */
const MAX_LENGTH = 2 ** 20

/** A batch that blocks the process for longer, in milliseconds, halves the size of the next batches. */
const LONG_HOLD_MS = 25
/** A batch that blocks the process for less time, in milliseconds, doubles the size of the next batches. */
const SHORT_HOLD_MS = 10

/**
 * Collects the records of the next batch of a load. Without a fixed size, chooses sizes so that a batch does
 * not block the process for long: a store in the process writes a batch without a pause, and the time of a
 * record depends on its size and on the size of the store.
 */
export class LoadBatch {
  readonly #fixedCount: number | undefined
  #maxCount = FIRST_COUNT
  #records: ParsedRecord[] = []
  #length = 0

  constructor(fixedCount: number | undefined) {
    this.#fixedCount = fixedCount
  }

  /** Adds a record. Returns whether the batch is full. */
  add(record: ParsedRecord): boolean {
    this.#length += record.length
    const count = this.#records.push(record)
    if (this.#fixedCount !== undefined) return count >= this.#fixedCount
    return count >= this.#maxCount || this.#length >= MAX_LENGTH
  }

  /** Returns the records, and begins the next batch. */
  take(): readonly ParsedRecord[] {
    const records = this.#records
    this.#records = []
    this.#length = 0
    return records
  }

  /** Reports for how many milliseconds the last batch has blocked the process. */
  reportHold(holdMs: number): void {
    if (holdMs > LONG_HOLD_MS) this.#maxCount = Math.max(MIN_COUNT, this.#maxCount >>> 1)
    else if (holdMs < SHORT_HOLD_MS) this.#maxCount = Math.min(MAX_COUNT, this.#maxCount * 2)
  }
}
