import { comparePositions } from '../../../src/store/compare-positions.ts'
import type { EdgeKey, EdgeRange, EdgeRecord, NodeRecord, RangeResult } from '../../../src/store/contract.ts'
import { applyMutation, type Model, readModel, readModelRange } from '../../../src/testing/model.ts'
import { createModelStoreWith, type ModelBehaviour } from '../../../src/testing/model-store.ts'
import type { Sabotage } from './sabotage.ts'

const createHubSabotage = (name: string, behave: () => Partial<ModelBehaviour>): Sabotage => ({
  name,
  section: 'hubs',
  create: () => createModelStoreWith({ apply: applyMutation, read: readModel, ...behave() }),
})

const listOf = ({ edges }: Model, { source, name }: Omit<EdgeKey, 'target'>): EdgeRecord[] =>
  edges.filter(edge => edge.source === source && edge.name === name)

const isSame = (a: EdgeKey, b: EdgeKey): boolean =>
  a.source === b.source && a.name === b.name && a.target === b.target

const sabotageRanges = (
  name: string,
  result: (model: Model, range: EdgeRange, length: number) => RangeResult,
): Sabotage =>
  createHubSabotage(name, () => ({
    read: (model, request) => ({
      ...readModel(model, request),
      ranges: request.ranges.map(range => result(model, range, listOf(model, range).length)),
    }),
  }))

/** Deletes a node with at most `most` of the edges that match, and keeps the others. */
const sabotageDeletion = (
  name: string,
  most: number,
  matches: (edge: EdgeRecord, id: string) => boolean,
): Sabotage =>
  createHubSabotage(name, () => ({
    apply: (model, mutation, index) => {
      const all = model.edges
      applyMutation(model, mutation, index)
      if (mutation.op === 'deleteNode')
        model.edges.push(...all.filter(edge => matches(edge, mutation.id)).slice(most))
    },
    // The lists of a missing node are empty, so its edges reappear only if the node is put again.
    read: (model, request) => {
      const edges = model.edges.filter(({ source }) => model.nodes.has(source))
      return readModel({ ...model, edges }, request)
    },
  }))

/** Returns each entry with the target node as it was when the edge was written. */
const keepStaleEntries = (): Partial<ModelBehaviour> => {
  const writtenNodes = new Map<string, NodeRecord>()
  const keyOf = ({ source, name, target }: EdgeKey): string => JSON.stringify([source, name, target])
  return {
    apply: (model, mutation, index) => {
      applyMutation(model, mutation, index)
      if (mutation.op !== 'putEdge') return
      const node = model.nodes.get(mutation.edge.target)
      if (node !== undefined) writtenNodes.set(keyOf(mutation.edge), node)
    },
    read: (model, request) => ({
      ...readModel(model, request),
      ranges: request.ranges.map(range => {
        const rangeResult = readModelRange(model, range)
        if (listOf(model, range).length <= 50) return rangeResult
        const entries = rangeResult.entries.map(entry => ({
          ...entry,
          node: writtenNodes.get(keyOf({ ...range, target: entry.target })) ?? entry.node,
        }))
        return { ...rangeResult, entries }
      }),
    }),
  }
}

const keepOldData = (): Partial<ModelBehaviour> => ({
  apply: (model, mutation, index) => {
    const found =
      mutation.op === 'putEdge' ? model.edges.find(edge => isSame(edge, mutation.edge)) : undefined
    applyMutation(model, mutation, index)
    if (mutation.op !== 'putEdge' || found === undefined || listOf(model, found).length <= 32) return
    model.edges = model.edges.map(edge => (isSame(edge, found) ? { ...edge, data: found.data } : edge))
  },
})

/** Stores that are correct until a node has many edges. */
export const hubSabotages: readonly Sabotage[] = [
  sabotageDeletion(
    'a deletion that deletes only 1,000 edges to the node',
    1000,
    (edge, id) => edge.target === id,
  ),
  sabotageDeletion(
    'a deletion that deletes only 100 edges from the node',
    100,
    (edge, id) => edge.source === id,
  ),
  createHubSabotage('checks that examine only the newest 1,000 edges of a list', () => ({
    read: (model, request) => ({
      ...readModel(model, request),
      checks: request.checks.map(key =>
        listOf(model, key)
          .sort(comparePositions)
          .slice(-1000)
          .some(edge => edge.target === key.target),
      ),
    }),
  })),
  sabotageRanges('time limits that are ignored in lists of more than 100 edges', (model, range, length) =>
    readModelRange(model, length > 100 ? { ...range, minTime: undefined, maxTime: undefined } : range),
  ),
  sabotageRanges(
    'a position at the largest id that is treated as the smallest id, newest first',
    (model, range, length) => {
      const { from, direction } = range
      const isLargest = direction === 'newest' && from?.target === '9223372036854775807' && length > 8
      return readModelRange(model, isLargest ? { ...range, from: { ...from, target: '1' } } : range)
    },
  ),
  sabotageRanges('data that is lost in lists of more than 100 edges', (model, range, length) => {
    const rangeResult = readModelRange(model, range)
    if (length <= 100) return rangeResult
    return { ...rangeResult, entries: rangeResult.entries.map(entry => ({ ...entry, data: undefined })) }
  }),
  createHubSabotage('entries with outdated nodes, in lists of more than 50 edges', keepStaleEntries),
  createHubSabotage('data that stays when an edge is put again, in lists of more than 32 edges', keepOldData),
]
