import type { Store, StoreReadRequest, StoreReadResult } from '../store/contract.ts'
import { withWantedFields } from '../store/wanted-fields.ts'
import { readWithConditions } from './apply-conditions.ts'
import { readWithAhead } from './attach-ahead.ts'
import { applyMutation, createEmptyModel, readModel, writeModelOnce } from './model.ts'

/** The functions that write and read a model. */
export type ModelBehaviour = { readonly apply: typeof applyMutation; readonly read: typeof readModel }

/** Creates a store that keeps its data in a model. It copies its inputs and outputs, and returns only wanted fields. */
export const createModelStoreWith = ({ apply, read }: ModelBehaviour): Store => {
  let model = createEmptyModel()
  const readPicked = (readModel: typeof model, request: StoreReadRequest): StoreReadResult =>
    readWithAhead(
      one =>
        withWantedFields(
          readWithConditions(plain => read(readModel, plain), one),
          one,
        ),
      request,
    )
  return {
    capabilities: {
      snapshots: true,
      durable: false,
      shared: false,
      atomicity: 'batch',
      conditionalWrites: true,
      collections: true,
      readsAhead: true,
      conditions: true,
      ids: ['digits', 'named'],
    },
    open: () => undefined,
    close: () => undefined,
    read: request => structuredClone(readPicked(model, request)),
    snapshot: () => {
      const snapshotModel = model
      return {
        read: request => structuredClone(readPicked(snapshotModel, request)),
        close: () => undefined,
      }
    },
    write: (mutations, { batch }) => {
      model = writeModelOnce(model, structuredClone(mutations), batch, apply)
      return { revision: undefined }
    },
  }
}

/**
 * Creates the reference store: plain tables, and reads that scan everything. It is slow and obviously
 * correct. Every store adapter must return the same results, except for fields that a read does not need: this
 * store leaves them out.
 *
 * @throws GraphError `invalid_mutation` from `write` if a mutation would change the type of a node, puts an
 * edge without both ends, or patches a missing node; `conflict` if a condition does not hold, or if another
 * batch was written with the same id.
 *
 * @example
 * ```ts
 * import { createModelStore } from 'kithgraph/testing'
 *
 * const store = createModelStore()
 * const options = { signal: undefined, deadline: undefined, minRevision: undefined }
 * await store.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }], options)
 * const result = await store.read({ nodes: ['1', '2'], ranges: [], checks: [], tokens: [] }, options)
 * console.log(result.nodes.map(node => node?.fields['name'])) // [ 'Ada', undefined ]
 * ```
 */
export const createModelStore = (): Store => createModelStoreWith({ apply: applyMutation, read: readModel })
