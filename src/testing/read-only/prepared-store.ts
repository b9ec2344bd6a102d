import type { Awaitable } from '../../base/awaitable.ts'
import type { Store, StoreReader, StoreReadRequest, StoreReadResult } from '../../store/contract.ts'
import { assertEqual } from '../assertions.ts'
import { delegateStore } from '../delegate-store.ts'
import { createEmptyModel, type Model, readModel, writeModel } from '../model.ts'
import { type StoreRecords, toRecords } from './store-records.ts'

/** Creates a store, not open yet, that contains the given records. */
export type CreateStoreWith = (records: StoreRecords) => Awaitable<Store>

/**
 * Wraps a store that keeps no tokens. Asserts that the store returns no token, and returns the tokens of a
 * model instead, so that tests of other records can contain tokens.
 */
const withModelTokens = (store: Store, model: Model): Store =>
  delegateStore(store, {
    read: async (request, options): Promise<StoreReadResult> => {
      const result = await store.read(request, options)
      assertEqual(
        result.tokens,
        request.tokens.map(() => undefined),
        'the tokens of a store that keeps none',
      )
      const { tokens } = readModel(model, { nodes: [], ranges: [], checks: [], tokens: request.tokens })
      return { ...result, tokens: structuredClone(tokens) }
    },
  })

const NO_TOKENS = { tokens: [] }

/**
 * Creates a store for tests of reads, which write only to prepare the records that they read. Writes change a
 * model. The next read creates a new store with the records of the model, and closes the previous one.
 */
export const createPreparedStore = async (create: CreateStoreWith, keepsTokens: boolean): Promise<Store> => {
  let model = createEmptyModel()
  const openCurrent = async (): Promise<Store> => {
    const records = toRecords(model)
    const store = await create(keepsTokens ? records : { ...records, ...NO_TOKENS })
    await store.open()
    return keepsTokens ? store : withModelTokens(store, model)
  }
  const first = await openCurrent()
  let current = first
  let pending: Promise<Store> | undefined
  const reopen = async (): Promise<Store> => {
    await current.close()
    current = await openCurrent()
    return current
  }
  let isStale = false
  const findReader = (): Promise<StoreReader> => {
    if (isStale) pending = reopen()
    isStale = false
    return pending ?? Promise.resolve(current)
  }
  return {
    capabilities: first.capabilities,
    open: () => undefined,
    close: () => current.close(),
    read: async (request: StoreReadRequest, options) => (await findReader()).read(request, options),
    snapshot: () => {
      throw new Error('a prepared store has no snapshots')
    },
    write: mutations => {
      model = writeModel(model, structuredClone(mutations))
      isStale = true
      return { revision: undefined }
    },
  }
}
