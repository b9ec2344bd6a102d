import { isGraphError } from '../base/faults.ts'
import type { Store } from '../store/contract.ts'
import { aborted } from '../store/settle.ts'
import type { Batch } from './batch.ts'
import { checkBatch, type Misfit, type Refuse } from './check-batch.ts'
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

/** Which mutation a store refused, and why, where another writer came between; undefined for all other faults. */
const refusalOf = (error: unknown): (Misfit & { readonly index: number }) | undefined => {
  if (!isGraphError(error) || error.data.reason !== 'invalid_mutation') return undefined
  // A store owes no more than the index.
  const { index, path = '', expected = 'what the store takes', came = error.message } = error.data
  if (typeof index !== 'number') return undefined
  return { index, path: `${path}`, expected: `${expected}`, came: `${came}` }
}

/** Each round is without what the one before refused. */
export const createCommit =
  (schema: WriteSchema, store: Store): Commit =>
  async (items, refuse, signal) => {
    for (let left = items; ; ) {
      if (signal?.aborted) throw aborted(signal)
      if (left.length === 0) return { version: undefined }
      const options = { signal, deadline: undefined, atLeast: 'newest' }
      const batch: Batch = { schema, types: await readNodeTypes(store, left, options), mutations: [] }
      const refused = new Set<(typeof items)[number]>()
      const drop: typeof refuse = (item, misfit) => {
        refuse(item, misfit)
        refused.add(item)
      }
      const origins = checkBatch(batch, left, drop)
      try {
        return await store.write(batch.mutations, { signal })
      } catch (error) {
        const refusal = refusalOf(error)
        const item = refusal && origins[refusal.index]
        if (refusal === undefined || item === undefined) throw error
        drop(item, refusal)
      }
      left = left.filter(item => !refused.has(item))
    }
  }
