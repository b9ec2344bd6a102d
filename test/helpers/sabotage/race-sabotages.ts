import type { EdgeTest, Mutation, Store, StoreSnapshot } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { answerWave, applyMutation } from '../../../src/testing/model.ts'
import { createModelStore, modelStoreOf } from '../../../src/testing/model-store.ts'
import { type Sabotage, sabotageModel, turn } from './sabotage.ts'

const READ = { signal: undefined, deadline: undefined, atLeast: undefined }
const NOTHING = { nodes: [], ranges: [], tests: [], tokens: [] }

/** Shows each part of a batch before the next is written. */
const writeInTurns =
  (store: Store, size: number): Store['write'] =>
  async (mutations, options) => {
    for (let start = 0; start < mutations.length; start += size) {
      if (start > 0) await turn()
      await store.write(mutations.slice(start, start + size), options)
    }
    return { version: undefined }
  }

/** Reads, waits and writes back, as a patch in the calling code would. */
const lostUpdates = (store: Store): Store['write'] => {
  const merged = async (mutation: Mutation): Promise<Mutation> => {
    if (mutation.op !== 'patchNode') return mutation
    const { nodes } = await store.read({ ...NOTHING, nodes: [mutation.id] }, READ)
    await turn()
    const node = nodes[0]
    return node === undefined
      ? mutation
      : { op: 'putNode', node: { ...node, fields: { ...node.fields, ...mutation.fields } } }
  }
  return async (mutations, options) => store.write(await Promise.all(mutations.map(merged)), options)
}

/** Sees that both ends are there, waits, and writes the edge whether or not they still are. */
const createCarelessStore = (): Store => {
  const checked = createModelStore()
  const store = modelStoreOf({
    apply: (model, mutation, index) => {
      if (mutation.op === 'putEdge') model.edges.push(mutation.edge)
      else applyMutation(model, mutation, index)
    },
    answer: answerWave,
  })
  return delegateStore(store, {
    write: async (mutations, options) => {
      await checked.write(mutations, options)
      if (mutations.length === 1 && mutations[0]?.op === 'putEdge') await turn()
      return store.write(mutations, options)
    },
  })
}

const keyOf = ({ source, name }: Pick<EdgeTest, 'source' | 'name'>): string => JSON.stringify([source, name])

/** Discounts an edge for each who saw it before it was deleted. */
const discountedTwice = (store: Store): Partial<Store> => {
  const discounts = new Map<string, number>()
  const has = async (edge: EdgeTest): Promise<boolean> =>
    (await store.read({ ...NOTHING, tests: [edge] }, READ)).tests[0] === true
  return {
    write: async (mutations, options) => {
      const mutation = mutations.length === 1 ? mutations[0] : undefined
      if (mutation?.op === 'deleteEdge' && (await has(mutation.edge))) {
        await turn()
        const key = keyOf(mutation.edge)
        if (!(await has(mutation.edge))) discounts.set(key, (discounts.get(key) ?? 0) + 1)
      }
      return store.write(mutations, options)
    },
    read: async (wave, options) => {
      const answer = await store.read(wave, options)
      const ranges = answer.ranges.map((slice, index) => {
        const range = wave.ranges[index]
        if (range === undefined || slice.total === undefined) return slice
        return { ...slice, total: slice.total - (discounts.get(keyOf(range)) ?? 0) }
      })
      return { ...answer, ranges }
    },
  }
}

/** Counts are written a moment after the entries. */
const lateCounts = (store: Store): Partial<Store> => {
  let before: StoreSnapshot | undefined
  return {
    write: async (mutations, options) => {
      before = await store.snapshot()
      try {
        const written = await store.write(mutations, options)
        await turn()
        return written
      } finally {
        before = undefined
      }
    },
    read: async (wave, options) => {
      const counted = (await before?.read(wave, options))?.ranges
      const answer = await store.read(wave, options)
      const ranges = answer.ranges.map((slice, index) => ({
        ...slice,
        total: counted === undefined ? slice.total : counted[index]?.total,
      }))
      return { ...answer, ranges }
    },
  }
}

/** Stores that are wrong where several write, or one reads while another writes. */
export const raceSabotages: readonly Sabotage[] = [
  sabotageModel('a batch that can be seen half done', 'concurrency', store => ({
    write: writeInTurns(store, 1),
  })),
  sabotageModel('patches in parallel that lose fields', 'concurrency', store => ({
    write: lostUpdates(store),
  })),
  sabotageModel('a patch that brings back a node deleted meanwhile', 'races', store => ({
    write: lostUpdates(store),
  })),
  sabotageModel('a batch of more than 100 that can be seen half done', 'races', store => ({
    write: writeInTurns(store, 100),
  })),
  {
    name: 'an edge that dangles where its target is deleted meanwhile',
    section: 'races',
    create: createCarelessStore,
  },
  sabotageModel('an edge deleted in parallel that is discounted twice', 'races', discountedTwice),
  sabotageModel('counts that follow the entries', 'races', lateCounts),
]
