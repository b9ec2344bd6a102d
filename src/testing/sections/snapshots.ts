import { assertEqual } from '../assertions.ts'
import { nodeOf, putEdge, putNode, putNodes, rangeOf, targetsOf, tokenOf } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const BEFORE = [...putNodes('1', '2', '3'), putEdge('1', 'likes', '2', 1), putEdge('1', 'likes', '3', 2)]
const WAVE = {
  nodes: ['1', '2', '3', '4'],
  ranges: [rangeOf('1', 'likes'), rangeOf('3', 'likes')],
  tests: [{ source: '1', name: 'likes', target: '2' }],
  tokens: ['old', 'new'],
}

const MANY = 30
const early = Array.from({ length: MANY }, (_, index) => `${index + 100}`)
const later = Array.from({ length: MANY }, (_, index) => `${index + 200}`)

export const describeSnapshots = ({ snapshotTest }: StoreSuite): void => {
  snapshotTest('a snapshot answers as the store did, whatever is written later', async store => {
    await store.write(...BEFORE, { op: 'putToken', digest: 'old', token: tokenOf('demo') })
    const before = await store.read(WAVE)
    const { view, close } = await store.snapshot()
    await store.write(
      putNode('4'),
      { op: 'patchNode', id: '1', fields: { name: 'Ada' } },
      { op: 'deleteNode', id: '2' },
      putEdge('1', 'likes', '3', 9, { moved: true }),
      putEdge('1', 'likes', '4', 5),
      putEdge('3', 'likes', '1', 5),
      { op: 'putToken', digest: 'new', token: tokenOf('demo') },
      { op: 'deleteToken', digest: 'old' },
    )
    assertEqual(await view.read(WAVE), before, 'a wave of the snapshot after the write')
    assertEqual(targetsOf(await store.list('1', 'likes')), ['4', '3'], 'the list of the store itself')
    await close()
  })

  snapshotTest(`a snapshot keeps its view through ${MANY} later writes`, async store => {
    const wave = {
      nodes: ['1'],
      ranges: [rangeOf('1', 'likes'), rangeOf('1', 'likes', { limit: 0 })],
      tests: later.map(target => ({ source: '1', name: 'likes', target })),
    }
    await store.write(putNode('1'), ...putNodes(...early, ...later))
    await store.write(...early.map((target, time) => putEdge('1', 'likes', target, time)))
    const before = await store.read(wave)
    const { view, close } = await store.snapshot()
    for (const [n, target] of later.entries())
      await store.write(putNode('1', { n }), putEdge('1', 'likes', target, n))
    assertEqual(await view.read(wave), before, 'a wave of the snapshot after all of them')
    assertEqual((await store.list('1', 'likes')).total, 2 * MANY, 'the count of the store itself')
    await close()
  })

  snapshotTest('snapshots taken one after another each keep their own view', async store => {
    await store.write(...putNodes('1'))
    const snapshots = []
    for (const n of [1, 2, 3]) {
      await store.write(putNode('1', { n }), putNode(`${n + 1}`), putEdge('1', 'likes', `${n + 1}`, n))
      snapshots.push(await store.snapshot())
    }
    await store.write({ op: 'deleteNode', id: '1' })
    for (const [index, { view }] of snapshots.entries()) {
      assertEqual(await view.node('1'), nodeOf('1', { n: index + 1 }), `the node in snapshot ${index}`)
      assertEqual((await view.list('1', 'likes')).total, index + 1, `the count in snapshot ${index}`)
    }
    for (const { close } of snapshots) await close()
  })

  snapshotTest('closing one snapshot leaves the others and the store alone', async store => {
    await store.write(putNode('1', { n: 1 }))
    const first = await store.snapshot()
    const second = await store.snapshot()
    await first.close()
    await store.write(putNode('1', { n: 2 }))
    assertEqual(await second.view.node('1'), nodeOf('1', { n: 1 }), 'the node in the other snapshot')
    await second.close()
    assertEqual(await store.node('1'), nodeOf('1', { n: 2 }), 'the node in the store')
  })
}
