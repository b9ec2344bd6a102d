import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual } from '../assertions.ts'
import {
  createToken,
  deleteEdge,
  incrementNode,
  patchNode,
  putEdge,
  putNode,
  withCondition,
  withMirror,
} from '../records.ts'
import { assertConflict, assertGraphError } from '../rejections.ts'
import type { StoreSuite } from '../store-suite.ts'
import { assertContains, RECORDS, resetRecords } from './condition-records.ts'

const deleteNode = (id: string): StoreMutation => ({ op: 'deleteNode', id })

/** Valid mutations of the node 1 and of its edges. */
const OWN_MUTATIONS: readonly StoreMutation[] = [
  patchNode('1', { role: 'owner' }),
  putEdge('1', 'knows', '2', 4),
  deleteEdge('1', 'likes', '3'),
]
const OTHER_MUTATIONS: readonly StoreMutation[] = [
  putNode('9'),
  patchNode('2', { role: 'owner' }),
  deleteNode('3'),
  { op: 'putToken', digest: 'digest', token: createToken('demo') },
]

/** A mutation that the node 1 can contain together with `OWN_MUTATIONS`, with a condition that fails. */
const FAILING = withCondition(putEdge('1', 'likes', '2', 9), { exists: false })
const FAILING_PATH = 'when.exists'

/** Batches that are written only if the last condition sees the mutations before it. */
const BATCHES_IN_ORDER: readonly (readonly StoreMutation[])[] = [
  [putNode('9'), withCondition(patchNode('9', { age: 1 }), { exists: true })],
  [deleteNode('1'), withCondition(putNode('1', {}, 'other'), { exists: false })],
  [patchNode('1', { role: 'x' }), withCondition(patchNode('1', { n: 1 }), { fields: { role: 'x' } })],
  [patchNode('1', { role: null }), withCondition(deleteNode('1'), { fields: { role: null, level: 3 } })],
  [incrementNode('1', 'level', 2), withCondition(patchNode('1', { n: 1 }), { fields: { level: 5 } })],
  [incrementNode('1', 'level', 2), incrementNode('1', 'level', 3)],
  [
    putEdge('1', 'knows', '2', 5, { n: 1 }),
    withCondition(deleteEdge('1', 'knows', '2'), { fields: { n: 1 } }),
  ],
  [putEdge('1', 'likes', '2', 5), withCondition(putEdge('1', 'likes', '2', 6), { fields: { role: null } })],
  [deleteNode('2'), putNode('2'), withCondition(putEdge('1', 'likes', '2', 6), { exists: false })],
  [
    withMirror(putEdge('1', 'friends', '2', 5, { n: 1 }), 'friends'),
    withCondition(withMirror(deleteEdge('2', 'friends', '1'), 'friends'), { fields: { n: 1 } }),
  ],
]

/** Batches whose last condition holds before the batch, but not after the mutations before it. */
const BATCHES_OUT_OF_ORDER: readonly (readonly [batch: readonly StoreMutation[], path: string])[] = [
  [[deleteNode('1'), withCondition(patchNode('1', {}), { exists: true })], 'when.exists'],
  [[putNode('9'), withCondition(putNode('9'), { exists: false })], 'when.exists'],
  [[putNode('1'), withCondition(patchNode('1', {}), { fields: { role: 'admin' } })], 'when.fields.role'],
  [
    [incrementNode('1', 'level', 1), withCondition(patchNode('1', {}), { fields: { level: 3 } })],
    'when.fields.level',
  ],
  [[deleteNode('2'), withCondition(deleteEdge('1', 'likes', '2'), { exists: true })], 'when.exists'],
  [[putEdge('1', 'knows', '2'), withCondition(putEdge('1', 'knows', '2'), { exists: false })], 'when.exists'],
  [
    [putEdge('1', 'likes', '2'), withCondition(deleteEdge('1', 'likes', '2'), { fields: { level: 3 } })],
    'when.fields.level',
  ],
]

const friends = (source: string, target: string): StoreMutation =>
  withMirror(putEdge(source, 'friends', target, 5, { n: 1 }), 'friends')
const unfriend = (source: string, target: string): StoreMutation =>
  withMirror(deleteEdge(source, 'friends', target), 'friends')

/** Batches that a store with atomicity `source` rejects, because they would need several sources at once. */
const BATCHES_OF_SEVERAL_SOURCES: readonly (readonly StoreMutation[])[] = [
  [incrementNode('1', 'level', 1), patchNode('2', { n: 1 })],
  [patchNode('2', { n: 1 }), incrementNode('1', 'level', 1)],
  [putNode('9'), withCondition(patchNode('1', { n: 1 }), { exists: true })],
  [withCondition(putEdge('1', 'likes', '2', 9), { exists: true }), putEdge('2', 'likes', '1')],
  [withCondition(deleteNode('1'), { exists: true }), deleteNode('2')],
  [withCondition(friends('1', '2'), { exists: false }), patchNode('1', { n: 1 })],
  [patchNode('2', { n: 1 }), withCondition(friends('1', '2'), { exists: false })],
  [withCondition(friends('1', '2'), { exists: false }), withCondition(friends('1', '3'), { exists: false })],
]

export const describeConditionalBatches = (suite: StoreSuite): void => {
  describeWholeBatches(suite)
  describeOrder(suite)
  describeMirrors(suite)
}

const describeWholeBatches = ({ conditionalTest }: StoreSuite): void => {
  conditionalTest('a batch whose conditions hold is written as a whole', async store => {
    await store.write(...RECORDS)
    const conditions = [
      withCondition(incrementNode('1', 'level', 2), { fields: { role: 'admin' } }),
      withCondition(putEdge('1', 'knows', '2', 4), { exists: false }),
      withCondition(deleteEdge('1', 'likes', '2'), { fields: { role: 'admin' } }),
      putEdge('1', 'likes', '3', 9),
    ]
    await store.write(...conditions)
    await assertContains(store, [...RECORDS, ...conditions], 'after the batch')
  })

  conditionalTest('a batch with one condition that fails changes nothing', async store => {
    await store.write(...RECORDS)
    const others =
      store.capabilities.atomicity === 'batch' ? [...OTHER_MUTATIONS, ...OWN_MUTATIONS] : OWN_MUTATIONS
    for (const index of others.keys()) {
      const batch = others.toSpliced(index, 0, FAILING)
      await assertConflict(() => store.write(...batch), { index, path: FAILING_PATH }, 'the batch')
    }
    const increments = [incrementNode('1', 'level', 1), FAILING]
    await assertConflict(() => store.write(...increments), { index: 1, path: FAILING_PATH }, 'the increment')
    await assertContains(store, RECORDS, 'after conflicts')
  })

  conditionalTest(
    'a batch with a condition or an increment that changes several sources is rejected before it writes if the atomicity is source, and written otherwise',
    async store => {
      for (const batch of BATCHES_OF_SEVERAL_SOURCES) {
        await resetRecords(store)
        const label = `the batch ${JSON.stringify(batch)}`
        if (store.capabilities.atomicity === 'source') {
          const { reason } = await assertGraphError(() => store.write(...batch), label)
          assertEqual(reason, 'invalid_mutation', `the reason of ${label}`)
          await assertContains(store, RECORDS, `after ${label}`)
        } else {
          await store.write(...batch)
          await assertContains(store, [...RECORDS, ...batch], `after ${label}`)
        }
      }
    },
  )
}

const describeOrder = ({ conditionalTest }: StoreSuite): void => {
  conditionalTest(
    'a condition is evaluated after the mutations before it if the atomicity of the store is batch',
    async store => {
      if (store.capabilities.atomicity === 'source') return
      for (const batch of BATCHES_IN_ORDER) {
        await resetRecords(store)
        await store.write(...batch)
        await assertContains(store, [...RECORDS, ...batch], `after the batch ${JSON.stringify(batch)}`)
      }
      await resetRecords(store)
      for (const [batch, path] of BATCHES_OUT_OF_ORDER)
        await assertConflict(() => store.write(...batch), { index: 1, path }, JSON.stringify(batch))
      await assertContains(store, RECORDS, 'after conflicts')
    },
  )
}

const describeMirrors = ({ conditionalTest }: StoreSuite): void => {
  const ENDS = [
    ['1', '2'],
    ['2', '1'],
  ] as const

  conditionalTest(
    'a condition of a mirrored edge holds or fails regardless of the side that is named',
    async store => {
      for (const [source, target] of ENDS) {
        await resetRecords(store)
        const put = friends(source, target)
        await store.write(withCondition(put, { exists: false }))
        for (const [other, end] of ENDS) {
          const putAgain = withCondition(friends(other, end), { exists: false })
          await assertConflict(() => store.write(putAgain), { index: 0, path: 'when.exists' }, 'a second put')
          const remove = withCondition(unfriend(other, end), { fields: { n: 2 } })
          await assertConflict(() => store.write(remove), { index: 0, path: 'when.fields.n' }, 'a deletion')
        }
        await assertContains(store, [...RECORDS, put], 'after conflicts')
        await store.write(withCondition(unfriend(target, source), { fields: { n: 1 } }))
        await assertContains(store, RECORDS, 'after the deletion')
      }
    },
  )

  conditionalTest('an edge that is its own mirror is written once if its condition holds', async store => {
    await store.write(...RECORDS, friends('1', '1'))
    const putAgain = withCondition(friends('1', '1'), { exists: false })
    await assertConflict(() => store.write(putAgain), { index: 0, path: 'when.exists' }, 'a second put')
    await store.write(withCondition(unfriend('1', '1'), { fields: { n: 1 } }))
    await assertContains(store, RECORDS, 'after the deletion')
  })

  conditionalTest(
    'a condition of an edge whose mirror differs is evaluated on the named edge if the atomicity is batch',
    async store => {
      if (store.capabilities.atomicity === 'source') return
      for (const [source, target] of ENDS) {
        await resetRecords(store)
        await store.write(putEdge(source, 'friends', target, 3, { n: 2 }))
        const [present, absent] = [friends(source, target), friends(target, source)]
        const putPresent = withCondition(present, { exists: false })
        await assertConflict(() => store.write(putPresent), { index: 0, path: 'when.exists' }, 'a put')
        await store.write(withCondition(absent, { exists: false }))
        await assertContains(store, [...RECORDS, absent], 'after a put of the missing side')
      }
    },
  )
}
