import { assertEqual } from '../assertions.ts'
import { createRange, deleteEdge, putEdge, putNode, putNodes, targetsOf } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const RANGES = [createRange('1', 'likes'), createRange('2', 'likes'), createRange('3', 'likes')]
const MUTATIONS = [
  ...putNodes('1', '2', '3'),
  putEdge('1', 'likes', '2', 1),
  putEdge('1', 'likes', '3', 2),
  putEdge('2', 'likes', '1', 3),
  putEdge('2', 'likes', '2', 4),
  putEdge('3', 'likes', '2', 5),
]

export const describeDeletion = ({ test }: StoreSuite): void => {
  test('deleting a node deletes its edges in both directions', async store => {
    await store.write(...MUTATIONS)
    await store.write({ op: 'deleteNode', id: '2' })
    const { nodes, ranges, checks } = await store.read({
      nodes: ['2'],
      ranges: RANGES,
      checks: ['1', '2', '3'].map(source => ({ source, name: 'likes', target: '2' })),
    })
    assertEqual(nodes, [undefined], 'the node')
    assertEqual(ranges.map(targetsOf), [['3'], [], []], 'the lists')
    assertEqual(
      ranges.map(rangeResult => rangeResult.total),
      [1, 0, 0],
      'the counts',
    )
    assertEqual(checks, [false, false, false], 'the checks of edges to the deleted node')
  })

  test('a node that is put again after its deletion has no edges', async store => {
    await store.write(...MUTATIONS)
    await store.write({ op: 'deleteNode', id: '2' })
    await store.write(putNode('2', {}, 'other'))
    const { nodes, ranges } = await store.read({ nodes: ['2'], ranges: RANGES })
    assertEqual(nodes[0]?.type, 'other', 'the new type')
    assertEqual(ranges.map(targetsOf), [['3'], [], []], 'the lists')
    assertEqual(
      ranges.map(rangeResult => rangeResult.total),
      [1, 0, 0],
      'the counts',
    )
  })

  test('a deleted edge is not returned, and its target and all other edges stay', async store => {
    await store.write(...MUTATIONS)
    await store.write(deleteEdge('1', 'likes', '2'))
    const { nodes, ranges } = await store.read({ nodes: ['2'], ranges: RANGES })
    assertEqual(nodes[0]?.id, '2', 'the target, which is not deleted')
    assertEqual(ranges.map(targetsOf), [['3'], ['1', '2'], ['2']], 'the lists')
  })

  test('deleting a missing node or edge changes nothing', async store => {
    await store.write(...MUTATIONS)
    await store.write(
      { op: 'deleteNode', id: '77' },
      deleteEdge('1', 'loves', '2'),
      deleteEdge('77', 'likes', '2'),
      deleteEdge('3', 'likes', '1'),
    )
    const { ranges } = await store.read({ ranges: RANGES })
    assertEqual(ranges.map(targetsOf), [['2', '3'], ['1', '2'], ['2']], 'the lists')
  })
}
