import { assertEqual } from '../assertions.ts'
import { createNode, createRange, createToken, putEdge, putNode, putNodes, targetsOf } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const INITIAL_MUTATIONS = [
  ...putNodes('1', '2', '3'),
  putEdge('1', 'likes', '2', 1),
  putEdge('1', 'likes', '3', 2),
]
const REQUEST = {
  nodes: ['1', '2', '3', '4'],
  ranges: [createRange('1', 'likes'), createRange('3', 'likes')],
  checks: [
    { source: '1', name: 'likes', target: '2' },
    { source: '1', name: 'likes', target: '3', data: true },
  ],
  tokens: ['old', 'new'],
}

const WRITE_COUNT = 30
const earlyIds = Array.from({ length: WRITE_COUNT }, (_, index) => `${index + 100}`)
const laterIds = Array.from({ length: WRITE_COUNT }, (_, index) => `${index + 200}`)

export const describeSnapshots = ({ snapshotTest }: StoreSuite): void => {
  snapshotTest('a snapshot returns the state of the store before later writes', async store => {
    await store.write(...INITIAL_MUTATIONS, { op: 'putToken', digest: 'old', token: createToken('demo') })
    const before = await store.read(REQUEST)
    const { reader, close } = await store.snapshot()
    await store.write(
      putNode('4'),
      { op: 'patchNode', id: '1', fields: { name: 'Ada' } },
      { op: 'deleteNode', id: '2' },
      putEdge('1', 'likes', '3', 9, { moved: true }),
      putEdge('1', 'likes', '4', 5),
      putEdge('3', 'likes', '1', 5),
      { op: 'putToken', digest: 'new', token: createToken('demo') },
      { op: 'deleteToken', digest: 'old' },
    )
    assertEqual(await reader.read(REQUEST), before, 'a read of the snapshot after the write')
    assertEqual(targetsOf(await store.readList('1', 'likes')), ['4', '3'], 'the list of the store itself')
    await close()
  })

  snapshotTest(`a snapshot does not change after ${WRITE_COUNT} later writes`, async store => {
    const request = {
      nodes: ['1'],
      ranges: [createRange('1', 'likes'), createRange('1', 'likes', { limit: 0 })],
      checks: laterIds.map(target => ({ source: '1', name: 'likes', target })),
    }
    await store.write(putNode('1'), ...putNodes(...earlyIds, ...laterIds))
    await store.write(...earlyIds.map((target, time) => putEdge('1', 'likes', target, time)))
    const before = await store.read(request)
    const { reader, close } = await store.snapshot()
    for (const [n, target] of laterIds.entries())
      await store.write(putNode('1', { n }), putEdge('1', 'likes', target, n))
    assertEqual(await reader.read(request), before, 'a read of the snapshot after all later writes')
    assertEqual((await store.readList('1', 'likes')).total, 2 * WRITE_COUNT, 'the count of the store itself')
    await close()
  })

  snapshotTest('each of several snapshots keeps its own state', async store => {
    await store.write(...putNodes('1'))
    const snapshots = []
    for (const n of [1, 2, 3]) {
      await store.write(putNode('1', { n }), putNode(`${n + 1}`), putEdge('1', 'likes', `${n + 1}`, n))
      snapshots.push(await store.snapshot())
    }
    await store.write({ op: 'deleteNode', id: '1' })
    for (const [index, { reader }] of snapshots.entries()) {
      assertEqual(
        await reader.readNode('1'),
        createNode('1', { n: index + 1 }),
        `the node in snapshot ${index}`,
      )
      assertEqual((await reader.readList('1', 'likes')).total, index + 1, `the count in snapshot ${index}`)
    }
    for (const { close } of snapshots) await close()
  })

  snapshotTest('closing one snapshot does not affect the others or the store', async store => {
    await store.write(putNode('1', { n: 1 }))
    const first = await store.snapshot()
    const second = await store.snapshot()
    await first.close()
    await store.write(putNode('1', { n: 2 }))
    assertEqual(
      await second.reader.readNode('1'),
      createNode('1', { n: 1 }),
      'the node in the other snapshot',
    )
    await second.close()
    assertEqual(await store.readNode('1'), createNode('1', { n: 2 }), 'the node in the store')
  })
}
