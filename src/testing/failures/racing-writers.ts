import { isGraphError } from '../../base/errors.ts'
import type { NodeId } from '../../base/ids.ts'
import type { Store } from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual } from '../assertions.ts'
import { createRange, deleteEdge, putEdge, putNode, putNodes, withMirror } from '../records.ts'
import { createRandom } from '../schedule-store.ts'
import { ReaderProbe } from '../store-probe.ts'
import type { FailureSuite, StoreInUse } from './store-in-use.ts'
import { settleWithin, sleep } from './timing.ts'

const WRITER_COUNT = 4
const BATCHES_PER_WRITER = 20
/** Few nodes, so that the writers change the same nodes and edges at the same time. */
const IDS: readonly NodeId[] = ['1', '2', '9', '10', '11', '100']
const NAMES = ['likes', 'friends']

/** Creates a random batch. `friends` are symmetric: both sides are always written together. */
const createRandomBatch = (random: () => number, time: number): StoreMutation[] => {
  const pickId = (): NodeId => IDS[Math.floor(random() * IDS.length)] ?? '1'
  const [source, target] = [pickId(), pickId()]
  const kind = Math.floor(random() * 12)
  if (kind < 4) return [withMirror(putEdge(source, 'friends', target, time, { time }), 'friends')]
  if (kind < 7) return [withMirror(deleteEdge(source, 'friends', target), 'friends')]
  if (kind < 8) return [putEdge(source, 'likes', target, time), deleteEdge(target, 'likes', source)]
  if (kind < 9) return [{ op: 'patchNode', id: source, fields: { time } }]
  if (kind < 10) return [{ op: 'deleteNode', id: source }, putNode(source)]
  if (kind < 11) return [{ op: 'deleteNode', id: source }]
  return [...putNodes(source, target), withMirror(putEdge(source, 'friends', target, time), 'friends')]
}

/** Writes a batch. Ignores that it has become invalid, because another writer deleted a node. */
const writeUnlessInvalid = async (store: Store, batch: readonly StoreMutation[]): Promise<void> => {
  try {
    await store.write(batch, { signal: undefined })
  } catch (error) {
    if (!isGraphError(error) || error.reason !== 'invalid_mutation') throw error
  }
}

/** Asserts that counts equal lists, that both sides of each symmetric edge are equal, and that ends exist. */
const assertConsistent = async (store: Store, label: string): Promise<void> => {
  const reader = new ReaderProbe(store, store.capabilities, () => 'newest')
  const ranges = NAMES.flatMap(name => IDS.map(id => createRange(id, name)))
  const result = await reader.read({ nodes: IDS, ranges })
  const existing = new Set(result.nodes.map(node => node?.id))
  const friends = new Map<string, string>()
  result.ranges.forEach(({ entries, total }, index) => {
    const { source = '', name = '' } = ranges[index] ?? {}
    assertEqual(total, entries.length, `the count of ${name} of ${source} ${label}`)
    for (const { target, time, data } of entries) {
      if (!existing.has(source) || !existing.has(target))
        assertEqual('an edge', 'no edge', `the edge ${name} from ${source} to ${target} ${label}`)
      if (name === 'friends') friends.set(`${source} ${target}`, JSON.stringify([time, data]))
    }
  })
  for (const [key, state] of friends) {
    const mirror = friends.get(key.split(' ').reverse().join(' '))
    assertEqual(mirror, state, `the other side of the symmetric edge ${key} ${label}`)
  }
}

const assertEmptyAfterDeletion = async (store: Store): Promise<void> => {
  const deletions = IDS.map((id): StoreMutation => ({ op: 'deleteNode', id }))
  await store.write(deletions, { signal: undefined })
  await store.write(putNodes(...IDS), { signal: undefined })
  const reader = new ReaderProbe(store, store.capabilities, () => 'newest')
  const ranges = NAMES.flatMap(name => IDS.map(id => createRange(id, name)))
  const results = (await reader.read({ ranges })).ranges.map(({ entries, total }) => [entries.length, total])
  assertEqual(
    results,
    ranges.map(() => [0, 0]),
    'the lists and counts of nodes that were deleted and put again',
  )
}

/** Declares the test of several writers that change the same nodes and edges at the same time. */
export const describeRacingWriters = <TStoreInUse extends StoreInUse>({
  rounds,
  timeoutMs,
  test,
}: FailureSuite<TStoreInUse>): void => {
  const law =
    'every call ends, counts equal their lists, no edge dangles, and both sides of mirrored edges are equal'
  test(law, async ({ store, observer }) => {
    for (let round = 1; round <= rounds; round++) {
      const writeMany = async (writer: number): Promise<void> => {
        const random = createRandom(round * WRITER_COUNT + writer)
        for (let batch = 0; batch < BATCHES_PER_WRITER; batch++) {
          const mutations = createRandomBatch(random, 10 * batch + writer)
          await writeUnlessInvalid(writer % 2 === 0 ? store : observer, mutations)
          // A synchronous store would never let other events run.
          await sleep(0)
        }
      }
      const writers = Array.from({ length: WRITER_COUNT }, (_, writer) => writeMany(writer))
      await settleWithin(Promise.all(writers), timeoutMs * BATCHES_PER_WRITER, 'the writes')
      for (const reader of [store, observer]) await assertConsistent(reader, `after round ${round}`)
      await assertEmptyAfterDeletion(store)
    }
  })
}
