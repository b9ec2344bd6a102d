import { assertEqual } from '../assertions.ts'
import { createRange, createToken, putNode } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

export const describeLifecycle = ({ test, writeTest }: StoreSuite): void => {
  test('a store declares all its capabilities', async ({ capabilities }) => {
    const { snapshots, durable, shared, conditionalWrites, collections, atomicity } = capabilities
    assertEqual(
      [snapshots, durable, shared, conditionalWrites, collections].map(capability => typeof capability),
      ['boolean', 'boolean', 'boolean', 'boolean', 'boolean'],
      'snapshots, durable, shared, conditionalWrites and collections are booleans',
    )
    assertEqual(atomicity === 'batch' || atomicity === 'source', true, 'atomicity is "batch" or "source"')
    const kinds: readonly unknown[] = capabilities.ids ?? ['digits']
    const isValid = kinds.length > 0 && kinds.every(kind => kind === 'digits' || kind === 'named')
    assertEqual(isValid, true, 'ids is missing, or a list of "digits" and "named" that is not empty')
  })

  test('a new store is empty', async store => {
    const edge = { source: '1', name: 'likes', target: '2' }
    assertEqual(
      await store.read({
        nodes: ['1'],
        ranges: [createRange('1', 'likes')],
        checks: [edge],
        tokens: ['digest'],
      }),
      {
        nodes: [undefined],
        ranges: [{ entries: [], hasMore: false, lastExamined: undefined, total: 0 }],
        checks: [false],
        tokens: [undefined],
      },
      'a read of a new store',
    )
  })

  writeTest('a new store does not share data with another store', async (store, { withStore }) => {
    await store.write(putNode('1'), { op: 'putToken', digest: 'digest', token: createToken('demo') })
    await withStore(async otherStore => {
      assertEqual(
        await otherStore.read({ nodes: ['1'], tokens: ['digest'] }),
        { nodes: [undefined], ranges: [], checks: [], tokens: [undefined] },
        'a store that was created after a write to another store',
      )
    })
  })

  writeTest('a read with the revision of a write sees that write', async store => {
    for (const name of ['Ada', 'Grace', 'Barbara']) {
      await store.write(putNode('1', { name }))
      assertEqual((await store.readNode('1'))?.fields, { name }, 'the written node')
    }
  })

  writeTest('a read with minRevision "newest" sees all earlier writes', async store => {
    for (const name of ['Ada', 'Grace', 'Barbara']) {
      await store.write(putNode('1', { name }))
      assertEqual((await store.newestReader.readNode('1'))?.fields, { name }, 'the written node')
    }
  })
}
