import { isGraphError } from '../../base/errors.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual, assertRejects } from '../assertions.ts'
import {
  createNode,
  createRange,
  createToken,
  deleteEdge,
  putEdge,
  putNode,
  putNodes,
  targetsOf,
} from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

const INITIAL_MUTATIONS = [...putNodes('1', '2'), putEdge('1', 'likes', '2', 1)]

/** Batches that are rejected because of their last mutation. */
const REJECTED_BATCHES: readonly (readonly [name: string, mutations: readonly StoreMutation[]])[] = [
  ['an edge from a missing node', [putEdge('4', 'likes', '1')]],
  ['an edge to a missing node', [putEdge('1', 'likes', '4')]],
  [
    'an edge to a node deleted in the same batch',
    [{ op: 'deleteNode', id: '2' }, putEdge('1', 'loves', '2')],
  ],
  ['a patch of a missing node', [{ op: 'patchNode', id: '4', fields: { name: 'Ada' } }]],
  ['a put that changes the type of a node', [putNode('2', {}, 'other')]],
]

const VALID_MUTATIONS = [putNode('3'), putEdge('1', 'knows', '3')]

/**
 * Mutations around the rejected mutation, so that it is the first, a middle or the last mutation of its
 * batch.
 */
const SURROUNDING_MUTATIONS: readonly (readonly [
  before: readonly StoreMutation[],
  after: readonly StoreMutation[],
])[] = [
  [[], VALID_MUTATIONS],
  [VALID_MUTATIONS, VALID_MUTATIONS],
  [VALID_MUTATIONS, []],
]

/** More mutations than a store is likely to send at once. */
const LARGE_BATCH_SIZE = 1100
const manyIds = Array.from({ length: LARGE_BATCH_SIZE }, (_, index) => `${index + 100}`)

const assertRejected = async (
  store: StoreProbe,
  mutations: readonly StoreMutation[],
  index = mutations.length - 1,
): Promise<void> => {
  const error = await assertRejects(() => store.write(...mutations), 'the batch')
  const data = isGraphError(error) ? { reason: error.reason, index: error.data.index } : String(error)
  const label = `the error of a batch of ${mutations.length} mutations`
  assertEqual(data, { reason: 'invalid_mutation', index }, label)
}

export const describeBatches = ({ test }: StoreSuite): void => {
  for (const [name, mutations] of REJECTED_BATCHES)
    test(`a write rejects ${name} as invalid_mutation, with its index in the batch`, async store => {
      await store.write(...INITIAL_MUTATIONS)
      for (const [before, after] of SURROUNDING_MUTATIONS) {
        const index = before.length + mutations.length - 1
        await assertRejected(store, [...before, ...mutations, ...after], index)
      }
    })

  test('a rejected batch writes nothing if the atomicity of the store is batch', async store => {
    await store.write(...INITIAL_MUTATIONS, { op: 'putToken', digest: 'old', token: createToken('demo') })
    await assertRejected(store, [
      putNode('3'),
      { op: 'patchNode', id: '1', fields: { name: 'Ada' } },
      putEdge('1', 'likes', '3'),
      deleteEdge('1', 'likes', '2'),
      { op: 'putToken', digest: 'new', token: createToken('demo') },
      { op: 'deleteToken', digest: 'old' },
      putEdge('1', 'likes', '4'),
    ])
    if (store.capabilities.atomicity === 'source') return
    const result = await store.read({ nodes: ['1', '3'], tokens: ['old', 'new'] })
    assertEqual(result.nodes, [createNode('1'), undefined], 'the nodes')
    assertEqual(result.tokens, [createToken('demo'), undefined], 'the tokens')
    const rangeResult = await store.readList('1', 'likes')
    assertEqual([targetsOf(rangeResult), rangeResult.total], [['2'], 1], 'the list and its count')
  })

  test(`an invalid mutation in a batch of over ${2 * LARGE_BATCH_SIZE} mutations is rejected, and nothing is written if the atomicity is batch`, async store => {
    await store.write(putNode('1'))
    const nodes = putNodes(...manyIds)
    const edges = manyIds.map(id => putEdge('1', 'likes', id))
    const rejectedEdge = putEdge('1', 'likes', '9')
    await assertRejected(store, [...nodes, rejectedEdge, ...edges], LARGE_BATCH_SIZE)
    await assertRejected(store, [...nodes, ...edges, rejectedEdge])
    if (store.capabilities.atomicity === 'source') return
    const ids = [...manyIds.slice(0, 200), ...manyIds.slice(-200)]
    const result = await store.read({ nodes: ids, ranges: [createRange('1', 'likes')] })
    const foundNodes = result.nodes.filter(node => node !== undefined)
    assertEqual(foundNodes, [], 'the nodes that the rejected batch wrote')
    assertEqual([targetsOf(result.ranges[0]), result.ranges[0]?.total], [[], 0], 'the list and its count')
  })

  test('a rejected batch is accepted after it has become valid, and can be written again', async store => {
    const batch = [...putNodes('1', '2'), putEdge('1', 'likes', '2', 1), putEdge('1', 'likes', '4', 2)]
    await assertRejected(store, batch)
    await store.write(putNode('4'))
    for (const label of ['sent again', 'sent a third time']) {
      await store.write(...batch)
      const rangeResult = await store.readList('1', 'likes')
      assertEqual(
        [targetsOf(rangeResult), rangeResult.total],
        [['2', '4'], 2],
        `the list and its count, ${label}`,
      )
    }
  })

  test('the last of several writes to one node or edge in a batch wins', async store => {
    await store.write(
      putNode('1', { name: 'Ada', about: 'first' }),
      { op: 'patchNode', id: '1', fields: { about: null, age: 36 } },
      putNode('2', { name: 'Grace' }),
      putNode('2', { name: 'Barbara' }),
      putEdge('1', 'likes', '2', 1, { n: 1 }),
      putEdge('1', 'likes', '2', 2, { n: 2 }),
    )
    assertEqual(
      await store.readNode('1'),
      createNode('1', { name: 'Ada', age: 36 }),
      'the node after a put and a patch',
    )
    const { entries, total } = await store.readList('1', 'likes')
    const expected = [{ target: '2', time: 2, data: { n: 2 }, node: createNode('2', { name: 'Barbara' }) }]
    assertEqual({ entries, total }, { entries: expected, total: 1 }, 'the list')
  })

  test('a node that is deleted and put again in one batch may have another type, and loses its edges', async store => {
    await store.write(...INITIAL_MUTATIONS)
    await store.write({ op: 'deleteNode', id: '2' }, putNode('2', { name: 'new' }, 'other'))
    assertEqual(await store.readNode('2'), createNode('2', { name: 'new' }, 'other'), 'the node')
    assertEqual((await store.readList('1', 'likes')).total, 0, 'the edges of the old node')
  })

  test('an empty batch changes nothing', async store => {
    await store.write(...INITIAL_MUTATIONS)
    await store.write()
    assertEqual(targetsOf(await store.readList('1', 'likes')), ['2'], 'the list')
  })
}
