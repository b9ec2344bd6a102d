import { assertEqual } from '../assertions.ts'
import { deleteEdge, putEdge, putNodes, rangeOf } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const TARGETS = ['2', '3', '4']
const MUTATIONS = [
  ...putNodes('1', ...TARGETS),
  ...TARGETS.map((target, time) => putEdge('1', 'likes', target, time)),
]

export const describeCounts = ({ test }: StoreSuite): void => {
  test('the count is of the whole list, whatever else the range says', async store => {
    await store.write(...MUTATIONS)
    const { ranges } = await store.read({
      ranges: [
        rangeOf('1', 'likes', { limit: 1 }),
        rangeOf('1', 'likes', { from: { time: 1, target: '3' } }),
        rangeOf('1', 'likes', { minTime: 1, maxTime: 1 }),
        rangeOf('1', 'likes', { minTime: 7, direction: 'newest' }),
      ],
    })
    assertEqual(
      ranges.map(slice => slice.total),
      [3, 3, 3, 3],
      'the counts',
    )
  })

  test('limit 0 asks for the count alone', async store => {
    await store.write(...MUTATIONS)
    const { entries, end, total } = await store.list('1', 'likes', { limit: 0 })
    assertEqual({ entries, end, total }, { entries: [], end: undefined, total: 3 }, 'the slice')
  })

  test('a count that was not asked is not answered', async store => {
    await store.write(...MUTATIONS)
    assertEqual((await store.list('1', 'likes', { count: false })).total, undefined, 'the count')
  })

  test('the count of an unknown source or name is 0', async store => {
    await store.write(...MUTATIONS)
    assertEqual((await store.list('9', 'likes')).total, 0, 'the count of an unknown source')
    assertEqual((await store.list('1', 'loves')).total, 0, 'the count of an unknown name')
  })

  test('the count follows every write', async store => {
    const count = async (expected: number, about: string): Promise<void> =>
      assertEqual((await store.list('1', 'likes')).total, expected, about)
    await store.write(...MUTATIONS)
    await store.write(putEdge('1', 'likes', '2', 99), putEdge('1', 'likes', '1'))
    await count(4, 'after an edge put again and a new one')
    await store.write(
      deleteEdge('1', 'likes', '3'),
      deleteEdge('1', 'likes', '3'),
      deleteEdge('1', 'likes', '77'),
    )
    await count(3, 'after one edge deleted twice and one that was never there')
    await store.write(deleteEdge('1', 'likes', '4'), putEdge('1', 'likes', '4'))
    await count(3, 'after an edge deleted and put again in one batch')
    await store.write({ op: 'deleteNode', id: '2' })
    await count(2, 'after a target was deleted')
  })
}
