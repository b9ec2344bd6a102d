import type { NodeId } from '../../base/ids.ts'
import { assertEqual, fail } from '../assertions.ts'
import { assertPagesJoin } from '../laws.ts'
import { deleteEdge, putEdge, putNode, putNodes, targetsOf } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

const WRITER_COUNT = 40
const ids = Array.from({ length: WRITER_COUNT }, (_, index) => `${index + 100}`)

/** Writes a node after all other writes, so that later reads have a revision that includes these writes. */
const writeLast = (store: StoreProbe): Promise<void> => store.write(putNode('9999'))

/** Reads the targets of a list in pages of three, while other calls write to it. */
const readTargetsInPages = async (store: StoreProbe): Promise<NodeId[]> => {
  const targets: NodeId[] = []
  let rangeResult = await store.readList('1', 'likes', { limit: 3 })
  targets.push(...rangeResult.entries.map(entry => entry.target))
  while (rangeResult.hasMore && targets.length <= WRITER_COUNT) {
    rangeResult = await store.readList('1', 'likes', { limit: 3, from: rangeResult.lastExamined })
    targets.push(...rangeResult.entries.map(entry => entry.target))
  }
  return targets
}

export const describeConcurrency = ({ test }: StoreSuite): void => {
  test('concurrent writes to one list lose no edge, and the count is right', async store => {
    await store.write(...putNodes('1', ...ids))
    await Promise.all(ids.map((id, time) => store.write(putEdge('1', 'likes', id, time))))
    await writeLast(store)
    const rangeResult = await store.readList('1', 'likes')
    assertEqual([targetsOf(rangeResult), rangeResult.total], [ids, WRITER_COUNT], 'the list and its count')
  })

  test('concurrent puts of the same edge create one edge', async store => {
    await store.write(...putNodes('1', '2'))
    await Promise.all(ids.map((_, time) => store.write(putEdge('1', 'likes', '2', time))))
    await writeLast(store)
    const rangeResult = await store.readList('1', 'likes')
    assertEqual([targetsOf(rangeResult), rangeResult.total], [['2'], 1], 'the list and its count')
  })

  test('concurrent patches of one node lose no field', async store => {
    await store.write(...putNodes('1'))
    await Promise.all(
      ids.map(id => store.write({ op: 'patchNode', id: '1', fields: { [`field_${id}`]: id } })),
    )
    await writeLast(store)
    const fields = Object.fromEntries(ids.map(id => [`field_${id}`, id]))
    assertEqual((await store.readNode('1'))?.fields, fields, 'the fields')
  })

  test('during writes, a reader sees whole records, and whole batches if the atomicity of the store is batch', async store => {
    const createBatch = (value: number) => [
      putNode('1', { a: value, b: value }),
      putNode('2', { a: value, b: value }),
    ]
    await store.write(...createBatch(0))
    const assertWhole = async (): Promise<void> => {
      const { nodes } = await store.read({ nodes: ['1', '2'] })
      for (const node of nodes)
        assertEqual(node?.fields.a, node?.fields.b, 'two fields that were put together')
      if (store.capabilities.atomicity === 'batch')
        assertEqual(nodes[0]?.fields, nodes[1]?.fields, 'two nodes that were put together')
    }
    await Promise.all(ids.flatMap((_, n) => [store.write(...createBatch(n)), assertWhole()]))
  })

  test('paging through a list while edges are deleted returns every edge that stays, and no edge twice', async store => {
    const [remainingIds, deletedIds] = [ids.slice(0, WRITER_COUNT / 2), ids.slice(WRITER_COUNT / 2)]
    await store.write(
      ...putNodes('1', ...ids),
      ...ids.map((id, index) => putEdge('1', 'likes', id, index % 7)),
    )
    const [targets] = await Promise.all([
      readTargetsInPages(store),
      ...deletedIds.map(id => store.write(deleteEdge('1', 'likes', id))),
    ])
    if (new Set(targets).size !== targets.length) fail(`expected each edge once: ${targets.join(', ')}`)
    const missing = remainingIds.filter(id => !targets.includes(id))
    assertEqual(missing, [], 'the edges that stayed and were not returned')
    await writeLast(store)
    await assertPagesJoin(store, { source: '1', name: 'likes', direction: 'newest', limit: 3 })
  })
}
