import { createMemoryStore } from 'kithgraph/memory'
import type { StoreReadResult } from '../../../../src/store/contract.ts'
import { assertLaw } from './campaign.ts'
import type { LedgerWorkload } from './ledger-workload.ts'
import { createCampaignGraph } from './schema.ts'
import { assertWholeState, createStateRequest, findDifference, toState } from './state.ts'

/** The last batch of a writer in the store, and the attempt that wrote it. */
export type LedgerEntry = { readonly batch: number; readonly attempt: number }

/** Returns the ledger entries of a result of {@link createStateRequest} with the nodes of the ledger. */
export const readLedger = ({ ids }: LedgerWorkload, { nodes }: StoreReadResult): readonly LedgerEntry[] =>
  nodes.slice(ids.people.length + ids.photos.length).map(node => ({
    batch: Number(node?.fields.batch),
    attempt: Number(node?.fields.attempt),
  }))

/** The state that a store must have, in memory. */
export class LedgerModel {
  readonly #workload: LedgerWorkload
  readonly #store = createMemoryStore()
  readonly #graph = createCampaignGraph(this.#store)
  readonly #written: number[]

  constructor(workload: LedgerWorkload) {
    this.#workload = workload
    this.#written = workload.ledgerIds.map(() => 0)
  }

  async open(): Promise<void> {
    await this.#graph.write(this.#workload.initialBatch)
  }

  /**
   * Asserts that one state of a store consists of whole batches: it has all changes of each batch up to the
   * batch in the ledger, and no others. Every count must equal its list, and both sides of each mirrored edge
   * must be equal. Returns the ledger.
   */
  async verify(result: StoreReadResult): Promise<readonly LedgerEntry[]> {
    const { ids } = this.#workload
    const actual = assertWholeState(ids, result)
    const ledger = readLedger(this.#workload, result)
    for (const [writer, { batch }] of ledger.entries()) await this.#advance(writer, batch)
    const expected = toState(ids, this.#store.read(createStateRequest(ids)))
    const difference = findDifference(actual, expected)
    const batches = ledger.map(entry => entry.batch).join(', ')
    assertLaw(difference === undefined, `after the batches ${batches} of the writers, ${difference}`)
    return ledger
  }

  async #advance(writer: number, batch: number): Promise<void> {
    const written = this.#written[writer] ?? 0
    assertLaw(batch >= written, `batch ${written} of writer ${writer} was lost; the last one is ${batch}`)
    for (let next = written + 1; next <= batch; next++)
      await this.#graph.write(this.#workload.createBatch(writer, next, 0))
    this.#written[writer] = batch
  }
}
