import { assertEqual } from '../assertions.ts'
import { deleteEdge, putEdge, putNode, putNodes, rangeOf, targetsOf } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const LISTS = [rangeOf('1', 'likes'), rangeOf('2', 'likes'), rangeOf('3', 'likes')]
const MUTATIONS = [
  ...putNodes('1', '2', '3'),
  putEdge('1', 'likes', '2', 1),
  putEdge('1', 'likes', '3', 2),
  putEdge('2', 'likes', '1', 3),
  putEdge('2', 'likes', '2', 4),
  putEdge('3', 'likes', '2', 5),
]

export const describeDeletion = ({ test }: StoreSuite): void => {
  test('a node deleted takes its edges along, in both directions', async store => {
    await store.write(...MUTATIONS)
    await store.write({ op: 'deleteNode', id: '2' })
    const { nodes, ranges, tests } = await store.read({
      nodes: ['2'],
      ranges: LISTS,
      tests: ['1', '2', '3'].map(source => ({ source, name: 'likes', target: '2' })),
    })
    assertEqual(nodes, [undefined], 'the node')
    assertEqual(ranges.map(targetsOf), [['3'], [], []], 'the lists')
    assertEqual(
      ranges.map(slice => slice.total),
      [1, 0, 0],
      'the counts',
    )
    assertEqual(tests, [false, false, false], 'the tests of the edges to it')
  })

  test('a node put again after that has no edges', async store => {
    await store.write(...MUTATIONS)
    await store.write({ op: 'deleteNode', id: '2' })
    await store.write(putNode('2', {}, 'other'))
    const { nodes, ranges } = await store.read({ nodes: ['2'], ranges: LISTS })
    assertEqual(nodes[0]?.type, 'other', 'the type, which may be another one now')
    assertEqual(ranges.map(targetsOf), [['3'], [], []], 'the lists')
    assertEqual(
      ranges.map(slice => slice.total),
      [1, 0, 0],
      'the counts',
    )
  })

  test('nothing is answered of an edge deleted, and its neighbours stay', async store => {
    await store.write(...MUTATIONS)
    await store.write(deleteEdge('1', 'likes', '2'))
    const { nodes, ranges } = await store.read({ nodes: ['2'], ranges: LISTS })
    assertEqual(nodes[0]?.id, '2', 'the target, which stays')
    assertEqual(ranges.map(targetsOf), [['3'], ['1', '2'], ['2']], 'the lists')
  })

  test('deleting what is not there does nothing', async store => {
    await store.write(...MUTATIONS)
    await store.write(
      { op: 'deleteNode', id: '77' },
      deleteEdge('1', 'loves', '2'),
      deleteEdge('77', 'likes', '2'),
      deleteEdge('3', 'likes', '1'),
    )
    const { ranges } = await store.read({ ranges: LISTS })
    assertEqual(ranges.map(targetsOf), [['2', '3'], ['1', '2'], ['2']], 'the lists')
  })
}
