import type { EdgePosition, Mutation } from '../../store/contract.ts'
import { comparePositions } from '../../store/order.ts'
import { assertEqual } from '../assertions.ts'
import { assertMirrored, assertPagesJoin } from '../laws.ts'
import { deleteEdge, putEdge, putNode } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

const LENGTH = 10_000
const BATCH = 1000
const PAGE = 500
const SOURCE = '1'
/** A prime below the length: the edges come in no order, and four share each time. */
const STRIDE = 7919

const EDGES: readonly EdgePosition[] = Array.from({ length: LENGTH }, (_, index) => {
  const place = (index * STRIDE) % LENGTH
  return { time: Math.floor(place / 4), target: `${place + 2}` }
})

const writeAll = async (store: StoreProbe, mutations: readonly Mutation[]): Promise<void> => {
  for (let start = 0; start < mutations.length; start += BATCH)
    await store.write(...mutations.slice(start, start + BATCH))
}

const assertList = async (
  store: StoreProbe,
  edges: readonly EdgePosition[],
  about: string,
): Promise<void> => {
  const { entries, total } = await store.list(SOURCE, 'likes', { limit: LENGTH })
  assertEqual(total, edges.length, `the count ${about}`)
  const positions = entries.map(({ time, target }) => ({ time, target }))
  assertEqual(positions, edges.toSorted(comparePositions), `the list ${about}`)
}

export const describeLongLists = ({ test }: StoreSuite): void => {
  test(`a list of ${LENGTH} edges is whole, in order and counted, and shrinks so`, async store => {
    await writeAll(store, [putNode(SOURCE), ...EDGES.map(({ target }) => putNode(target))])
    await writeAll(
      store,
      EDGES.map(({ time, target }) => putEdge(SOURCE, 'likes', target, time)),
    )
    await assertList(store, EDGES, 'as it was written')
    await assertPagesJoin(store, { source: SOURCE, name: 'likes', direction: 'newest', limit: PAGE })
    await assertMirrored(store, { source: SOURCE, name: 'likes', limit: PAGE })

    const [left, deleted] = [EDGES.slice(0, LENGTH / 2), EDGES.slice(LENGTH / 2)]
    await writeAll(
      store,
      deleted.map(({ target }) => deleteEdge(SOURCE, 'likes', target)),
    )
    await assertList(store, left, 'after half of it was deleted')
  })
}
