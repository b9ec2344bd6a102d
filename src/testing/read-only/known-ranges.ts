import { idKindOf } from '../../base/ids.ts'
import type { EdgePosition, EdgeRange } from '../../store/contract.ts'
import { createRange } from '../records.ts'
import type { KnownList } from './known-list.ts'
import { EXTREME_IDS, pickEvenly } from './known-records.ts'

/** The number of positions, and of times, that are taken from the edges of a list. */
const SAMPLE_COUNT = 5
const MAX_RANGES = 300
/** A large prime number, so that the chosen combinations contain every part equally often. */
const STRIDE = 1_000_003
const LARGEST_TIME = 8.64e15

/**
 * Returns the positions of some edges, and positions directly before and after these without an edge. Only the store
 * orders positions with keys, so those are all positions of edges.
 */
const findStartPositions = ({ source, edges, hasKeys }: KnownList): (EdgePosition | undefined)[] => {
  if (hasKeys)
    return [
      undefined,
      ...pickEvenly(edges, 5 * SAMPLE_COUNT).map(({ time, target, key }) => ({ time, target, key })),
    ]
  const { smallest, largest } = EXTREME_IDS[idKindOf(source)]
  const positions = pickEvenly(edges, SAMPLE_COUNT).flatMap(({ time, target }) => [
    { time, target },
    { time, target: smallest },
    { time, target: largest },
    { time: time - 1, target },
    { time: time + 1, target },
  ])
  return [undefined, undefined, ...positions.filter(({ time }) => Math.abs(time) <= LARGEST_TIME)]
}

/**
 * Returns limits of times: those of some edges, directly before and after them, and around 0. Most combinations
 * of two limits exclude all edges, so many limits are undefined.
 */
const findTimes = ({ edges, hasTimes }: KnownList): (number | undefined)[] => {
  if (!hasTimes) return [undefined]
  const times = pickEvenly(edges, SAMPLE_COUNT).flatMap(({ time }) => [time - 1, time, time + 1])
  const validTimes = [...new Set([...times, 0, -1])].filter(time => Math.abs(time) <= LARGEST_TIME)
  return [...validTimes.map(() => undefined), ...validTimes]
}

const findLimits = ({ edges }: KnownList): number[] => [
  ...new Set([0, 1, 2, 3, edges.length - 1, edges.length, edges.length + 1]),
]

/** Returns one of the items, by the next digit of a number in a mixed base. */
const takeDigit = <T>(number: { value: number }, items: readonly T[]): T | undefined => {
  const item = items[number.value % items.length]
  number.value = Math.floor(number.value / items.length)
  return item
}

/** Creates ranges of a list: all combinations of direction, position, times and limit, or many of them. */
export const createRanges = (list: KnownList): EdgeRange[] => {
  const parts = { positions: findStartPositions(list), times: findTimes(list), limits: findLimits(list) }
  const total = 2 * parts.positions.length * parts.times.length ** 2 * parts.limits.length
  const count = Math.min(total, MAX_RANGES)
  return Array.from({ length: count }, (_, index) => {
    const number = { value: (index * STRIDE) % total }
    return createRange(list.source, list.name, {
      limit: takeDigit(number, parts.limits) ?? 0,
      direction: takeDigit(number, ['oldest', 'newest'] as const) ?? 'oldest',
      from: takeDigit(number, parts.positions),
      minTime: takeDigit(number, parts.times),
      maxTime: takeDigit(number, parts.times),
      count: index % 2 === 0,
    })
  })
}
