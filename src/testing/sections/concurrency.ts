import type { NodeId } from '../../base/ids.ts'
import { assertEqual, fail } from '../assertions.ts'
import { assertPagesJoin } from '../laws.ts'
import { deleteEdge, putEdge, putNode, putNodes, targetsOf } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

const MANY = 40
const ids = Array.from({ length: MANY }, (_, index) => `${index + 100}`)

/** One write after all others, so that the reads that follow are at a version that includes them. */
const settle = (store: StoreProbe): Promise<void> => store.write(putNode('9999'))

/** The targets of a list in pages of three, collected while others write to it. */
const pagedTargets = async (store: StoreProbe): Promise<NodeId[]> => {
  const targets: NodeId[] = []
  let slice = await store.list('1', 'likes', { limit: 3 })
  targets.push(...slice.entries.map(entry => entry.target))
  while (slice.more && targets.length <= MANY) {
    slice = await store.list('1', 'likes', { limit: 3, from: slice.end })
    targets.push(...slice.entries.map(entry => entry.target))
  }
  return targets
}

export const describeConcurrency = ({ test }: StoreSuite): void => {
  test('parallel writes to one list lose nothing, and its count is right', async store => {
    await store.write(...putNodes('1', ...ids))
    await Promise.all(ids.map((id, time) => store.write(putEdge('1', 'likes', id, time))))
    await settle(store)
    const slice = await store.list('1', 'likes')
    assertEqual([targetsOf(slice), slice.total], [ids, MANY], 'the list and its count')
  })

  test('the same edge put in parallel is one edge', async store => {
    await store.write(...putNodes('1', '2'))
    await Promise.all(ids.map((_, time) => store.write(putEdge('1', 'likes', '2', time))))
    await settle(store)
    const slice = await store.list('1', 'likes')
    assertEqual([targetsOf(slice), slice.total], [['2'], 1], 'the list and its count')
  })

  test('parallel patches of one node lose no field', async store => {
    await store.write(...putNodes('1'))
    await Promise.all(
      ids.map(id => store.write({ op: 'patchNode', id: '1', fields: { [`field_${id}`]: id } })),
    )
    await settle(store)
    const fields = Object.fromEntries(ids.map(id => [`field_${id}`, id]))
    assertEqual((await store.node('1'))?.fields, fields, 'the fields')
  })

  test('a reader sees a record whole, and a batch whole where atomicity is by batch', async store => {
    const batch = (n: number) => [putNode('1', { a: n, b: n }), putNode('2', { a: n, b: n })]
    await store.write(...batch(0))
    const check = async (): Promise<void> => {
      const { nodes } = await store.read({ nodes: ['1', '2'] })
      for (const node of nodes) assertEqual(node?.fields.a, node?.fields.b, 'two fields put together')
      if (store.capabilities.atomicity === 'batch')
        assertEqual(nodes[0]?.fields, nodes[1]?.fields, 'two nodes put together')
    }
    await Promise.all(ids.flatMap((_, n) => [store.write(...batch(n)), check()]))
  })

  test('walking a list while others write to it loses and doubles no edge that stays', async store => {
    const [staying, leaving] = [ids.slice(0, MANY / 2), ids.slice(MANY / 2)]
    await store.write(
      ...putNodes('1', ...ids),
      ...ids.map((id, index) => putEdge('1', 'likes', id, index % 7)),
    )
    const [targets] = await Promise.all([
      pagedTargets(store),
      ...leaving.map(id => store.write(deleteEdge('1', 'likes', id))),
    ])
    if (new Set(targets).size !== targets.length) fail(`no edge is doubled: ${targets.join(', ')}`)
    const missing = staying.filter(id => !targets.includes(id))
    assertEqual(missing, [], 'the edges that stayed and were not answered')
    await settle(store)
    await assertPagesJoin(store, { source: '1', name: 'likes', direction: 'newest', limit: 3 })
  })
}
