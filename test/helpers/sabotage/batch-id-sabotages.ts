import { batchConflictError, conflictError, isGraphError } from '../../../src/base/errors.ts'
import type { BatchId } from '../../../src/store/conditional.ts'
import type { Store, StoreSnapshot } from '../../../src/store/contract.ts'
import { type Sabotage, sabotageModel } from './sabotage.ts'

const SECTION = 'ids of batches'
const LONG_KEEP_MS = 3_600_000

/** Creates a store that changes the id of each batch before it writes the batch. */
const sabotageIds = (name: string, rewrite: (batch: BatchId) => BatchId | undefined): Sabotage =>
  sabotageModel(name, SECTION, store => ({
    write: (mutations, { signal, batch }) =>
      store.write(mutations, { signal, batch: batch && rewrite(batch) }),
  }))

/** Keeps the id of a batch before it writes the batch, so also if the batch fails. */
const keepFailedIds = (store: Store): Partial<Store> => {
  const digests = new Map<string, string>()
  return {
    write: (mutations, options) => {
      const { batch } = options
      if (batch !== undefined && batch.keepMs > 1000) {
        const digest = digests.get(batch.id)
        if (digest === batch.digest) return { revision: undefined }
        if (digest !== undefined) throw batchConflictError()
        digests.set(batch.id, batch.digest)
      }
      return store.write(mutations, options)
    },
  }
}

/** Reads the state before the last write without its revision, which a repeated batch does not return. */
const loseRevisions = (store: Store): Partial<Store> => {
  const ids = new Set<string>()
  let previous: StoreSnapshot | undefined
  let writes = 0
  return {
    write: async (mutations, options) => {
      const isRepeated = options.batch !== undefined && ids.has(options.batch.id)
      if (!isRepeated) previous = await store.snapshot()
      await store.write(mutations, options)
      if (options.batch !== undefined) ids.add(options.batch.id)
      return { revision: isRepeated ? undefined : `${++writes}` }
    },
    read: (request, options) =>
      (options.minRevision === `${writes}` ? store : (previous ?? store)).read(request, options),
  }
}

/** Writes a batch even if its id is known. Its conditions are no longer evaluated. */
const writeAgainWithoutConditions = (store: Store): Partial<Store> => {
  const ids = new Set<string>()
  return {
    write: (mutations, options) => {
      const { batch } = options
      const isConditional = mutations.some(mutation => 'when' in mutation || 'increment' in mutation)
      if (batch === undefined || isConditional || !ids.has(batch.id)) {
        const result = store.write(mutations, options)
        if (batch !== undefined && !isConditional) ids.add(batch.id)
        return result
      }
      return store.write(mutations, { signal: undefined })
    },
  }
}

/** Stores that handle the ids of batches wrongly. */
export const batchIdSabotages: readonly Sabotage[] = [
  sabotageIds('ids that are ignored', () => undefined),
  sabotageIds('digests that are ignored', batch => ({ ...batch, digest: '' })),
  sabotageIds('ids that are kept too long', batch => ({ ...batch, keepMs: LONG_KEEP_MS })),
  sabotageIds('ids that are not kept long enough', batch => ({ ...batch, keepMs: 0 })),
  sabotageIds('ids that ignore case', batch => ({ ...batch, id: batch.id.toLowerCase() })),
  sabotageIds('ids that are cut off', batch => ({ ...batch, id: batch.id.split('\u0000')[0] ?? '' })),
  sabotageIds('batches that are known by their digests', batch => ({ ...batch, id: batch.digest })),
  sabotageIds('an empty id that is ignored', batch => (batch.id === '' ? undefined : batch)),
  sabotageModel('ids of failed batches that are kept', SECTION, keepFailedIds),
  sabotageModel('a repeated batch without its revision', SECTION, loseRevisions),
  sabotageModel('ids of plain batches that are ignored', SECTION, writeAgainWithoutConditions),
  sabotageModel('a repeated batch that is a conflict', SECTION, store => {
    const ids = new Set<string>()
    return {
      write: (mutations, options) => {
        if (options.batch !== undefined && ids.has(options.batch.id)) throw batchConflictError()
        const result = store.write(mutations, options)
        if (options.batch !== undefined) ids.add(options.batch.id)
        return result
      },
    }
  }),
  sabotageModel('a conflict of ids with an index', SECTION, store => ({
    write: (mutations, options) => {
      try {
        return store.write(mutations, options)
      } catch (error) {
        const isConflict = isGraphError(error) && error.reason === 'conflict' && error.data.path === 'id'
        throw isConflict ? conflictError(0, 'id', undefined) : error
      }
    },
  })),
  sabotageModel('a repeated batch that must still be valid', SECTION, store => ({
    write: async (mutations, options) => {
      const patch = mutations.find(({ op }) => op === 'patchNode')
      // A patch without fields fails only if its node is missing.
      if (options.batch !== undefined && patch?.op === 'patchNode')
        await store.write([{ op: 'patchNode', id: patch.id, fields: {} }], { signal: undefined })
      return store.write(mutations, options)
    },
  })),
]
