import type { Store } from '../store/contract.ts'
import { answerWave, applyMutation, emptyModel, writeModel } from './model.ts'

/** How a model is written and read. */
export type ModelBehaviour = { readonly apply: typeof applyMutation; readonly answer: typeof answerWave }

/** A store over a model, copying what comes in and what goes out. */
export const modelStoreOf = ({ apply, answer }: ModelBehaviour): Store => {
  let model = emptyModel()
  return {
    capabilities: { snapshots: true, durable: false, shared: false, atomicity: 'batch' },
    open: () => undefined,
    close: () => undefined,
    read: wave => structuredClone(answer(model, wave)),
    snapshot: () => {
      const taken = model
      return { read: wave => structuredClone(answer(taken, wave)), close: () => undefined }
    },
    write: mutations => {
      model = writeModel(model, structuredClone(mutations), apply)
      return { version: undefined }
    },
  }
}

/**
 * Creates the store that all others are compared to: plain tables, every question answered by looking at everything.
 * It is there to be obviously right, and slow; what it answers, a store adapter has to answer.
 *
 * @throws GraphError `invalid_mutation` from `write`, for a changed type, an edge without both ends, or a patch
 * of a missing node.
 *
 * @example
 * ```ts
 * import { createModelStore } from 'kithgraph/testing'
 *
 * const store = createModelStore()
 * await store.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }], { signal: undefined })
 * const answer = await store.read(
 *   { nodes: ['1', '2'], ranges: [], tests: [], tokens: [] },
 *   { signal: undefined, deadline: undefined, atLeast: undefined },
 * )
 * console.log(answer.nodes.map(node => node?.fields['name'])) // [ 'Ada', undefined ]
 * ```
 */
export const createModelStore = (): Store => modelStoreOf({ apply: applyMutation, answer: answerWave })
