import type { EdgePosition, EdgeRange } from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual } from '../assertions.ts'
import { assertDirectionsAgree, assertPagesJoin } from '../laws.ts'
import { createEmptyModel, readModelRange, writeModel } from '../model.ts'
import { createRange, putEdge, putNodes, targetsOf } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

/** A list with equal times. Its ids would have another order as text or as doubles. */
const SOURCE = '5'
const EDGES: readonly EdgePosition[] = [
  { time: 10, target: '100' },
  { time: 20, target: '9' },
  { time: 20, target: '10' },
  { time: 20, target: '9007199254740992' },
  { time: 20, target: '9007199254740993' },
  { time: 30, target: '1' },
  { time: -40, target: '2' },
]
const MUTATIONS = [
  ...putNodes(SOURCE, ...EDGES.map(edge => edge.target)),
  ...EDGES.map(({ target, time }) => putEdge(SOURCE, 'likes', target, time, { at: time })),
]
const TARGETS_IN_ORDER = ['2', '100', '9', '10', '9007199254740992', '9007199254740993', '1']

const MISSING_POSITIONS: readonly EdgePosition[] = [
  { time: -41, target: '1' },
  { time: 10, target: '99' },
  { time: 20, target: '1' },
  { time: 20, target: '50' },
  { time: 20, target: '9223372036854775807' },
  { time: 25, target: '1' },
  { time: 25, target: '9' },
  { time: 31, target: '1' },
]
const START_POSITIONS = [undefined, ...EDGES, ...MISSING_POSITIONS]
const TIME_LIMITS = [undefined, -40, 10, 15, 20, 30, 31]
const LIMITS = [0, 1, 2, 3, 6, 7, 8]
const DIRECTIONS = ['oldest', 'newest'] as const

/**
 * A list of edges with times around 0. The time 0 is valid in an edge and as a limit, but a truthiness check
 * would treat it as missing.
 */
const EDGES_AROUND_ZERO: readonly EdgePosition[] = [-50, -1, 0, 1].map((time, index) => ({
  time,
  target: `${index + 1}`,
}))
const TIMES_AROUND_ZERO = [undefined, -50, -1, 0, 1]

/** Creates ranges with every combination of direction, position, time limits and limit. */
const createAllRanges = (
  positions: readonly (EdgePosition | undefined)[],
  times: readonly (number | undefined)[],
  limits: readonly number[],
): EdgeRange[] =>
  DIRECTIONS.flatMap(direction =>
    positions.flatMap(from =>
      times.flatMap(minTime =>
        times.flatMap(maxTime =>
          limits.map(limit =>
            createRange(SOURCE, 'likes', {
              direction,
              from,
              minTime,
              maxTime,
              limit,
              count: limit % 2 === 0,
            }),
          ),
        ),
      ),
    ),
  )

/** The numbers of ranges in the requests, used in turn. */
const READ_SIZES = [1, 2, 30, 101, 150, 300, 449, 500]
/** A prime number, so that the ranges are unsorted and each request contains ranges of every kind. */
const STRIDE = 7919

/** Reads all ranges, in requests of many sizes, and compares each result with the result of the model. */
const assertMatchesModel = async (
  store: StoreProbe,
  mutations: readonly StoreMutation[],
  ranges: readonly EdgeRange[],
): Promise<void> => {
  const model = writeModel(createEmptyModel(), mutations)
  const shuffled = ranges.flatMap((_, index) => ranges[(index * STRIDE) % ranges.length] ?? [])
  await store.write(...mutations)
  for (let start = 0, readNumber = 0; start < shuffled.length; readNumber++) {
    const size = READ_SIZES[readNumber % READ_SIZES.length] ?? 1
    const rangesOfRead = shuffled.slice(start, start + size)
    const result = await store.read({ ranges: rangesOfRead })
    rangesOfRead.forEach((range, index) => {
      const label = `range ${index} of ${rangesOfRead.length} in a read, ${JSON.stringify(range)}`
      assertEqual(result.ranges[index], readModelRange(model, range), label)
    })
    start += size
  }
}

export const describeRanges = ({ test }: StoreSuite): void => {
  const testList = (
    name: string,
    overrides: Partial<EdgeRange>,
    targets: readonly string[],
    hasMore: boolean,
  ): void => {
    test(name, async store => {
      await store.write(...MUTATIONS)
      const rangeResult = await store.readList(SOURCE, 'likes', overrides)
      assertEqual(
        { targets: targetsOf(rangeResult), hasMore: rangeResult.hasMore },
        { targets, hasMore },
        'the result',
      )
    })
  }

  testList('edges are ordered by time, then by target as a number', {}, TARGETS_IN_ORDER, false)
  testList(
    'newest first returns the exact reverse of oldest first',
    { direction: 'newest' },
    TARGETS_IN_ORDER.toReversed(),
    false,
  )
  testList(
    'a result ends at the limit, and hasMore is true if another edge follows',
    { limit: 2 },
    ['2', '100'],
    true,
  )
  testList('hasMore is false if the limit equals the number of edges', { limit: 7 }, TARGETS_IN_ORDER, false)
  testList(
    'a result begins after the position "from"',
    { from: { time: 20, target: '10' } },
    TARGETS_IN_ORDER.slice(4),
    false,
  )
  testList(
    'newest first, a result begins before the position "from"',
    { direction: 'newest', from: { time: 20, target: '10' } },
    ['9', '100', '2'],
    false,
  )
  testList(
    'a result begins after "from" even if no edge has that position',
    { from: { time: 20, target: '50' } },
    TARGETS_IN_ORDER.slice(4),
    false,
  )
  testList(
    'a result contains an edge to the target of "from" at a later time',
    { from: { time: 25, target: '1' } },
    ['1'],
    false,
  )
  testList(
    'minTime and maxTime are inclusive',
    { minTime: 10, maxTime: 20 },
    TARGETS_IN_ORDER.slice(1, 6),
    false,
  )
  testList('a range with minTime after maxTime returns no edges', { minTime: 20, maxTime: 10 }, [], false)
  testList(
    'hasMore is false if all further edges are after maxTime',
    { maxTime: 10, limit: 2 },
    ['2', '100'],
    false,
  )

  test('lastExamined is the position of the last entry, from which the next range continues', async store => {
    await store.write(...MUTATIONS)
    const first = await store.readList(SOURCE, 'likes', { limit: 3 })
    assertEqual(first.lastExamined, { time: 20, target: '9' }, 'lastExamined')
    const remaining = await store.readList(SOURCE, 'likes', { from: first.lastExamined })
    assertEqual(targetsOf(remaining), TARGETS_IN_ORDER.slice(3), 'the rest of the list')
  })

  test('a range of any direction, position, times and limit returns the result of a scan of all edges', store =>
    assertMatchesModel(store, MUTATIONS, createAllRanges(START_POSITIONS, TIME_LIMITS, LIMITS)))

  test('0 and negative numbers are valid as times of edges, and as minTime and maxTime', store =>
    assertMatchesModel(
      store,
      [
        ...putNodes(SOURCE, ...EDGES_AROUND_ZERO.map(edge => edge.target)),
        ...EDGES_AROUND_ZERO.map(({ target, time }) => putEdge(SOURCE, 'likes', target, time)),
      ],
      createAllRanges([undefined, ...EDGES_AROUND_ZERO], TIMES_AROUND_ZERO, [2, 5]),
    ))

  test('pages of any limit together contain the whole list, in either direction', async store => {
    await store.write(...MUTATIONS)
    for (const limit of [1, 2, 3, 7, 8]) {
      for (const direction of DIRECTIONS)
        await assertPagesJoin(store, { source: SOURCE, name: 'likes', direction, limit })
      await assertDirectionsAgree(store, { source: SOURCE, name: 'likes', limit })
    }
  })
}
