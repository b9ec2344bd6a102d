import { type GraphError, isGraphError } from '../../base/errors.ts'
import { type BatchId, isConditional } from '../../store/conditional.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { fail } from '../assertions.ts'
import { createEmptyModel, type Model, writeModelOnce } from '../model.ts'
import { assertGraphError } from '../rejections.ts'
import type { StoreProbe } from '../store-probe.ts'
import { toSupportedBatch } from './supported-batches.ts'

/** Longer than any test. */
const KEEP_MS = 3_600_000

type SentBatch = { readonly mutations: readonly StoreMutation[]; readonly batch: BatchId | undefined }

/** Returns the model after a batch, or the error of the first mutation that the model rejects. */
const tryWriteModel = (model: Model, { mutations, batch }: SentBatch): Model | GraphError => {
  try {
    return writeModelOnce(model, mutations, batch)
  } catch (error) {
    if (isGraphError(error)) return error
    throw error
  }
}

/** Whether a path is that of a failed condition of a mutation. Several of its values may differ. */
const isSamePath = (received: unknown, expected: unknown, mutation: StoreMutation | undefined): boolean => {
  if (received === expected) return true
  const when = mutation !== undefined && 'when' in mutation ? mutation.when : undefined
  if (when === undefined || !('fields' in when)) return false
  const paths = Object.keys(when.fields).map(name => `when.fields.${name}`)
  return paths.some(path => path === received) && paths.some(path => path === expected)
}

/**
 * Whether a store may reject a batch with an error if `expected` is the error of the first mutation that
 * fails. Later mutations may fail too: their conditions are evaluated on records that are not defined.
 */
const isPossibleError = (
  received: GraphError,
  expected: GraphError,
  mutations: readonly StoreMutation[],
): boolean => {
  const { index } = expected.data
  if (received.data.index === index) {
    if (received.reason !== expected.reason) return false
    const mutation = typeof index === 'number' ? mutations[index] : undefined
    return expected.reason !== 'conflict' || isSamePath(received.data.path, expected.data.path, mutation)
  }
  return (
    Number(received.data.index) > Number(index) && ['conflict', 'invalid_mutation'].includes(received.reason)
  )
}

/** A store, and the model of the same writes. */
export class ModelledStore {
  readonly #store: StoreProbe
  #model: Model = createEmptyModel()
  /** The batches that were sent with an id. */
  readonly #sentBatches: SentBatch[] = []

  constructor(store: StoreProbe) {
    this.#store = store
  }

  get model(): Model {
    return this.#model
  }

  /**
   * Writes a batch to the model, and to the store if the store supports it. Asserts that the store rejects
   * the batch if the model does. Returns the mutations that were sent.
   */
  async write(mutations: readonly StoreMutation[], id?: string): Promise<readonly StoreMutation[]> {
    const { capabilities } = this.#store
    const supported = toSupportedBatch(capabilities, this.#model, mutations)
    if (id === undefined || !capabilities.conditionalWrites) {
      await this.#send({ mutations: supported, batch: undefined })
      return supported
    }
    const number = this.#sentBatches.length
    const batch = { id, digest: `batch ${number}`, keepMs: KEEP_MS }
    this.#sentBatches.push({ mutations: supported, batch })
    await this.#send({ mutations: supported, batch })
    return supported
  }

  /** Sends an earlier batch again, with its id. */
  async sendAgain(index: number): Promise<void> {
    const sentBatch = this.#sentBatches[index % this.#sentBatches.length]
    if (sentBatch?.batch === undefined) return
    const isKnown = this.#model.batches.has(sentBatch.batch.id)
    if (isKnown || this.#store.capabilities.atomicity === 'batch') await this.#send(sentBatch)
  }

  async #send(sentBatch: SentBatch): Promise<void> {
    const { mutations, batch } = sentBatch
    const write = () =>
      batch === undefined ? this.#store.write(...mutations) : this.#store.writeOnce(batch, ...mutations)
    const result = tryWriteModel(this.#model, sentBatch)
    if (!isGraphError(result)) {
      await write()
      this.#model = result
    } else if (this.#mustReject(mutations, result)) {
      const label = `the batch ${JSON.stringify(mutations)}`
      const error = await assertGraphError(write, label)
      if (!isPossibleError(error, result, mutations))
        fail(
          `${label}: expected an error such as ${result}, ${JSON.stringify(result.data)}; received ${error}`,
        )
    }
  }

  /** Whether the store must reject a batch as a whole that the model rejects with the given error. */
  #mustReject(mutations: readonly StoreMutation[], { reason, data }: GraphError): boolean {
    if (this.#store.capabilities.atomicity === 'batch' || reason === 'conflict') return true
    return mutations.some(isConditional) && `${data.path}`.startsWith('increment.')
  }
}
