import type { EdgeRange, EdgeRecord, EdgeSlice, EdgeTest, NodeRecord } from '../../../src/store/contract.ts'
import { comparePositions } from '../../../src/store/order.ts'
import { answerRange, answerWave, applyMutation, type Model } from '../../../src/testing/model.ts'
import { type ModelBehaviour, modelStoreOf } from '../../../src/testing/model-store.ts'
import type { Sabotage } from './sabotage.ts'

const sabotage = (name: string, behave: () => Partial<ModelBehaviour>): Sabotage => ({
  name,
  section: 'hubs',
  create: () => modelStoreOf({ apply: applyMutation, answer: answerWave, ...behave() }),
})

const listOf = ({ edges }: Model, { source, name }: Omit<EdgeTest, 'target'>): EdgeRecord[] =>
  edges.filter(edge => edge.source === source && edge.name === name)

const isSame = (a: EdgeTest, b: EdgeTest): boolean =>
  a.source === b.source && a.name === b.name && a.target === b.target

const answering = (
  name: string,
  answer: (model: Model, range: EdgeRange, length: number) => EdgeSlice,
): Sabotage =>
  sabotage(name, () => ({
    answer: (model, wave) => ({
      ...answerWave(model, wave),
      ranges: wave.ranges.map(range => answer(model, range, listOf(model, range).length)),
    }),
  }))

/** Leaves what stands behind the first so many of the edges of a node deleted, in the end at which it is `found`. */
const deleting = (name: string, most: number, found: (edge: EdgeRecord, id: string) => boolean): Sabotage =>
  sabotage(name, () => ({
    apply: (model, mutation, index) => {
      const all = model.edges
      applyMutation(model, mutation, index)
      if (mutation.op === 'deleteNode')
        model.edges.push(...all.filter(edge => found(edge, mutation.id)).slice(most))
    },
    // Lists of a node that is not there are not answered, so that what was left comes back with it.
    answer: (model, wave) => {
      const edges = model.edges.filter(({ source }) => model.nodes.has(source))
      return answerWave({ ...model, edges }, wave)
    },
  }))

/** Keeps what an entry shows from when the edge was written. */
const staleEntries = (): Partial<ModelBehaviour> => {
  const shown = new Map<string, NodeRecord>()
  const keyOf = ({ source, name, target }: EdgeTest): string => JSON.stringify([source, name, target])
  return {
    apply: (model, mutation, index) => {
      applyMutation(model, mutation, index)
      if (mutation.op !== 'putEdge') return
      const node = model.nodes.get(mutation.edge.target)
      if (node !== undefined) shown.set(keyOf(mutation.edge), node)
    },
    answer: (model, wave) => ({
      ...answerWave(model, wave),
      ranges: wave.ranges.map(range => {
        const slice = answerRange(model, range)
        if (listOf(model, range).length <= 50) return slice
        const entries = slice.entries.map(entry => ({
          ...entry,
          node: shown.get(keyOf({ ...range, target: entry.target })) ?? entry.node,
        }))
        return { ...slice, entries }
      }),
    }),
  }
}

const keptData = (): Partial<ModelBehaviour> => ({
  apply: (model, mutation, index) => {
    const found =
      mutation.op === 'putEdge' ? model.edges.find(edge => isSame(edge, mutation.edge)) : undefined
    applyMutation(model, mutation, index)
    if (mutation.op !== 'putEdge' || found === undefined || listOf(model, found).length <= 32) return
    model.edges = model.edges.map(edge => (isSame(edge, found) ? { ...edge, data: found.data } : edge))
  },
})

/** Stores that are right until a node has many edges. */
export const hubSabotages: readonly Sabotage[] = [
  deleting('a deletion that ends after 1,000 edges to the node', 1000, (edge, id) => edge.target === id),
  deleting('a deletion that ends after 100 edges from the node', 100, (edge, id) => edge.source === id),
  sabotage('tests that look at the newest 1,000 edges of a list', () => ({
    answer: (model, wave) => ({
      ...answerWave(model, wave),
      tests: wave.tests.map(test =>
        listOf(model, test)
          .sort(comparePositions)
          .slice(-1000)
          .some(edge => edge.target === test.target),
      ),
    }),
  })),
  answering('a window that is ignored in lists of more than 100', (model, range, length) =>
    answerRange(model, length > 100 ? { ...range, minTime: undefined, maxTime: undefined } : range),
  ),
  answering('a position at the largest id that is the smallest, newest first', (model, range, length) => {
    const { from, direction } = range
    const isLargest = direction === 'newest' && from?.target === '9223372036854775807' && length > 8
    return answerRange(model, isLargest ? { ...range, from: { ...from, target: '1' } } : range)
  }),
  answering('data that is lost in lists of more than 100', (model, range, length) => {
    const slice = answerRange(model, range)
    if (length <= 100) return slice
    return { ...slice, entries: slice.entries.map(entry => ({ ...entry, data: undefined })) }
  }),
  sabotage('entries that show the node of when they were written, in lists of more than 50', staleEntries),
  sabotage('data that stays when an edge is put again, in lists of more than 32', keptData),
]
