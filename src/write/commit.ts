import type { Store } from '../store/contract.ts'
import { aborted } from '../store/settle.ts'
import type { Batch } from './batch.ts'
import { checkBatch, type Refuse } from './check-batch.ts'
import type { Drafted } from './draft.ts'
import { readNodeTypes } from './node-types.ts'
import type { WriteSchema } from './write-schema.ts'

/** What a store says of a write: a version that reads may name, where they could miss it otherwise. */
export type Written = { readonly version: string | undefined }

/** Checks drafts against the schema and the nodes there are, and hands what is good to the store as one batch. */
export type Commit = <TItem extends Drafted>(
  items: readonly TItem[],
  refuse: Refuse<TItem>,
  signal: AbortSignal | undefined,
) => Promise<Written>

export const createCommit = (schema: WriteSchema, store: Store): Commit => {
  // The next batch must see the nodes of this one, whichever replica answers.
  let version: string | undefined
  return async (items, refuse, signal) => {
    if (signal?.aborted) throw aborted(signal)
    const types = await readNodeTypes(store, items, { signal, deadline: undefined, atLeast: version })
    const batch: Batch = { schema, types, mutations: [] }
    checkBatch(batch, items, refuse)
    if (batch.mutations.length > 0) ({ version } = await store.write(batch.mutations, { signal }))
    return { version }
  }
}
