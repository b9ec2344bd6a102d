import type { EdgePosition, EdgeRange, Mutation } from '../../store/contract.ts'
import { assertEqual } from '../assertions.ts'
import { assertMirrored, assertPagesJoin } from '../laws.ts'
import { answerRange, emptyModel, writeModel } from '../model.ts'
import { putEdge, putNodes, rangeOf, targetsOf } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

/** A list with ties in time, whose ids are in another order as text and as doubles. */
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
const IN_ORDER = ['2', '100', '9', '10', '9007199254740992', '9007199254740993', '1']

const NOWHERE: readonly EdgePosition[] = [
  { time: -41, target: '1' },
  { time: 10, target: '99' },
  { time: 20, target: '1' },
  { time: 20, target: '50' },
  { time: 20, target: '9223372036854775807' },
  { time: 25, target: '9' },
  { time: 31, target: '1' },
]
const FROM = [undefined, ...EDGES, ...NOWHERE]
const WINDOWS = [undefined, -40, 10, 15, 20, 30, 31]
const LIMITS = [0, 1, 2, 3, 6, 7, 8]
const DIRECTIONS = ['oldest', 'newest'] as const

/** A list around 0, a time and an end of windows like any other, though a careless test takes it for none. */
const AROUND_ZERO: readonly EdgePosition[] = [-50, -1, 0, 1].map((time, index) => ({
  time,
  target: `${index + 1}`,
}))
const TIMES_AROUND_ZERO = [undefined, -50, -1, 0, 1]

/** Every direction × position × window × limit. */
const everyRange = (
  positions: readonly (EdgePosition | undefined)[],
  times: readonly (number | undefined)[],
  limits: readonly number[],
): EdgeRange[] =>
  DIRECTIONS.flatMap(direction =>
    positions.flatMap(from =>
      times.flatMap(minTime =>
        times.flatMap(maxTime =>
          limits.map(limit =>
            rangeOf(SOURCE, 'likes', { direction, from, minTime, maxTime, limit, count: limit % 2 === 0 }),
          ),
        ),
      ),
    ),
  )

/** How many ranges the waves ask, in turn. */
const WAVE_SIZES = [1, 2, 30, 101, 150, 300, 449, 500]
/** A prime: the ranges come in no order, so that each wave has some of every kind. */
const STRIDE = 7919

/** Asks all ranges, in waves of many sizes, and compares each slice with what a scan of the model finds. */
const assertScanned = async (
  store: StoreProbe,
  mutations: readonly Mutation[],
  ranges: readonly EdgeRange[],
): Promise<void> => {
  const model = writeModel(emptyModel(), mutations)
  const mixed = ranges.flatMap((_, index) => ranges[(index * STRIDE) % ranges.length] ?? [])
  await store.write(...mutations)
  for (let start = 0, turn = 0; start < mixed.length; turn++) {
    const size = WAVE_SIZES[turn % WAVE_SIZES.length] ?? 1
    const wave = mixed.slice(start, start + size)
    const answer = await store.read({ ranges: wave })
    wave.forEach((range, index) => {
      const about = `place ${index} of ${wave.length} in a wave, the range ${JSON.stringify(range)}`
      assertEqual(answer.ranges[index], answerRange(model, range), about)
    })
    start += size
  }
}

export const describeRanges = ({ test }: StoreSuite): void => {
  const listed = (
    name: string,
    asked: Partial<EdgeRange>,
    targets: readonly string[],
    more: boolean,
  ): void => {
    test(name, async store => {
      await store.write(...MUTATIONS)
      const slice = await store.list(SOURCE, 'likes', asked)
      assertEqual({ targets: targetsOf(slice), more: slice.more }, { targets, more }, 'the slice')
    })
  }

  listed('order is by time, then by target as a number', {}, IN_ORDER, false)
  listed('newest first is the exact mirror', { direction: 'newest' }, IN_ORDER.toReversed(), false)
  listed('limit ends a slice, and more says that there is another edge', { limit: 2 }, ['2', '100'], true)
  listed('a limit that just fits has no more', { limit: 7 }, IN_ORDER, false)
  listed('a slice begins behind its position', { from: { time: 20, target: '10' } }, IN_ORDER.slice(4), false)
  listed(
    'newest first, it begins in front of it',
    { direction: 'newest', from: { time: 20, target: '10' } },
    ['9', '100', '2'],
    false,
  )
  listed(
    'the edge of a position need not exist',
    { from: { time: 20, target: '50' } },
    IN_ORDER.slice(4),
    false,
  )
  listed('a window includes both its ends', { minTime: 10, maxTime: 20 }, IN_ORDER.slice(1, 6), false)
  listed('an empty window is an empty slice', { minTime: 20, maxTime: 10 }, [], false)
  listed('more looks no further than the window', { maxTime: 10, limit: 2 }, ['2', '100'], false)

  test('end is the position of the last entry, from which the next slice goes on', async store => {
    await store.write(...MUTATIONS)
    const first = await store.list(SOURCE, 'likes', { limit: 3 })
    assertEqual(first.end, { time: 20, target: '9' }, 'the end')
    const rest = await store.list(SOURCE, 'likes', { from: first.end })
    assertEqual(targetsOf(rest), IN_ORDER.slice(3), 'the rest of the list')
  })

  test('every direction × position × window × limit answers what a scan of all edges does', store =>
    assertScanned(store, MUTATIONS, everyRange(FROM, WINDOWS, LIMITS)))

  test('0 and what is below it are times, and ends of windows, like all others', store =>
    assertScanned(
      store,
      [
        ...putNodes(SOURCE, ...AROUND_ZERO.map(edge => edge.target)),
        ...AROUND_ZERO.map(({ target, time }) => putEdge(SOURCE, 'likes', target, time)),
      ],
      everyRange([undefined, ...AROUND_ZERO], TIMES_AROUND_ZERO, [2, 5]),
    ))

  test('pages join and directions mirror each other, whatever the limit', async store => {
    await store.write(...MUTATIONS)
    for (const limit of [1, 2, 3, 7, 8]) {
      for (const direction of DIRECTIONS)
        await assertPagesJoin(store, { source: SOURCE, name: 'likes', direction, limit })
      await assertMirrored(store, { source: SOURCE, name: 'likes', limit })
    }
  })
}
