import type { Store } from '../store/contract.ts'

/** A store that hands every call on to another, except for what is replaced. */
export const delegateStore = (store: Store, replaced: Partial<Store>): Store => ({
  capabilities: store.capabilities,
  open: () => store.open(),
  close: () => store.close(),
  read: (wave, options) => store.read(wave, options),
  write: (mutations, options) => store.write(mutations, options),
  snapshot: () => store.snapshot(),
  ...replaced,
})
