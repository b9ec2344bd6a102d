import type { Store } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { createModelStore } from '../../../src/testing/model-store.ts'

/** A store with one thing wrong, and the section of the suite that has to find it. */
export type Sabotage = {
  readonly name: string
  readonly section: string
  readonly create: () => Store
}

/** The model, but for the methods that are replaced. */
export const sabotageModel = (
  name: string,
  section: string,
  replace: (store: Store) => Partial<Store>,
): Sabotage => ({
  name,
  section,
  create: () => {
    const store = createModelStore()
    return delegateStore(store, replace(store))
  },
})

/** Lets whoever else waits come between. */
export const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))
