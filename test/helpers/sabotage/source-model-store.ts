import { invalidMutationError } from '../../../src/base/errors.ts'
import type { NodeId } from '../../../src/base/ids.ts'
import type { Store } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { createModelStore } from '../../../src/testing/model-store.ts'

const isConditional = (mutation: StoreMutation): boolean =>
  ('when' in mutation && mutation.when !== undefined) || 'increment' in mutation

const sourceOf = (mutation: StoreMutation): NodeId | undefined => {
  if ('edge' in mutation) return mutation.edge.source
  if ('node' in mutation) return mutation.node.id
  return 'id' in mutation ? mutation.id : undefined
}

/** Rejects a batch with conditions that a store with atomicity `source` cannot write atomically. */
export const assertOneSource = (mutations: readonly StoreMutation[]): void => {
  if (!mutations.some(isConditional)) return
  const sources = new Set(mutations.map(sourceOf))
  if (sources.size > 1)
    throw invalidMutationError(0, '', 'a batch that changes one source', 'several sources')
  const isMirrored = mutations.some(
    mutation => isConditional(mutation) && 'mirror' in mutation && mutation.mirror !== undefined,
  )
  if (isMirrored && mutations.length > 1)
    throw invalidMutationError(0, '', 'the only mutation of its batch', 'several mutations')
}

/** Creates a model store with the rules of atomicity `source` for batches with conditions. */
export const createSourceModelStore = (): Store => {
  const store = createModelStore()
  return delegateStore(store, {
    capabilities: { ...store.capabilities, atomicity: 'source' },
    write: (mutations, options) => {
      assertOneSource(mutations)
      return store.write(mutations, options)
    },
  })
}
