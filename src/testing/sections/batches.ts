import { isGraphError } from '../../base/faults.ts'
import type { Mutation } from '../../store/contract.ts'
import { assertEqual, rejectionOf } from '../assertions.ts'
import { deleteEdge, nodeOf, putEdge, putNode, putNodes, rangeOf, targetsOf, tokenOf } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

const BEFORE = [...putNodes('1', '2'), putEdge('1', 'likes', '2', 1)]

/** Each is refused at its last mutation. */
const REFUSED: readonly (readonly [name: string, mutations: readonly Mutation[]])[] = [
  ['an edge from a missing node', [putEdge('4', 'likes', '1')]],
  ['an edge to a missing node', [putEdge('1', 'likes', '4')]],
  [
    'an edge to a node deleted in the same batch',
    [{ op: 'deleteNode', id: '2' }, putEdge('1', 'loves', '2')],
  ],
  ['a patch of a missing node', [{ op: 'patchNode', id: '4', fields: { name: 'Ada' } }]],
  ['a changed type', [putNode('2', {}, 'other')]],
]

const GOOD = [putNode('3'), putEdge('1', 'knows', '3')]

/** What stands around a refused mutation, so that it is the first, one in the middle and the last. */
const AROUND: readonly (readonly [before: readonly Mutation[], after: readonly Mutation[]])[] = [
  [[], GOOD],
  [GOOD, GOOD],
  [GOOD, []],
]

/** More mutations than a store may send at once. */
const MANY = 1100
const manyIds = Array.from({ length: MANY }, (_, index) => `${index + 100}`)

const assertRefused = async (
  store: StoreProbe,
  mutations: readonly Mutation[],
  index = mutations.length - 1,
): Promise<void> => {
  const error = await rejectionOf(() => store.write(...mutations), 'the batch')
  const data = isGraphError(error) ? { reason: error.data.reason, index: error.data.index } : String(error)
  const about = `what a batch of ${mutations.length} is refused with`
  assertEqual(data, { reason: 'invalid_mutation', index }, about)
}

export const describeBatches = ({ test }: StoreSuite): void => {
  for (const [name, mutations] of REFUSED)
    test(`${name} is refused as an invalid mutation, by its place in the batch`, async store => {
      await store.write(...BEFORE)
      for (const [before, after] of AROUND) {
        const index = before.length + mutations.length - 1
        await assertRefused(store, [...before, ...mutations, ...after], index)
      }
    })

  test('of a batch that is refused nothing is written, where atomicity is by batch', async store => {
    await store.write(...BEFORE, { op: 'putToken', digest: 'old', token: tokenOf('demo') })
    await assertRefused(store, [
      putNode('3'),
      { op: 'patchNode', id: '1', fields: { name: 'Ada' } },
      putEdge('1', 'likes', '3'),
      deleteEdge('1', 'likes', '2'),
      { op: 'putToken', digest: 'new', token: tokenOf('demo') },
      { op: 'deleteToken', digest: 'old' },
      putEdge('1', 'likes', '4'),
    ])
    if (store.capabilities.atomicity === 'source') return
    const answer = await store.read({ nodes: ['1', '3'], tokens: ['old', 'new'] })
    assertEqual(answer.nodes, [nodeOf('1'), undefined], 'the nodes')
    assertEqual(answer.tokens, [tokenOf('demo'), undefined], 'the tokens')
    const slice = await store.list('1', 'likes')
    assertEqual([targetsOf(slice), slice.total], [['2'], 1], 'the list and its count')
  })

  test(`a batch of ${2 * MANY} that is refused in its middle or at its end is not written either`, async store => {
    await store.write(putNode('1'))
    const nodes = putNodes(...manyIds)
    const edges = manyIds.map(id => putEdge('1', 'likes', id))
    const refused = putEdge('1', 'likes', '9')
    await assertRefused(store, [...nodes, refused, ...edges], MANY)
    await assertRefused(store, [...nodes, ...edges, refused])
    if (store.capabilities.atomicity === 'source') return
    const asked = [...manyIds.slice(0, 200), ...manyIds.slice(-200)]
    const answer = await store.read({ nodes: asked, ranges: [rangeOf('1', 'likes')] })
    const found = answer.nodes.filter(node => node !== undefined)
    assertEqual(found, [], 'the nodes that were written nevertheless')
    assertEqual([targetsOf(answer.ranges[0]), answer.ranges[0]?.total], [[], 0], 'the list and its count')
  })

  test('the batch that was refused completes once it can, and again without harm', async store => {
    const batch = [...putNodes('1', '2'), putEdge('1', 'likes', '2', 1), putEdge('1', 'likes', '4', 2)]
    await assertRefused(store, batch)
    await store.write(putNode('4'))
    for (const about of ['sent again', 'sent a third time']) {
      await store.write(...batch)
      const slice = await store.list('1', 'likes')
      assertEqual([targetsOf(slice), slice.total], [['2', '4'], 2], `the list and its count, ${about}`)
    }
  })

  test('the last write of a node and of an edge wins', async store => {
    await store.write(
      putNode('1', { name: 'Ada', about: 'first' }),
      { op: 'patchNode', id: '1', fields: { about: null, age: 36 } },
      putNode('2', { name: 'Grace' }),
      putNode('2', { name: 'Barbara' }),
      putEdge('1', 'likes', '2', 1, { n: 1 }),
      putEdge('1', 'likes', '2', 2, { n: 2 }),
    )
    assertEqual(await store.node('1'), nodeOf('1', { name: 'Ada', age: 36 }), 'the node put and patched')
    const { entries, total } = await store.list('1', 'likes')
    const expected = [{ target: '2', time: 2, data: { n: 2 }, node: nodeOf('2', { name: 'Barbara' }) }]
    assertEqual({ entries, total }, { entries: expected, total: 1 }, 'the list')
  })

  test('a node deleted and put in one batch is new', async store => {
    await store.write(...BEFORE)
    await store.write({ op: 'deleteNode', id: '2' }, putNode('2', { name: 'new' }, 'other'))
    assertEqual(await store.node('2'), nodeOf('2', { name: 'new' }, 'other'), 'the node')
    assertEqual((await store.list('1', 'likes')).total, 0, 'the edges to the node before')
  })

  test('an empty batch changes nothing', async store => {
    await store.write(...BEFORE)
    await store.write()
    assertEqual(targetsOf(await store.list('1', 'likes')), ['2'], 'the list')
  })
}
