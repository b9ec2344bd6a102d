import { compareIds } from '../../../src/base/ids.ts'
import type { EdgePosition, EdgeRange, RangeResult } from '../../../src/store/contract.ts'
import { applyMutation, type Model, readModel, readModelRange } from '../../../src/testing/model.ts'
import { createModelStoreWith } from '../../../src/testing/model-store.ts'
import type { Sabotage } from './sabotage.ts'

type RangeReader = (model: Model, range: EdgeRange) => RangeResult

const createRangeSabotage = (name: string, section: string, result: RangeReader): Sabotage => ({
  name,
  section,
  create: () =>
    createModelStoreWith({
      apply: applyMutation,
      read: (model, request) => ({
        ...readModel(model, request),
        ranges: request.ranges.map(range => result(model, range)),
      }),
    }),
})

const sabotageOrder = (name: string, compare: (a: EdgePosition, b: EdgePosition) => number): Sabotage =>
  createRangeSabotage(name, 'ranges', (model, range) => readModelRange(model, range, compare))

/** Creates a store that replaces ranges of a read request, depending on their index. */
const sabotageRangeAt = (
  name: string,
  replace: (range: EdgeRange, index: number, length: number) => EdgeRange,
): Sabotage => ({
  name,
  section: 'ranges',
  create: () =>
    createModelStoreWith({
      apply: applyMutation,
      read: (model, request) => {
        const ranges = request.ranges.map((range, index) => replace(range, index, request.ranges.length))
        return readModel(model, { ...request, ranges })
      },
    }),
})

const unlessNegative = (time: number | undefined): number | undefined =>
  time !== undefined && time < 0 ? undefined : time

/** Returns the position that makes an exclusive range include the edge at `from`. */
const includeStart = ({ direction, from }: EdgeRange): EdgePosition | undefined =>
  from && { ...from, target: `${BigInt(from.target) + (direction === 'newest' ? 1n : -1n)}` }

const isPositionOfEdge = (model: Model, { source, name, from }: EdgeRange): boolean =>
  model.edges.some(
    edge =>
      edge.source === source && edge.name === name && edge.time === from?.time && edge.target === from.target,
  )

/** Stores that read edge lists wrongly. */
export const rangeSabotages: readonly Sabotage[] = [
  sabotageOrder('edges with equal times in the order of their writes', (a, b) => a.time - b.time),
  sabotageOrder(
    'ids compared as text',
    (a, b) => a.time - b.time || (a.target < b.target ? -1 : a.target > b.target ? 1 : 0),
  ),
  sabotageOrder('ids compared as doubles', (a, b) => a.time - b.time || Number(a.target) - Number(b.target)),
  sabotageOrder('times compared as text', (a, b) =>
    a.time === b.time ? compareIds(a.target, b.target) : `${a.time}` < `${b.time}` ? -1 : 1,
  ),
  createRangeSabotage('newest first without reversing edges with equal times', 'ranges', (model, range) =>
    readModelRange(
      model,
      range,
      (a, b) => a.time - b.time || compareIds(a.target, b.target) * (range.direction === 'newest' ? -1 : 1),
    ),
  ),
  createRangeSabotage('a range that includes its start position', 'ranges', (model, range) =>
    readModelRange(model, { ...range, from: includeStart(range) }),
  ),
  createRangeSabotage('a position that is ignored if it has no edge', 'ranges', (model, range) =>
    readModelRange(model, { ...range, from: isPositionOfEdge(model, range) ? range.from : undefined }),
  ),
  createRangeSabotage('time limits that are exclusive', 'ranges', (model, { minTime, maxTime, ...range }) =>
    readModelRange(model, {
      ...range,
      minTime: minTime === undefined ? undefined : minTime + 1,
      maxTime: maxTime === undefined ? undefined : maxTime - 1,
    }),
  ),
  createRangeSabotage('a minTime of 0 that is ignored', 'ranges', (model, range) =>
    readModelRange(model, { ...range, minTime: range.minTime || undefined }),
  ),
  createRangeSabotage('a maxTime of 0 that is ignored', 'ranges', (model, range) =>
    readModelRange(model, { ...range, maxTime: range.maxTime || undefined }),
  ),
  createRangeSabotage('a minTime below 0 that is ignored', 'ranges', (model, range) =>
    readModelRange(model, { ...range, minTime: unlessNegative(range.minTime) }),
  ),
  createRangeSabotage('a maxTime of -1 that is ignored', 'ranges', (model, range) =>
    readModelRange(model, { ...range, maxTime: range.maxTime === -1 ? undefined : range.maxTime }),
  ),
  createRangeSabotage('a position at time 0 that is ignored', 'ranges', (model, range) =>
    readModelRange(model, { ...range, from: range.from?.time ? range.from : undefined }),
  ),
  sabotageRangeAt(
    'positions that are ignored after the 100th range of a read request',
    (range, index, length) => (index < 100 || length >= 450 ? range : { ...range, from: undefined }),
  ),
  createRangeSabotage('a limit that is ignored', 'ranges', (model, range) =>
    readModelRange(model, { ...range, limit: Number.POSITIVE_INFINITY }),
  ),
  createRangeSabotage('a limit that is too high by one', 'ranges', (model, range) =>
    readModelRange(model, { ...range, limit: range.limit + 1 }),
  ),
  createRangeSabotage('hasMore that is true whenever the limit is reached', 'ranges', (model, range) => {
    const rangeResult = readModelRange(model, range)
    return { ...rangeResult, hasMore: range.limit > 0 && rangeResult.entries.length === range.limit }
  }),
  createRangeSabotage('hasMore that includes edges beyond the time limits', 'ranges', (model, range) => ({
    ...readModelRange(model, range),
    hasMore: readModelRange(model, { ...range, minTime: undefined, maxTime: undefined }).hasMore,
  })),
  createRangeSabotage('lastExamined that is the first entry', 'ranges', (model, range) => {
    const rangeResult = readModelRange(model, range)
    const first = rangeResult.entries[0]
    return { ...rangeResult, lastExamined: first && { time: first.time, target: first.target } }
  }),
  createRangeSabotage('a count of only the remaining edges', 'counts', (model, range) => ({
    ...readModelRange(model, range),
    total: readModelRange(model, { ...range, limit: Number.POSITIVE_INFINITY }).entries.length,
  })),
  createRangeSabotage('lists that are cut off at 5,000 edges', 'long lists', (model, range) => {
    const rangeResult = readModelRange(model, range)
    return { ...rangeResult, entries: rangeResult.entries.slice(0, 5000) }
  }),
]
