import type { Store } from '../store/contract.ts'

/** Creates a store that delegates every call to another store, except for the overrides. */
export const delegateStore = (store: Store, overrides: Partial<Store>): Store => ({
  capabilities: store.capabilities,
  open: () => store.open(),
  close: () => store.close(),
  read: (request, options) => store.read(request, options),
  write: (mutations, options) => store.write(mutations, options),
  snapshot: options => store.snapshot(options),
  ...overrides,
})
