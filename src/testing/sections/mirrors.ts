import { isGraphError } from '../../base/errors.ts'
import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual, assertRejects, assertTypeError } from '../assertions.ts'
import { createRange, deleteEdge, putEdge, putNode, putNodes, withMirror } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

/** Puts the edge `wrote` from 1 to 2, and its mirror `writtenBy`. */
const putBoth = (time: number, data?: JsonObject): StoreMutation =>
  withMirror(putEdge('1', 'wrote', '2', time, data), 'writtenBy')
const deleteBoth = withMirror(deleteEdge('1', 'wrote', '2'), 'writtenBy')

type EdgeState = { readonly time: number; readonly data: JsonObject | undefined }

/** Asserts the time and data of both sides, the checks and the counts; undefined is an edge that is missing. */
const assertSides = async (
  store: StoreProbe,
  edge: EdgeState | undefined,
  mirror: EdgeState | undefined,
  label: string,
): Promise<void> => {
  const { ranges, checks } = await store.read({
    ranges: [createRange('1', 'wrote'), createRange('2', 'writtenBy')],
    checks: [
      { source: '1', name: 'wrote', target: '2' },
      { source: '2', name: 'writtenBy', target: '1' },
    ],
  })
  const sides = ranges.map(({ entries, total }, index) => ({
    edges: entries.map(({ target, time, data }) => ({ target, time, data })),
    total,
    exists: checks[index],
  }))
  const toSide = (target: NodeId, state: EdgeState | undefined) =>
    state === undefined
      ? { edges: [], total: 0, exists: false }
      : { edges: [{ target, ...state }], total: 1, exists: true }
  assertEqual(sides, [toSide('2', edge), toSide('1', mirror)], `the edge and its mirror ${label}`)
}

const WRONG_MIRRORS = [
  { source: '1', name: 'writtenBy', target: '2' },
  { source: '2', name: 'writtenBy', target: '3' },
  { source: '3', name: 'writtenBy', target: '1' },
]

const assertRejectedAt = async (
  store: StoreProbe,
  index: number,
  mutations: readonly StoreMutation[],
): Promise<void> => {
  const error = await assertRejects(() => store.write(...mutations), 'the batch')
  const data = isGraphError(error) ? { reason: error.reason, index: error.data.index } : String(error)
  assertEqual(data, { reason: 'invalid_mutation', index }, 'the error of the batch')
}

const PAIR_COUNT = 12
/** Pairs of ids, of which either the first or the second is the smaller number. */
const PAIRS = Array.from({ length: PAIR_COUNT }, (_, index): readonly [NodeId, NodeId] =>
  index % 2 === 0 ? [`${100 + index}`, `${9 + index}`] : [`${9 + index}`, `${100 + index}`],
)

/** Writes to the same mirrored edge from both of its ends. */
const createRivals = ([first, second]: readonly [NodeId, NodeId]): StoreMutation[] => [
  withMirror(putEdge(first, 'friends', second, 1, { by: first }), 'friends'),
  withMirror(deleteEdge(second, 'friends', first), 'friends'),
  withMirror(putEdge(second, 'friends', first, 2), 'friends'),
  withMirror(deleteEdge(first, 'friends', second), 'friends'),
]

const assertEqualSides = async (store: StoreProbe, label: string): Promise<void> => {
  const { ranges } = await store.read({
    ranges: PAIRS.flatMap(([first, second]) => [
      createRange(first, 'friends'),
      createRange(second, 'friends'),
    ]),
  })
  const states = ranges.map(({ entries, total }) => ({
    edges: entries.map(({ time, data }) => ({ time, data })),
    total,
  }))
  PAIRS.forEach((pair, index) => {
    assertEqual(states[2 * index + 1], states[2 * index], `both sides of ${pair.join(' and ')} ${label}`)
  })
}

export const describeMirrors = (suite: StoreSuite): void => {
  describeSides(suite)
  describeBatchesWithMirrors(suite)
  describeRivals(suite)
}

const describeSides = ({ test }: StoreSuite): void => {
  test('a put with a mirror writes both sides, with the same time and data', async store => {
    await store.write(...putNodes('1', '2'), putBoth(5, { role: 'author' }))
    const state = { time: 5, data: { role: 'author' } }
    await assertSides(store, state, state, 'after the put')
    await store.write(putBoth(7))
    const newState = { time: 7, data: undefined }
    await assertSides(store, newState, newState, 'after a second put')
  })

  test('a put with a mirror replaces a mirror with another time and data', async store => {
    await store.write(...putNodes('1', '2'), putEdge('2', 'writtenBy', '1', 3, { role: 'editor' }))
    await store.write(putBoth(5))
    const state = { time: 5, data: undefined }
    await assertSides(store, state, state, 'after the put')
  })

  test('a deletion with a mirror deletes both sides, or the side that exists', async store => {
    await store.write(...putNodes('1', '2'), putBoth(5))
    await store.write(deleteBoth)
    await assertSides(store, undefined, undefined, 'after the deletion')
    await store.write(putEdge('2', 'writtenBy', '1', 3))
    await store.write(deleteBoth, deleteBoth)
    await assertSides(store, undefined, undefined, 'after the deletion of a lone mirror')
  })

  test('an edge that is its own mirror is written once', async store => {
    await store.write(putNode('1'), withMirror(putEdge('1', 'knows', '1', 4), 'knows'))
    const { entries, total } = await store.readList('1', 'knows')
    assertEqual([entries.map(({ time }) => time), total], [[4], 1], 'the list and its count')
    await store.write(withMirror(deleteEdge('1', 'knows', '1'), 'knows'))
    assertEqual((await store.readList('1', 'knows')).total, 0, 'the count after the deletion')
  })

  test('an edge from a node to itself and its mirror of another name are two edges', async store => {
    await store.write(putNode('1'), withMirror(putEdge('1', 'follows', '1', 4), 'followers'))
    for (const name of ['follows', 'followers'])
      assertEqual((await store.readList('1', name)).total, 1, `the count of ${name}`)
    await store.write(withMirror(deleteEdge('1', 'followers', '1'), 'follows'))
    for (const name of ['follows', 'followers'])
      assertEqual((await store.readList('1', name)).total, 0, `the count of ${name} after the deletion`)
  })

  test('a mirror that is not an edge from the target to the source causes a TypeError, and nothing is written', async store => {
    await store.write(...putNodes('1', '2', '3'), putBoth(1))
    for (const mirror of WRONG_MIRRORS) {
      const edge = { source: '1', name: 'wrote', target: '2', time: 9 }
      for (const mutation of [
        { op: 'putEdge', edge, mirror },
        { op: 'deleteEdge', edge, mirror },
      ] as const)
        await assertTypeError(() => store.write(putNode('4'), mutation, putBoth(3)), 'the mirror')
    }
    const state = { time: 1, data: undefined }
    await assertSides(store, state, state, 'after the rejected batches')
    assertEqual(await store.readNode('4'), undefined, 'the node of a rejected batch')
  })
}

const describeBatchesWithMirrors = ({ test }: StoreSuite): void => {
  test('a later mutation of one side in the same batch changes only this side', async store => {
    await store.write(...putNodes('1', '2'))
    const first = { time: 1, data: undefined }
    const second = { time: 2, data: { n: 2 } }
    await store.write(putBoth(1), putEdge('2', 'writtenBy', '1', 2, { n: 2 }))
    await assertSides(store, first, second, 'after a put of both and a put of the mirror')
    await store.write(putBoth(1), deleteEdge('1', 'wrote', '2'))
    await assertSides(store, undefined, first, 'after a put of both and a deletion of the edge')
    await store.write(deleteBoth, putEdge('1', 'wrote', '2', 2, { n: 2 }))
    await assertSides(store, second, undefined, 'after a deletion of both and a put of the edge')
  })

  test('a later mutation of both sides in the same batch changes both, from either side', async store => {
    await store.write(...putNodes('1', '2'))
    const state = { time: 2, data: { n: 2 } }
    const putFromMirror = withMirror(putEdge('2', 'writtenBy', '1', 2, { n: 2 }), 'wrote')
    await store.write(putBoth(1), putEdge('1', 'wrote', '2', 9), putFromMirror)
    await assertSides(store, state, state, 'after two puts of both')
    await store.write(putBoth(1), withMirror(deleteEdge('2', 'writtenBy', '1'), 'wrote'))
    await assertSides(store, undefined, undefined, 'after a put and a deletion of both')
    await store.write(deleteBoth, putFromMirror)
    await assertSides(store, state, state, 'after a deletion and a put of both')
  })

  test('a node that is deleted after a put with a mirror in the same batch has neither side', async store => {
    await store.write(...putNodes('1', '2'), putBoth(1), { op: 'deleteNode', id: '2' }, putNode('2'))
    await assertSides(store, undefined, undefined, 'after the batch')
  })

  test('an invalid mutation among mutations with mirrors is rejected with its index in the batch', async store => {
    await store.write(...putNodes('1', '2'))
    const late = { op: 'patchNode', id: '4', fields: {} } as const
    await assertRejectedAt(store, 3, [putBoth(1), deleteBoth, putBoth(2), late])
    const putToMissing = withMirror(putEdge('1', 'wrote', '4'), 'writtenBy')
    const putFromMissing = withMirror(putEdge('4', 'wrote', '1'), 'writtenBy')
    await assertRejectedAt(store, 1, [putBoth(1), putToMissing, putBoth(2)])
    await assertRejectedAt(store, 2, [putBoth(1), putBoth(2), putFromMissing])
  })
}

const describeRivals = ({ test }: StoreSuite): void => {
  test('after concurrent puts and deletions of a mirrored edge from both of its ends, both sides are equal', async store => {
    await store.write(...putNodes(...PAIRS.flat()))
    for (const round of [0, 1, 2, 3]) {
      const rivals = PAIRS.flatMap(pair => {
        const writes = createRivals(pair)
        return [...writes.slice(round), ...writes.slice(0, round)]
      })
      await Promise.all(rivals.map(mutation => store.write(mutation)))
      await store.write(putNode('1'))
      await assertEqualSides(store, `after round ${round}`)
    }
  })
}
