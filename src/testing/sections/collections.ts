import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual } from '../assertions.ts'
import {
  deleteEdge,
  incrementNode,
  patchNode,
  putEdge,
  putNode,
  withCondition,
  withMirror,
} from '../records.ts'
import { assertConflict, assertInvalid } from '../rejections.ts'
import type { StoreSuite } from '../store-suite.ts'
import { describeHistories } from './collection-histories.ts'
import { assertPositions, byField, collect, collectById, orderEdge, ROOT } from './entry-records.ts'

export const describeCollections = (suite: StoreSuite): void => {
  describeEntriesOfNodes(suite)
  describeEntriesOfEdges(suite)
  describeDependentEntries(suite)
  describeFlags(suite)
  describeHistories(suite)
}

const describeEntriesOfNodes = ({ collectionTest }: StoreSuite): void => {
  collectionTest('a collection lists nodes by a field, then by id, in both directions', async store => {
    const ranks = { '1': 30, '2': -5, '9': 30, '10': 0 }
    for (const [id, rank] of Object.entries(ranks)) await store.write(putNode(id, { rank }), collect(id))
    const ordered = [
      [-5, '2'],
      [0, '10'],
      [30, '1'],
      [30, '9'],
    ] as const
    await assertPositions(store, ROOT, 'events', ordered, 'after the writes')
    const newest = await store.readList(ROOT, 'events', { direction: 'newest', limit: 3 })
    assertEqual(
      newest.entries.map(({ target }) => target),
      ['9', '1', '10'],
      'the first entries, newest first',
    )
    const rest = await store.readList(ROOT, 'events', {
      from: { time: 0, target: '10' },
      maxTime: 30,
      limit: 1,
    })
    assertEqual([rest.entries[0]?.node, rest.hasMore], [(await store.readNode('1')) ?? null, true], 'a page')
  })

  collectionTest('a collection without a field lists nodes by id', async store => {
    for (const id of ['10', '9', '9223372036854775807', '1']) await store.write(putNode(id), collectById(id))
    const expected = ['1', '9', '10', '9223372036854775807'].map(id => [0, id] as const)
    await assertPositions(store, ROOT, 'all', expected, 'after the writes')
  })

  collectionTest('an entry moves with its field, and exists only if the field is a time', async store => {
    await store.write(putNode('1', { rank: 5 }), collect('1'))
    const changes: readonly (readonly [mutation: StoreMutation, time: number | undefined])[] = [
      [patchNode('1', { rank: 8 }), 8],
      [patchNode('1', { name: 'Ada' }), 8],
      [putNode('1', { rank: -8.64e15 }), -8.64e15],
      [putNode('1', { rank: 8.64e15 + 2 }), undefined],
      [patchNode('1', { rank: 0.5 }), undefined],
      [patchNode('1', { rank: 1 }), 1],
      [patchNode('1', { rank: '2' }), undefined],
      [patchNode('1', { rank: null }), undefined],
      [putNode('1', { rank: 3 }), 3],
      [putNode('1'), undefined],
    ]
    for (const [mutation, time] of changes) {
      await store.write(mutation, collect('1'))
      const expected = time === undefined ? [] : [[time, '1'] as const]
      await assertPositions(store, ROOT, 'events', expected, `after ${JSON.stringify(mutation)}`)
    }
  })

  collectionTest('a field in seconds gives times in milliseconds', async store => {
    await store.write(putNode('1', { at: 3 }), collect('1', 'events', byField('at', 1000)))
    await assertPositions(store, ROOT, 'events', [[3000, '1']], 'after the write')
  })

  collectionTest('deleting a node deletes its entries, and a new node has none', async store => {
    await store.write(
      putNode('1', { rank: 5 }),
      collect('1'),
      collect('1', 'others'),
      putNode('2', { rank: 6 }),
    )
    await store.write(collect('2'))
    await store.write({ op: 'deleteNode', id: '1' })
    await assertPositions(store, ROOT, 'events', [[6, '2']], 'after the deletion')
    await assertPositions(store, ROOT, 'others', [], 'after the deletion')
    await store.write(putNode('1', { rank: 7 }))
    await assertPositions(store, ROOT, 'events', [[6, '2']], 'with a new node')
  })

  collectionTest('a node of a collection passes a check, others do not', async store => {
    await store.write(putNode('1', { rank: 5 }), collect('1'), putNode('2', { rank: 5 }))
    const checks = ['1', '2', '3'].map(target => store.hasEdge(ROOT, 'events', target))
    assertEqual(await Promise.all(checks), [true, false, false], 'checks of the collection')
    const { entries } = await store.readList(ROOT, 'events')
    const record = { source: ROOT, name: 'events', target: '1', time: entries[0]?.time }
    assertEqual(await store.readEdge(ROOT, 'events', '1'), record, 'the record of the entry')
    assertEqual(await store.readEdge(ROOT, 'events', '2'), false, 'the record of a missing entry')
    assertEqual(await store.hasEdge(ROOT, 'others', '1'), false, 'a check of another collection')
  })

  collectionTest('an entry of a missing node is no error', async store => {
    await store.write(collect('1'))
    await assertPositions(store, ROOT, 'events', [], 'without nodes')
  })
}

const describeEntriesOfEdges = ({ collectionTest }: StoreSuite): void => {
  collectionTest('an order contains the data of its edges, and their times', async store => {
    await store.write(putNode('1'), putNode('2'), putNode('3'))
    await store.write(putEdge('1', 'likes', '2', 70, { rank: 9, text: 'a' }), orderEdge('1', 'likes', '2'))
    await store.write(putEdge('1', 'likes', '3', 80, { rank: 4 }), orderEdge('1', 'likes', '3'))
    const { entries } = await store.readList('1', 'likes#top')
    assertEqual(
      entries.map(({ target, time, data }) => ({ target, time, data })),
      [
        { target: '3', time: 4, data: { rank: 4, '#time': 80 } },
        { target: '2', time: 9, data: { rank: 9, text: 'a', '#time': 70 } },
      ],
      'the entries of the order',
    )
    await assertPositions(
      store,
      '1',
      'likes',
      [
        [70, '2'],
        [80, '3'],
      ],
      'whose other order has a number',
    )
  })

  collectionTest('an entry of an order moves and disappears with its edge', async store => {
    await store.write(putNode('1'), putNode('2'))
    await store.write(putEdge('1', 'likes', '2', 1, { rank: 1 }), orderEdge('1', 'likes', '2'))
    await store.write(putEdge('1', 'likes', '2', 1, { rank: 2 }), orderEdge('1', 'likes', '2'))
    await assertPositions(store, '1', 'likes#top', [[2, '2']], 'after a change')
    await store.write(orderEdge('1', 'likes', '2'))
    await assertPositions(store, '1', 'likes#top', [[2, '2']], 'derived again')
    await store.write(deleteEdge('1', 'likes', '2'), orderEdge('1', 'likes', '2'))
    await assertPositions(store, '1', 'likes#top', [], 'after the deletion of the edge')
  })

  collectionTest('deleting either end deletes the entries of an order', async store => {
    for (const id of ['1', '2', '3']) await store.write(putNode(id))
    for (const target of ['2', '3'])
      await store.write(putEdge('1', 'likes', target, 1, { rank: 1 }), orderEdge('1', 'likes', target))
    await store.write({ op: 'deleteNode', id: '2' })
    await assertPositions(store, '1', 'likes#top', [[1, '3']], 'after the deletion of a target')
    await store.write({ op: 'deleteNode', id: '1' }, putNode('1'))
    await assertPositions(store, '1', 'likes#top', [], 'after the deletion of its source')
  })

  collectionTest('a mirrored edge has entries in the orders of both sides', async store => {
    await store.write(putNode('1'), putNode('2'))
    const entries = [orderEdge('1', 'friends', '2'), orderEdge('2', 'friends', '1')]
    await store.write(withMirror(putEdge('2', 'friends', '1', 5, { rank: 3 }), 'friends'), ...entries)
    await assertPositions(store, '1', 'friends#top', [[3, '2']], 'after the write')
    await assertPositions(store, '2', 'friends#top', [[3, '1']], 'after the write')
    await store.write(withMirror(deleteEdge('1', 'friends', '2'), 'friends'), ...entries)
    await assertPositions(store, '2', 'friends#top', [], 'after the deletion')
  })
}

const describeDependentEntries = ({ collectionTest }: StoreSuite): void => {
  collectionTest('an entry contains the result of an increment', async store => {
    if (!store.capabilities.conditionalWrites) return
    await store.write(putNode('1', { rank: 5 }), collect('1'))
    await store.write(incrementNode('1', 'rank', 2), collect('1'))
    await assertPositions(store, ROOT, 'events', [[7, '1']], 'after the increment')
  })

  collectionTest('a batch that is rejected changes no entry', async store => {
    await store.write(putNode('1', { rank: 5 }), collect('1'))
    await assertInvalid(() => store.write(patchNode('9', { rank: 1 }), collect('9')), 0, 'a patch')
    if (store.capabilities.conditionalWrites) {
      const patch = withCondition(patchNode('1', { rank: 6 }), { fields: { rank: 4 } })
      const path = 'when.fields.rank'
      await assertConflict(() => store.write(patch, collect('1')), { index: 0, path }, 'a condition')
    }
    await assertPositions(store, ROOT, 'events', [[5, '1']], 'after the rejected batches')
  })

  collectionTest('after concurrent changes, an entry has the last value', async store => {
    await store.write(putNode('1', { rank: 0 }), collect('1'))
    const changes = Array.from({ length: 40 }, (_, index) => [patchNode('1', { rank: index }), collect('1')])
    await Promise.all([...changes.map(batch => store.write(...batch)), store.write(collect('1'))])
    const rank = (await store.readNode('1'))?.fields.rank
    await assertPositions(store, ROOT, 'events', [[Number(rank), '1']], 'after the changes')
  })
}

const describeFlags = ({ collectionTest }: StoreSuite): void => {
  collectionTest('a flag has its last value; in an empty store, it has every value', async store => {
    const [first, other, replacing] = [
      { name: 'a', value: 'one' },
      { name: 'b', value: 'one' },
      { name: 'a', value: 'two' },
    ]
    const readFlags = async () => (await store.read({ flags: [first, other, replacing] })).flags
    assertEqual(await readFlags(), [true, true, true], 'the flags of an empty store')
    await store.write(putNode('1'))
    assertEqual(await readFlags(), [false, false, false], 'the flags of a store with a node')
    await store.write({ op: 'putFlag', flag: replacing }, putNode('2'), { op: 'putFlag', flag: first })
    await store.write({ op: 'putFlag', flag: first })
    assertEqual(await readFlags(), [true, false, false], 'the flags after `a` was put')
    await store.write({ op: 'putFlag', flag: replacing })
    assertEqual(await readFlags(), [false, false, true], 'the flags after `a` was replaced')
  })
}
