import type { JsonObject } from '../../../src/base/json.ts'
import type { Store } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import { assertConditionHolds, incrementFields } from '../../../src/testing/model-conditions.ts'
import { createRange } from '../../../src/testing/records.ts'
import { type Sabotage, sabotageModel, yieldToOthers } from './sabotage.ts'

const SECTION = 'races of conditional writes'
const READ_OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }

/** Reads the fields of the node or the data of the edge of a mutation. */
const readRecord = async (store: Store, mutation: StoreMutation): Promise<JsonObject | undefined> => {
  if ('edge' in mutation) {
    const { source, name, target } = mutation.edge
    const ranges = [createRange(source, name)]
    const { entries = [] } = (await store.read({ ...EMPTY_REQUEST, ranges }, READ_OPTIONS)).ranges[0] ?? {}
    const entry = entries.find(other => other.target === target)
    return entry && (entry.data ?? {})
  }
  const id = 'node' in mutation ? mutation.node.id : 'id' in mutation ? mutation.id : ''
  return (await store.read({ ...EMPTY_REQUEST, nodes: [id] }, READ_OPTIONS)).nodes[0]?.fields
}

/** Evaluates the condition of a single mutation, lets other writers run, and writes without the condition. */
const evaluateEarly = async (
  store: Store,
  mutation: StoreMutation,
): Promise<{ revision: string | undefined }> => {
  if (!('when' in mutation)) return store.write([mutation], { signal: undefined })
  assertConditionHolds(mutation.when, await readRecord(store, mutation), 0)
  await yieldToOthers()
  return store.write([{ ...mutation, when: undefined }], { signal: undefined })
}

/** Creates a store that writes a batch of one mutation in another way. */
const sabotageSingleMutations = (
  name: string,
  matches: (mutation: StoreMutation) => boolean,
  createWrite: (store: Store) => (mutation: StoreMutation) => ReturnType<typeof evaluateEarly>,
): Sabotage =>
  sabotageModel(name, SECTION, store => {
    const write = createWrite(store)
    return {
      write: async (mutations, options) => {
        const [mutation] = mutations
        if (
          mutation === undefined ||
          mutations.length > 1 ||
          !matches(mutation) ||
          options.batch !== undefined
        )
          return store.write(mutations, options)
        return write(mutation)
      },
    }
  })

/** Creates a function that runs calls with the same key one after another. */
const createQueues = () => {
  const lastCalls = new Map<string, Promise<unknown>>()
  return <T>(key: string, run: () => Promise<T>): Promise<T> => {
    const call = (lastCalls.get(key) ?? Promise.resolve()).then(run, run)
    lastCalls.set(key, call)
    return call
  }
}

/** Reads a value, lets other writers run, and writes the sum. */
const loseIncrements =
  (store: Store) =>
  async (mutation: StoreMutation): ReturnType<typeof evaluateEarly> => {
    if (mutation.op !== 'patchNode') return store.write([mutation], { signal: undefined })
    const { increment, ...patch } = mutation
    const found = (await readRecord(store, mutation)) ?? {}
    await yieldToOthers()
    const incremented = Object.entries(incrementFields(found, increment, 0))
    const fields = Object.fromEntries(incremented.filter(([name]) => increment && name in increment))
    return store.write([{ ...patch, fields }], { signal: undefined })
  }

/** Keeps the id of a batch after the write, so that a batch that is sent again meanwhile is unknown. */
const keepIdsLate = (store: Store): Partial<Store> => {
  const pendingIds = new Set<string>()
  return {
    write: async (mutations, options) => {
      const { signal, batch } = options
      if (batch === undefined) return store.write(mutations, options)
      if (pendingIds.has(batch.id)) return store.write(mutations, { signal })
      pendingIds.add(batch.id)
      await yieldToOthers()
      pendingIds.delete(batch.id)
      return store.write(mutations, options)
    },
  }
}

/** Stores whose conditional writes are wrong only if they are concurrent. */
export const conditionalRaceSabotages: readonly Sabotage[] = [
  sabotageSingleMutations(
    'increments that are lost if they are concurrent',
    mutation => mutation.op === 'patchNode' && Object.keys(mutation.fields).length === 0,
    loseIncrements,
  ),
  sabotageSingleMutations(
    'conditions of nodes that are evaluated before the write',
    mutation => mutation.op.endsWith('Node'),
    store => mutation => evaluateEarly(store, mutation),
  ),
  sabotageSingleMutations(
    'conditions of edges that are evaluated before the write',
    mutation => mutation.op.endsWith('Edge'),
    store => mutation => evaluateEarly(store, mutation),
  ),
  sabotageSingleMutations(
    'a mirrored edge that is locked only on the named side',
    mutation => 'mirror' in mutation,
    store => {
      const runInQueue = createQueues()
      return mutation =>
        runInQueue('edge' in mutation ? mutation.edge.source : '', () => evaluateEarly(store, mutation))
    },
  ),
  sabotageModel('ids of batches that are kept after the write', SECTION, keepIdsLate),
]
