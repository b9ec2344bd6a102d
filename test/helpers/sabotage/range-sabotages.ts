import { compareIds } from '../../../src/base/ids.ts'
import type { EdgePosition, EdgeRange, EdgeSlice } from '../../../src/store/contract.ts'
import { answerRange, answerWave, applyMutation, type Model } from '../../../src/testing/model.ts'
import { modelStoreOf } from '../../../src/testing/model-store.ts'
import type { Sabotage } from './sabotage.ts'

type RangeAnswer = (model: Model, range: EdgeRange) => EdgeSlice

const sabotage = (name: string, section: string, answer: RangeAnswer): Sabotage => ({
  name,
  section,
  create: () =>
    modelStoreOf({
      apply: applyMutation,
      answer: (model, wave) => ({
        ...answerWave(model, wave),
        ranges: wave.ranges.map(range => answer(model, range)),
      }),
    }),
})

const inOrder = (name: string, compare: (a: EdgePosition, b: EdgePosition) => number): Sabotage =>
  sabotage(name, 'ranges', (model, range) => answerRange(model, range, compare))

/** A store that takes a range of a wave for another, by its place. */
const inPlace = (
  name: string,
  replace: (range: EdgeRange, place: number, length: number) => EdgeRange,
): Sabotage => ({
  name,
  section: 'ranges',
  create: () =>
    modelStoreOf({
      apply: applyMutation,
      answer: (model, wave) => {
        const ranges = wave.ranges.map((range, place) => replace(range, place, wave.ranges.length))
        return answerWave(model, { ...wave, ranges })
      },
    }),
})

const unlessNegative = (time: number | undefined): number | undefined =>
  time !== undefined && time < 0 ? undefined : time

/** The position that makes an exclusive walk include the edge at `from`. */
const including = ({ direction, from }: EdgeRange): EdgePosition | undefined =>
  from && { ...from, target: `${BigInt(from.target) + (direction === 'newest' ? 1n : -1n)}` }

const isPlaceOfEdge = (model: Model, { source, name, from }: EdgeRange): boolean =>
  model.edges.some(
    edge =>
      edge.source === source && edge.name === name && edge.time === from?.time && edge.target === from.target,
  )

/** Stores that walk edge lists wrongly. */
export const rangeSabotages: readonly Sabotage[] = [
  inOrder('edges of one time in the order they were written', (a, b) => a.time - b.time),
  inOrder(
    'ids compared as text',
    (a, b) => a.time - b.time || (a.target < b.target ? -1 : a.target > b.target ? 1 : 0),
  ),
  inOrder('ids compared as doubles', (a, b) => a.time - b.time || Number(a.target) - Number(b.target)),
  inOrder('times compared as text', (a, b) =>
    a.time === b.time ? compareIds(a.target, b.target) : `${a.time}` < `${b.time}` ? -1 : 1,
  ),
  sabotage('newest first that is no mirror where times tie', 'ranges', (model, range) =>
    answerRange(
      model,
      range,
      (a, b) => a.time - b.time || compareIds(a.target, b.target) * (range.direction === 'newest' ? -1 : 1),
    ),
  ),
  sabotage('a position that is included', 'ranges', (model, range) =>
    answerRange(model, { ...range, from: including(range) }),
  ),
  sabotage('a position without an edge that starts anew', 'ranges', (model, range) =>
    answerRange(model, { ...range, from: isPlaceOfEdge(model, range) ? range.from : undefined }),
  ),
  sabotage('a time window without its ends', 'ranges', (model, { minTime, maxTime, ...range }) =>
    answerRange(model, {
      ...range,
      minTime: minTime === undefined ? undefined : minTime + 1,
      maxTime: maxTime === undefined ? undefined : maxTime - 1,
    }),
  ),
  sabotage('a minTime of 0 that is none', 'ranges', (model, range) =>
    answerRange(model, { ...range, minTime: range.minTime || undefined }),
  ),
  sabotage('a maxTime of 0 that is none', 'ranges', (model, range) =>
    answerRange(model, { ...range, maxTime: range.maxTime || undefined }),
  ),
  sabotage('a minTime below 0 that is none', 'ranges', (model, range) =>
    answerRange(model, { ...range, minTime: unlessNegative(range.minTime) }),
  ),
  sabotage('a maxTime of -1 that is none', 'ranges', (model, range) =>
    answerRange(model, { ...range, maxTime: range.maxTime === -1 ? undefined : range.maxTime }),
  ),
  sabotage('a position at time 0 that is none', 'ranges', (model, range) =>
    answerRange(model, { ...range, from: range.from?.time ? range.from : undefined }),
  ),
  inPlace('positions that are forgotten behind the 100th range of a wave', (range, place, length) =>
    place < 100 || length >= 450 ? range : { ...range, from: undefined },
  ),
  sabotage('a limit that is ignored', 'ranges', (model, range) =>
    answerRange(model, { ...range, limit: Number.POSITIVE_INFINITY }),
  ),
  sabotage('a limit off by one', 'ranges', (model, range) =>
    answerRange(model, { ...range, limit: range.limit + 1 }),
  ),
  sabotage('more wherever the limit is reached', 'ranges', (model, range) => {
    const slice = answerRange(model, range)
    return { ...slice, more: range.limit > 0 && slice.entries.length === range.limit }
  }),
  sabotage('more that looks beyond the window', 'ranges', (model, range) => ({
    ...answerRange(model, range),
    more: answerRange(model, { ...range, minTime: undefined, maxTime: undefined }).more,
  })),
  sabotage('an end that is the beginning', 'ranges', (model, range) => {
    const slice = answerRange(model, range)
    const first = slice.entries[0]
    return { ...slice, end: first && { time: first.time, target: first.target } }
  }),
  sabotage('a count of what is left to walk', 'counts', (model, range) => ({
    ...answerRange(model, range),
    total: answerRange(model, { ...range, limit: Number.POSITIVE_INFINITY }).entries.length,
  })),
  sabotage('lists that are cut off at 5,000 edges', 'long lists', (model, range) => {
    const slice = answerRange(model, range)
    return { ...slice, entries: slice.entries.slice(0, 5000) }
  }),
]
