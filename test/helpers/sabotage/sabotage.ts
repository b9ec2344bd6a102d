import type { Store } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { createModelStore } from '../../../src/testing/model-store.ts'

/** A store with one defect, and the section of the suite that must find it. */
export type Sabotage = {
  readonly name: string
  readonly section: string
  readonly create: () => Store
}

/** Creates a sabotage of the model with replaced methods. */
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

/** Lets other pending tasks run. */
export const yieldToOthers = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))
