import { assertEqual } from '../assertions.ts'
import { putNode, rangeOf, tokenOf } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

export const describeLifecycle = ({ test, withStore }: StoreSuite): void => {
  test('capabilities are declared whole', async ({ capabilities }) => {
    const { snapshots, durable, shared, atomicity } = capabilities
    assertEqual(
      [typeof snapshots, typeof durable, typeof shared, atomicity === 'batch' || atomicity === 'source'],
      ['boolean', 'boolean', 'boolean', true],
      'snapshots, durable and shared are booleans, atomicity is "batch" or "source"',
    )
  })

  test('a fresh store holds nothing', async store => {
    const edge = { source: '1', name: 'likes', target: '2' }
    assertEqual(
      await store.read({ nodes: ['1'], ranges: [rangeOf('1', 'likes')], tests: [edge], tokens: ['digest'] }),
      {
        nodes: [undefined],
        ranges: [{ entries: [], more: false, end: undefined, total: 0 }],
        tests: [false],
        tokens: [undefined],
      },
      'a wave over a fresh store',
    )
  })

  test('every fresh store is another one', async store => {
    await store.write(putNode('1'), { op: 'putToken', digest: 'digest', token: tokenOf('demo') })
    await withStore(async other => {
      assertEqual(
        await other.read({ nodes: ['1'], tokens: ['digest'] }),
        { nodes: [undefined], ranges: [], tests: [], tokens: [undefined] },
        'a store made after another one was written',
      )
    })
  })

  test('a write is seen by the next read, at the version that it answered', async store => {
    for (const name of ['Ada', 'Grace', 'Barbara']) {
      await store.write(putNode('1', { name }))
      assertEqual((await store.node('1'))?.fields, { name }, 'the node just written')
    }
  })

  test('a write is seen by the next read of the newest, which knows no version', async store => {
    for (const name of ['Ada', 'Grace', 'Barbara']) {
      await store.write(putNode('1', { name }))
      assertEqual((await store.newest.node('1'))?.fields, { name }, 'the node just written')
    }
  })
}
