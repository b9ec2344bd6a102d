import { setTimeout as sleep } from 'node:timers/promises'
import { type Graph, type GraphError, isGraphError } from 'kithgraph'
import type { Store } from '../../../../src/store/contract.ts'
import { EMPTY_REQUEST } from '../../../../src/store/requests.ts'
import { assertLaw, type Figures } from './campaign.ts'
import type { LedgerEntry } from './ledger-model.ts'
import type { LedgerWorkload } from './ledger-workload.ts'
import type { schema } from './schema.ts'

const READ_OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
const RETRY_MS = 20

/** Whether an error says that the batch may have been written. */
const isUnknown = ({ reason, message }: GraphError): boolean =>
  reason === 'store_error' && message.includes('it is unknown whether the batch was written')

/** Writes the batches of one writer in order, and writes a batch again after each failure. */
export class LedgerWriter {
  readonly #graph: Graph<typeof schema>
  readonly #workload: LedgerWorkload
  readonly #writer: number
  readonly #controlStore: Store
  /** The attempts whose error says that nothing was written. */
  readonly #failedAttempts = new Set<number>()
  readonly #counts = { written: 0, notWritten: 0, unknown: 0, unknownAndWritten: 0 }
  #attempt = 0
  #longestMs = 0

  /** `controlStore` reads the same data over connections that are never broken. */
  constructor(graph: Graph<typeof schema>, workload: LedgerWorkload, writer: number, controlStore: Store) {
    this.#graph = graph
    this.#workload = workload
    this.#writer = writer
    this.#controlStore = controlStore
  }

  /** The number of acknowledged batches. */
  get acknowledged(): number {
    return this.#counts.written
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#writeNext()
  }

  /** Asserts that the writer completes a batch that it has not begun yet. */
  async assertRecovers(timeoutMs: number): Promise<void> {
    const wanted = this.#counts.written + 2
    for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(RETRY_MS))
      if (this.#counts.written >= wanted) return
    assertLaw(false, `writer ${this.#writer} writes again within ${timeoutMs} ms after the last failure`)
  }

  /** Asserts that the ledger contains an acknowledged batch or a later one, written by a possible attempt. */
  assertWritten(entry: LedgerEntry | undefined, acknowledged: number | undefined): void {
    const { batch, attempt } = entry ?? { batch: Number.NaN, attempt: Number.NaN }
    const writer = `writer ${this.#writer}`
    const law = `the write of batch ${acknowledged} of ${writer} returned; the store has batch ${batch}`
    assertLaw(batch >= (acknowledged ?? 0) && batch <= this.#counts.written + 1, law)
    const message = `the error of attempt ${attempt} of ${writer} said that nothing was written`
    assertLaw(!this.#failedAttempts.has(attempt), message)
  }

  static sum(writers: readonly LedgerWriter[]): Figures {
    const total = (name: 'written' | 'notWritten' | 'unknown' | 'unknownAndWritten') =>
      writers.reduce((sum, writer) => sum + writer.#counts[name], 0)
    return {
      'batches acknowledged': total('written'),
      'errors that nothing was written': total('notWritten'),
      'errors that the result is unknown': total('unknown'),
      'of these, batches that were written': total('unknownAndWritten'),
      'longest write in seconds': (Math.max(...writers.map(writer => writer.#longestMs)) / 1000).toFixed(1),
    }
  }

  async #writeNext(): Promise<void> {
    const batch = this.#counts.written + 1
    const attempt = ++this.#attempt
    const start = performance.now()
    const writing = this.#graph.write(this.#workload.createBatch(this.#writer, batch, attempt))
    try {
      await writing.finally(() => {
        this.#longestMs = Math.max(this.#longestMs, performance.now() - start)
      })
      this.#counts.written = batch
    } catch (error) {
      if (!isGraphError(error)) throw error
      const isExpected = error.reason === 'store_error' || error.reason === 'timeout'
      assertLaw(isExpected, `a broken connection causes store_error or timeout; received ${error}`)
      await this.#countFailure(error, attempt)
      await sleep(RETRY_MS)
    }
  }

  async #countFailure(error: GraphError, attempt: number): Promise<void> {
    if (isUnknown(error)) this.#counts.unknown++
    else {
      this.#counts.notWritten++
      this.#failedAttempts.add(attempt)
    }
    const request = { ...EMPTY_REQUEST, nodes: [this.#workload.ledgerIds[this.#writer] ?? ''] }
    const [ledger] = (await this.#controlStore.read(request, READ_OPTIONS)).nodes
    if (ledger?.fields.attempt !== attempt) return
    assertLaw(isUnknown(error), `a batch was written although its write failed with ${error}`)
    this.#counts.unknownAndWritten++
  }
}
