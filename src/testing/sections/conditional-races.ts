import { isGraphError } from '../../base/errors.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual } from '../assertions.ts'
import {
  createRange,
  deleteEdge,
  incrementNode,
  patchNode,
  putEdge,
  putNode,
  putNodes,
  withCondition,
  withMirror,
} from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

const MAX_INCREMENTS = 1000
const MAX_RIVALS = 100

const createList = <T>(length: number, create: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => create(index))

/** Starts all writes at once. Returns the indexes of those that succeed; the others must be conflicts. */
const race = async (
  store: StoreProbe,
  batches: readonly (StoreMutation | readonly StoreMutation[])[],
): Promise<number[]> => {
  const succeeded: number[] = []
  const writes = batches.map(async (batch, index) => {
    try {
      await store.write(...[batch].flat())
      succeeded.push(index)
    } catch (error) {
      if (!isGraphError(error) || error.reason !== 'conflict') throw error
    }
  })
  await Promise.all(writes)
  return succeeded
}

/** Asserts that exactly one of the batches succeeds, and returns its index. */
const assertOneSucceeds = async (
  store: StoreProbe,
  batches: readonly (StoreMutation | readonly StoreMutation[])[],
  label: string,
): Promise<number> => {
  const [winner, ...others] = await race(store, batches)
  assertEqual(others, [], `the writes that succeed after the first: ${label}`)
  if (winner === undefined) throw new Error(`expected one write to succeed: ${label}`)
  // The next read has the revision of a write after all others.
  await store.write(putNode('9999'))
  return winner
}

export const describeConditionalRaces = (suite: StoreSuite): void => {
  describeCounters(suite)
  describeRivals(suite)
}

/** The numbers of concurrent writes grow with `runs`, so that the tests of a slow store can be short. */
const describeCounters = ({ conditionalTest, runs }: StoreSuite): void => {
  const incrementCount = Math.min(20 * runs, MAX_INCREMENTS)

  conditionalTest(`${incrementCount} concurrent increments add ${incrementCount}`, async store => {
    await store.write(putNode('1', { name: 'Ada' }))
    const patches = createList(5, index => patchNode('1', { [`field_${index}`]: index }))
    const increments = createList(incrementCount, () => incrementNode('1', 'visits', 1))
    await Promise.all([...increments, ...patches].map(mutation => store.write(mutation)))
    await store.write(putNode('9999'))
    const fields = { name: 'Ada', field_0: 0, field_1: 1, field_2: 2, field_3: 3, field_4: 4 }
    assertEqual((await store.readNode('1'))?.fields, { ...fields, visits: incrementCount }, 'the fields')
  })

  conditionalTest('a batch that is sent many times at once with its id is written once', async store => {
    await store.write(putNode('1'))
    const keepMs = 60_000
    const batches = createList(3, index => ({ id: `batch ${index}`, digest: `${index}`, keepMs }))
    const sent = createList(8, () => batches).flat()
    await Promise.all(sent.map(batch => store.writeOnce(batch, incrementNode('1', 'visits', 1))))
    await store.write(putNode('9999'))
    assertEqual((await store.readNode('1'))?.fields, { visits: batches.length }, 'the fields')
  })
}

const describeRivals = ({ conditionalTest, runs }: StoreSuite): void => {
  const rivalCount = Math.min(5 * runs, MAX_RIVALS)

  conditionalTest(
    `of ${rivalCount} concurrent puts of a missing node or edge, exactly one succeeds`,
    async store => {
      const ifMissing = { exists: false }
      const puts = createList(rivalCount, index => withCondition(putNode('1', { index }), ifMissing))
      const index = await assertOneSucceeds(store, puts, 'puts of a node')
      assertEqual((await store.readNode('1'))?.fields, { index }, 'the node')
      await store.write(putNode('2'))
      const edges = createList(rivalCount, time => withCondition(putEdge('1', 'likes', '2', time), ifMissing))
      const winner = await assertOneSucceeds(store, edges, 'puts of an edge')
      const { entries, total } = await store.readList('1', 'likes')
      assertEqual([entries.map(({ time }) => time), total], [[winner], 1], 'the list and its count')
    },
  )

  conditionalTest(
    `of ${rivalCount} concurrent batches that put a node and its first edge, exactly one succeeds`,
    async store => {
      await store.write(putNode('2'))
      const batches = createList(rivalCount, time => [
        putNode('1', { time }),
        withCondition(putEdge('1', 'likes', '2', time), { exists: false }),
      ])
      const winner = await assertOneSucceeds(store, batches, 'puts of a node and its first edge')
      assertEqual((await store.readNode('1'))?.fields, { time: winner }, 'the node')
    },
  )

  conditionalTest(
    `of ${rivalCount} concurrent puts of a missing symmetric edge from both of its sides, exactly one succeeds`,
    async store => {
      await store.write(...putNodes('9', '10'))
      const puts = createList(rivalCount, time => {
        const [source, target] = time % 2 === 0 ? (['9', '10'] as const) : (['10', '9'] as const)
        return withCondition(withMirror(putEdge(source, 'friends', target, time), 'friends'), {
          exists: false,
        })
      })
      const time = await assertOneSucceeds(store, puts, 'puts of an edge')
      const { ranges } = await store.read({ ranges: ['9', '10'].map(id => createRange(id, 'friends')) })
      const sides = ranges.map(({ entries, total }) => [entries.map(entry => entry.time), total])
      assertEqual(
        sides,
        [
          [[time], 1],
          [[time], 1],
        ],
        'the lists of both sides and their counts',
      )
    },
  )

  conditionalTest(
    'of concurrent patches and deletions of an unchanged record, exactly one succeeds',
    async store => {
      await store.write(
        putNode('1', { version: 1 }),
        putNode('2'),
        putEdge('1', 'likes', '2', 1, { version: 1 }),
      )
      const ifUnchanged = { fields: { version: 1 } }
      const patches = createList(20, index =>
        withCondition(patchNode('1', { version: 2, index }), ifUnchanged),
      )
      const index = await assertOneSucceeds(store, patches, 'patches of a node')
      assertEqual((await store.readNode('1'))?.fields, { version: 2, index }, 'the node')
      const deletions = createList(20, () => withCondition(deleteEdge('1', 'likes', '2'), ifUnchanged))
      await assertOneSucceeds(store, deletions, 'deletions of an edge')
      assertEqual((await store.readList('1', 'likes')).total, 0, 'the count')
    },
  )
}
