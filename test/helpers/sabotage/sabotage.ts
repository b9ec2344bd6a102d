import type { StoreUnderTest } from 'kithgraph/testing'
import type { JsonObject } from '../../../src/base/json.ts'
import type { Store } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { applyMutation, type Model, readModel } from '../../../src/testing/model.ts'
import { createModelStore, createModelStoreWith } from '../../../src/testing/model-store.ts'

/** A store with one defect, and the section of the suite that must find it. */
export type Sabotage = {
  readonly name: string
  readonly section: string
  readonly create: () => Store
  /** The sessions for a store that reads by session. */
  readonly sessions?: StoreUnderTest['sessions']
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

/** Creates a sabotage of the model that changes each mutation before it applies the mutation. */
export const sabotageMutation = (
  name: string,
  section: string,
  rewrite: (mutation: StoreMutation, model: Model) => StoreMutation,
): Sabotage => ({
  name,
  section,
  create: () =>
    createModelStoreWith({
      apply: (model, mutation, index) => applyMutation(model, rewrite(mutation, model), index),
      read: readModel,
    }),
})

/** Returns the fields of the node or the data of the edge of a mutation. A missing record has no members. */
export const findRecord = (model: Model, mutation: StoreMutation): JsonObject => {
  if ('edge' in mutation) {
    const { source, name, target } = mutation.edge
    const isSame = (edge: typeof mutation.edge) =>
      edge.source === source && edge.name === name && edge.target === target
    return model.edges.find(isSame)?.data ?? {}
  }
  const id = 'node' in mutation ? mutation.node.id : 'id' in mutation ? mutation.id : ''
  return model.nodes.get(id)?.fields ?? {}
}

/** Lets other pending tasks run. */
export const yieldToOthers = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))
