import { assertEqual } from '../assertions.ts'
import { createNode, deleteEdge, putEdge, putNode, putNodes, targetsOf } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

export const describeEdges = ({ test, writeTest }: StoreSuite): void => {
  test('a range returns edges with their time, data and target node', async store => {
    const data = { role: 'author', weights: [1, 2.5, null] }
    await store.write(
      ...putNodes('1'),
      putNode('2', { name: 'Ada' }, 'person'),
      putEdge('1', 'by', '2', -5, data),
    )
    const node = createNode('2', { name: 'Ada' }, 'person')
    assertEqual(
      await store.readList('1', 'by'),
      {
        entries: [{ target: '2', time: -5, data, node }],
        hasMore: false,
        lastExamined: { time: -5, target: '2' },
        total: 1,
      },
      'the list',
    )
  })

  test('an edge with empty data differs from an edge without data', async store => {
    await store.write(
      ...putNodes('1', '2', '3'),
      putEdge('1', 'likes', '2', 0, {}),
      putEdge('1', 'likes', '3'),
    )
    const { entries } = await store.readList('1', 'likes')
    assertEqual(
      entries.map(entry => entry.data),
      [{}, undefined],
      'the data of the edges',
    )
  })

  test('an edge is only in the list of its source and its name', async store => {
    await store.write(...putNodes('1', '2'), putEdge('1', 'likes', '2'))
    assertEqual(targetsOf(await store.readList('2', 'likes')), [], 'the list of the target')
    assertEqual(targetsOf(await store.readList('1', 'like')), [], 'the list with another name')
  })

  writeTest('an edge that is put again has the new time and data', async store => {
    await store.write(
      ...putNodes('1', '2', '3'),
      putEdge('1', 'likes', '2', 10, { n: 1 }),
      putEdge('1', 'likes', '3', 20),
    )
    await store.write(putEdge('1', 'likes', '2', 30))
    const { entries, total } = await store.readList('1', 'likes')
    assertEqual(
      entries.map(({ target, time, data }) => ({ target, time, data })),
      [
        { target: '3', time: 20, data: undefined },
        { target: '2', time: 30, data: undefined },
      ],
      'the list',
    )
    assertEqual(total, 2, 'its count')
  })

  writeTest(
    'data that is put again replaces the old data, in the same batch and in the next one',
    async store => {
      const assertData = async (expected: unknown): Promise<void> =>
        assertEqual((await store.readList('1', 'likes')).entries[0]?.data, expected, 'the data')
      await store.write(
        ...putNodes('1', '2'),
        putEdge('1', 'likes', '2', 0, { a: 1 }),
        putEdge('1', 'likes', '2', 0, { b: { c: 1 } }),
      )
      await assertData({ b: { c: 1 } })
      await store.write(putEdge('1', 'likes', '2', 0, { b: { d: 1 } }))
      await assertData({ b: { d: 1 } })
      await store.write(putEdge('1', 'likes', '2', 0, {}))
      await assertData({})
    },
  )

  test('an edge contains the current record of its target', async store => {
    await store.write(...putNodes('1', '2'), putEdge('1', 'likes', '2'))
    await store.write({ op: 'patchNode', id: '2', fields: { name: 'Ada' } })
    assertEqual(
      (await store.readList('1', 'likes')).entries[0]?.node,
      createNode('2', { name: 'Ada' }),
      'its node',
    )
  })

  writeTest('a node that is put again keeps its edges', async store => {
    await store.write(...putNodes('1', '2'), putEdge('1', 'likes', '2'), putEdge('2', 'likes', '1'))
    await store.write(putNode('1', { name: 'Ada' }))
    assertEqual(targetsOf(await store.readList('1', 'likes')), ['2'], 'the edges of the node')
    assertEqual(targetsOf(await store.readList('2', 'likes')), ['1'], 'the edges to the node')
  })

  test('an edge may lead to its own source', async store => {
    await store.write(...putNodes('1'), putEdge('1', 'likes', '1', 5))
    assertEqual(targetsOf(await store.readList('1', 'likes')), ['1'], 'the list')
    await store.write(deleteEdge('1', 'likes', '1'))
    assertEqual(
      await store.readList('1', 'likes'),
      { entries: [], hasMore: false, total: 0 },
      'the list after the edge was deleted',
    )
  })

  test('times are exact in the whole range of dates', async store => {
    const times = [-8.64e15, 1 - 8.64e15, -1, 0, 1, 8.64e15 - 1, 8.64e15]
    await store.write(...putNodes('9', ...times.map((_, index) => `${index + 1}`)))
    await store.write(...times.map((time, index) => putEdge('9', 'events', `${index + 1}`, time)))
    assertEqual(
      (await store.readList('9', 'events')).entries.map(entry => entry.time),
      times,
      'the times',
    )
  })
}
