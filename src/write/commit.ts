import { isGraphError } from '../base/errors.ts'
import type { Store } from '../store/contract.ts'
import { createAbortError } from '../store/settle-in-time.ts'
import { readNodeTypes } from './node-types.ts'
import type { ParsedItem } from './parsed-mutation.ts'
import { type IssueDetails, type RejectItem, validateBatch } from './validate-batch.ts'
import type { WriteBatch } from './write-batch.ts'
import type { WriteSchema } from './write-schema.ts'

/** The result of a write: a revision for later reads, if they could otherwise miss the write. */
export type WriteResult = { readonly revision: string | undefined }

/**
 * Validates mutations against the schema and the existing nodes, and writes the valid ones to the store as
 * one batch.
 */
export type Commit = <TItem extends ParsedItem>(
  items: readonly TItem[],
  rejectItem: RejectItem<TItem>,
  signal: AbortSignal | undefined,
) => Promise<WriteResult>

/**
 * Parses the index of a mutation that a store rejected, and why, when another writer changed nodes meanwhile;
 * undefined for any other error.
 */
const parseRejection = (error: unknown): (IssueDetails & { readonly index: number }) | undefined => {
  if (!isGraphError(error) || error.reason !== 'invalid_mutation') return undefined
  // A store must only return the index.
  const {
    index,
    path = '',
    expected = 'a mutation that the store accepts',
    received = error.message,
  } = error.data
  if (typeof index !== 'number') return undefined
  return { index, path: `${path}`, expected: `${expected}`, received: `${received}` }
}

/** Creates the function that commits. Each round omits what the one before rejected. */
export const createCommit =
  (schema: WriteSchema, store: Store): Commit =>
  async (items, rejectItem, signal) => {
    for (let remaining = items; ; ) {
      if (signal?.aborted) throw createAbortError(signal)
      if (remaining.length === 0) return { revision: undefined }
      const options = { signal, deadline: undefined, minRevision: 'newest' }
      const batch: WriteBatch = {
        schema,
        types: await readNodeTypes(store, remaining, options),
        mutations: [],
      }
      const rejectedItems = new Set<(typeof items)[number]>()
      const rejectAndDrop: typeof rejectItem = (item, issue) => {
        rejectItem(item, issue)
        rejectedItems.add(item)
      }
      const itemsByMutation = validateBatch(batch, remaining, rejectAndDrop)
      try {
        return await store.write(batch.mutations, { signal })
      } catch (error) {
        const rejection = parseRejection(error)
        const item = rejection && itemsByMutation[rejection.index]
        if (rejection === undefined || item === undefined) throw error
        rejectAndDrop(item, rejection)
      }
      remaining = remaining.filter(item => !rejectedItems.has(item))
    }
  }
