import { createMemoryStore } from 'kithgraph/memory'
import { expect } from 'vitest'
import type { IdKind } from '../../src/base/ids.ts'
import type { Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'

/** Runs a case on an open store, and returns its results as texts. */
type RecordResults = (store: Store) => Promise<readonly string[]>

const recordOnStore = async (store: Store, record: RecordResults): Promise<readonly string[]> => {
  try {
    await store.open()
    // The store is open already, and the graph must not open it again.
    return await record(delegateStore(store, { open: () => {} }))
  } finally {
    await store.close()
  }
}

/** Expects the same results on a store as in memory. `create` creates a store for a kind of ids. */
export const compareWithMemory = async (
  ids: IdKind,
  create: (ids: IdKind) => Store,
  record: RecordResults,
): Promise<void> => {
  const expected = await recordOnStore(createMemoryStore(), record)
  expect(await recordOnStore(create(ids), record)).toEqual(expected)
}
