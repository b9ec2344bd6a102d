import { assertEqual } from '../assertions.ts'
import { createRange, deleteEdge, putEdge, putNodes } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const TARGETS = ['2', '3', '4']
const MUTATIONS = [
  ...putNodes('1', ...TARGETS),
  ...TARGETS.map((target, time) => putEdge('1', 'likes', target, time)),
]

export const describeCounts = ({ test, writeTest }: StoreSuite): void => {
  test('the count is the size of the whole list, regardless of limit, position and times', async store => {
    await store.write(...MUTATIONS)
    const { ranges } = await store.read({
      ranges: [
        createRange('1', 'likes', { limit: 1 }),
        createRange('1', 'likes', { from: { time: 1, target: '3' } }),
        createRange('1', 'likes', { minTime: 1, maxTime: 1 }),
        createRange('1', 'likes', { minTime: 7, direction: 'newest' }),
      ],
    })
    assertEqual(
      ranges.map(rangeResult => rangeResult.total),
      [3, 3, 3, 3],
      'the counts',
    )
  })

  test('limit 0 returns only the count', async store => {
    await store.write(...MUTATIONS)
    const { entries, lastExamined, total } = await store.readList('1', 'likes', { limit: 0 })
    assertEqual(
      { entries, lastExamined, total },
      { entries: [], lastExamined: undefined, total: 3 },
      'the result',
    )
  })

  test('a range without count returns no total', async store => {
    await store.write(...MUTATIONS)
    assertEqual((await store.readList('1', 'likes', { count: false })).total, undefined, 'the count')
  })

  test('the count of an unknown source or name is 0', async store => {
    await store.write(...MUTATIONS)
    assertEqual((await store.readList('9', 'likes')).total, 0, 'the count of an unknown source')
    assertEqual((await store.readList('1', 'loves')).total, 0, 'the count of an unknown name')
  })

  writeTest(
    'the count is right after repeated puts and deletions of edges, and after the deletion of a target',
    async store => {
      const assertCount = async (expected: number, label: string): Promise<void> =>
        assertEqual((await store.readList('1', 'likes')).total, expected, label)
      await store.write(...MUTATIONS)
      await store.write(putEdge('1', 'likes', '2', 99), putEdge('1', 'likes', '1'))
      await assertCount(4, 'after one edge was put again and another was added')
      await store.write(
        deleteEdge('1', 'likes', '3'),
        deleteEdge('1', 'likes', '3'),
        deleteEdge('1', 'likes', '77'),
      )
      await assertCount(3, 'after one edge was deleted twice and a missing edge was deleted')
      await store.write(deleteEdge('1', 'likes', '4'), putEdge('1', 'likes', '4'))
      await assertCount(3, 'after an edge was deleted and put again in one batch')
      await store.write({ op: 'deleteNode', id: '2' })
      await assertCount(2, 'after a target was deleted')
    },
  )
}
