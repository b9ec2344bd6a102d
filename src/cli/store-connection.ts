import type { Store } from '../store/contract.ts'
import type { StoreInspector } from '../store/inspection.ts'

/** A connection to a store. */
export type StoreConnection = {
  readonly inspector: StoreInspector
  /** Opens the store, which reads and writes as a graph does. Called at most once. */
  openStore(): Promise<Store>
  /** Closes the store if it is open, and ends the connection. */
  close(): Promise<void>
}

/** Creates a connection. Closing the inspector must end it. */
export const createConnection = (inspector: StoreInspector, createStore: () => Store): StoreConnection => {
  let openedStore: Store | undefined
  return {
    inspector,
    openStore: async () => {
      const store = createStore()
      await store.open()
      openedStore = store
      return store
    },
    close: async () => {
      try {
        await openedStore?.close()
      } finally {
        await inspector.close()
      }
    },
  }
}
