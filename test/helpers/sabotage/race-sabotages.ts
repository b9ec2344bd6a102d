import type { EdgeKey, Store, StoreSnapshot } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { applyMutation, readModel } from '../../../src/testing/model.ts'
import { createModelStore, createModelStoreWith } from '../../../src/testing/model-store.ts'
import { type Sabotage, sabotageModel, yieldToOthers } from './sabotage.ts'

const READ_OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
const EMPTY_REQUEST = { nodes: [], ranges: [], checks: [], tokens: [] }

/** Writes a batch in parts, and lets readers run between them. */
const writeInSteps =
  (store: Store, size: number): Store['write'] =>
  async (mutations, options) => {
    for (let start = 0; start < mutations.length; start += size) {
      if (start > 0) await yieldToOthers()
      await store.write(mutations.slice(start, start + size), options)
    }
    return { revision: undefined }
  }

/** Replaces a patch by a read and a later put, as code without patches would. */
const loseUpdates = (store: Store): Store['write'] => {
  const merged = async (mutation: StoreMutation): Promise<StoreMutation> => {
    if (mutation.op !== 'patchNode') return mutation
    const { nodes } = await store.read({ ...EMPTY_REQUEST, nodes: [mutation.id] }, READ_OPTIONS)
    await yieldToOthers()
    const node = nodes[0]
    return node === undefined
      ? mutation
      : { op: 'putNode', node: { ...node, fields: { ...node.fields, ...mutation.fields } } }
  }
  return async (mutations, options) => store.write(await Promise.all(mutations.map(merged)), options)
}

/** Checks that both nodes of an edge exist, waits, and writes the edge even if one no longer exists. */
const createUncheckedStore = (): Store => {
  const checked = createModelStore()
  const store = createModelStoreWith({
    apply: (model, mutation, index) => {
      if (mutation.op === 'putEdge') model.edges.push(mutation.edge)
      else applyMutation(model, mutation, index)
    },
    read: readModel,
  })
  return delegateStore(store, {
    write: async (mutations, options) => {
      await checked.write(mutations, options)
      if (mutations.length === 1 && mutations[0]?.op === 'putEdge') await yieldToOthers()
      return store.write(mutations, options)
    },
  })
}

const keyOf = ({ source, name }: Pick<EdgeKey, 'source' | 'name'>): string => JSON.stringify([source, name])

/** Subtracts a deleted edge from the count once for each writer that saw it. */
const discountTwice = (store: Store): Partial<Store> => {
  const discounts = new Map<string, number>()
  const has = async (edge: EdgeKey): Promise<boolean> =>
    (await store.read({ ...EMPTY_REQUEST, checks: [edge] }, READ_OPTIONS)).checks[0] === true
  return {
    write: async (mutations, options) => {
      const mutation = mutations.length === 1 ? mutations[0] : undefined
      if (mutation?.op === 'deleteEdge' && (await has(mutation.edge))) {
        await yieldToOthers()
        const key = keyOf(mutation.edge)
        if (!(await has(mutation.edge))) discounts.set(key, (discounts.get(key) ?? 0) + 1)
      }
      return store.write(mutations, options)
    },
    read: async (request, options) => {
      const result = await store.read(request, options)
      const ranges = result.ranges.map((rangeResult, index) => {
        const range = request.ranges[index]
        if (range === undefined || rangeResult.total === undefined) return rangeResult
        return { ...rangeResult, total: rangeResult.total - (discounts.get(keyOf(range)) ?? 0) }
      })
      return { ...result, ranges }
    },
  }
}

/** Updates counts a moment after the entries. */
const delayCounts = (store: Store): Partial<Store> => {
  let before: StoreSnapshot | undefined
  return {
    write: async (mutations, options) => {
      before = await store.snapshot()
      try {
        const written = await store.write(mutations, options)
        await yieldToOthers()
        return written
      } finally {
        before = undefined
      }
    },
    read: async (request, options) => {
      const counted = (await before?.read(request, options))?.ranges
      const result = await store.read(request, options)
      const ranges = result.ranges.map((rangeResult, index) => ({
        ...rangeResult,
        total: counted === undefined ? rangeResult.total : counted[index]?.total,
      }))
      return { ...result, ranges }
    },
  }
}

/** Stores that are wrong if several clients write at once, or if one client reads while another writes. */
export const raceSabotages: readonly Sabotage[] = [
  sabotageModel('a batch that readers see partly written', 'concurrency', store => ({
    write: writeInSteps(store, 1),
  })),
  sabotageModel('concurrent patches that lose fields', 'concurrency', store => ({
    write: loseUpdates(store),
  })),
  sabotageModel('a patch that restores a node after its concurrent deletion', 'races', store => ({
    write: loseUpdates(store),
  })),
  sabotageModel('a batch of more than 100 mutations that readers see partly written', 'races', store => ({
    write: writeInSteps(store, 100),
  })),
  {
    name: 'an edge that remains after the concurrent deletion of its target',
    section: 'races',
    create: createUncheckedStore,
  },
  sabotageModel('concurrent deletions of an edge that reduce the count twice', 'races', discountTwice),
  sabotageModel('counts that are updated after the entries', 'races', delayCounts),
]
