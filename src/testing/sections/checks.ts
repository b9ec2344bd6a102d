import { assertEqual } from '../assertions.ts'
import { deleteEdge, putEdge, putNodes } from '../records.ts'
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

  writeTest('a check sees that its edge was deleted and that it was put again', async store => {
    await store.write(...putNodes('1', '2'), putEdge('1', 'likes', '2'))
    await store.write(deleteEdge('1', 'likes', '2'))
    assertEqual(await store.hasEdge('1', 'likes', '2'), false, 'the edge that was deleted')
    await store.write(putEdge('1', 'likes', '2'))
    assertEqual(await store.hasEdge('1', 'likes', '2'), true, 'the edge that was put again')
  })
}
