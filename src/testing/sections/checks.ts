import { assertEqual } from '../assertions.ts'
import { deleteEdge, putEdge, putNode, putNodes } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

export const describeChecks = ({ test, writeTest }: StoreSuite): void => {
  test('each check in a request returns whether its edge exists, by position', async store => {
    await store.write(...putNodes('1', '2', '3'), putEdge('1', 'likes', '2'), putEdge('2', 'likes', '3'))
    const { checks } = await store.read({
      checks: [
        { source: '1', name: 'likes', target: '3' },
        { source: '1', name: 'likes', target: '2' },
        { source: '2', name: 'likes', target: '1' },
        { source: '1', name: 'like', target: '2' },
        { source: '9', name: 'likes', target: '2' },
        { source: '2', name: 'likes', target: '3' },
      ],
    })
    assertEqual(checks, [false, true, false, false, false, true], 'the checks')
  })

  test('a check with data returns the record of its edge, by position', async store => {
    const edges = [
      ['1', 'likes', '2', 5, { role: 'admin', list: [1, null] }],
      ['1', 'likes', '3', 0, undefined],
      ['1', 'likes', '4', -7, { role: 'member' }],
      ['2', 'likes', '1', 8.64e15, { time: 3 }],
      ['1', 'loves', '2', 6, { role: 'none' }],
    ] as const
    const records = edges.map(([source, name, target, time, data]) => ({ source, name, target, time, data }))
    await store.write(
      ...putNodes('1', '2', '3', '4'),
      ...records.map(edge => ({ op: 'putEdge' as const, edge })),
    )
    const { checks } = await store.read({
      checks: records.flatMap(({ source, name, target }) => [
        { source, name, target, data: true },
        { source, name, target },
        { source: target, name: 'hates', target: source, data: true },
        { source, name, target, data: false },
      ]),
    })
    assertEqual(
      checks,
      records.flatMap(record => [record, true, false, true]),
      'the checks',
    )
  })

  test('a check with data returns false for an edge, a node or a name that does not exist', async store => {
    await store.write(...putNodes('1', '2'), putEdge('1', 'likes', '2', 5, { role: 'admin' }))
    const { checks } = await store.read({
      checks: [
        { source: '2', name: 'likes', target: '1', data: true },
        { source: '1', name: 'like', target: '2', data: true },
        { source: '1', name: 'likes', target: '9', data: true },
        { source: '9', name: 'likes', target: '2', data: true },
      ],
    })
    assertEqual(checks, [false, false, false, false], 'the checks')
  })

  writeTest('a check with data sees the newest time and data of its edge', async store => {
    const record = { source: '1', name: 'likes', target: '2', time: 1, data: { role: 'member' } }
    await store.write(...putNodes('1', '2'), { op: 'putEdge', edge: record })
    const changes = [
      { ...record, data: { role: 'admin' } },
      { ...record, time: 2 },
      { ...record, time: 2, data: undefined },
      { ...record, time: 2, data: { state: 'going' } },
    ]
    for (const edge of changes) {
      await store.write({ op: 'putEdge', edge })
      assertEqual(await store.readEdge('1', 'likes', '2'), edge, `the record after ${JSON.stringify(edge)}`)
    }
    await store.write({ op: 'deleteNode', id: '2' }, putNode('2'))
    assertEqual(await store.readEdge('1', 'likes', '2'), false, 'the edge to a node that was deleted')
    await store.write({ op: 'putEdge', edge: record })
    assertEqual(await store.readEdge('1', 'likes', '2'), record, 'the edge to the new node')
  })

  writeTest('a check sees that its edge was deleted and that it was put again', async store => {
    await store.write(...putNodes('1', '2'), putEdge('1', 'likes', '2'))
    await store.write(deleteEdge('1', 'likes', '2'))
    assertEqual(await store.hasEdge('1', 'likes', '2'), false, 'the edge that was deleted')
    await store.write(putEdge('1', 'likes', '2'))
    assertEqual(await store.hasEdge('1', 'likes', '2'), true, 'the edge that was put again')
  })
}
