import { comparePositions } from '../../store/compare-positions.ts'
import type { EdgePosition } from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual } from '../assertions.ts'
import { assertDirectionsAgree, assertPagesJoin } from '../laws.ts'
import { deleteEdge, putEdge, putNode } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

const LIST_LENGTH = 10_000
const BATCH_SIZE = 1000
const PAGE_SIZE = 500
const SOURCE = '1'
/** A prime number below the length, so that the edges are unsorted. Every four edges have the same time. */
const STRIDE = 7919

const EDGES: readonly EdgePosition[] = Array.from({ length: LIST_LENGTH }, (_, index) => {
  const sortedIndex = (index * STRIDE) % LIST_LENGTH
  return { time: Math.floor(sortedIndex / 4), target: `${sortedIndex + 2}` }
})

const writeAll = async (store: StoreProbe, mutations: readonly StoreMutation[]): Promise<void> => {
  for (let start = 0; start < mutations.length; start += BATCH_SIZE)
    await store.write(...mutations.slice(start, start + BATCH_SIZE))
}

const assertList = async (
  store: StoreProbe,
  edges: readonly EdgePosition[],
  label: string,
): Promise<void> => {
  const { entries, total } = await store.readList(SOURCE, 'likes', { limit: LIST_LENGTH })
  assertEqual(total, edges.length, `the count ${label}`)
  const positions = entries.map(({ time, target }) => ({ time, target }))
  assertEqual(positions, edges.toSorted(comparePositions), `the list ${label}`)
}

export const describeLongLists = ({ test }: StoreSuite): void => {
  test(`a list of ${LIST_LENGTH} edges is complete, sorted and counted correctly, also after deletions`, async store => {
    await writeAll(store, [putNode(SOURCE), ...EDGES.map(({ target }) => putNode(target))])
    await writeAll(
      store,
      EDGES.map(({ time, target }) => putEdge(SOURCE, 'likes', target, time)),
    )
    await assertList(store, EDGES, 'after the write')
    await assertPagesJoin(store, { source: SOURCE, name: 'likes', direction: 'newest', limit: PAGE_SIZE })
    await assertDirectionsAgree(store, { source: SOURCE, name: 'likes', limit: PAGE_SIZE })

    const [remaining, deleted] = [EDGES.slice(0, LIST_LENGTH / 2), EDGES.slice(LIST_LENGTH / 2)]
    await writeAll(
      store,
      deleted.map(({ target }) => deleteEdge(SOURCE, 'likes', target)),
    )
    await assertList(store, remaining, 'after half of the edges were deleted')
  })
}
