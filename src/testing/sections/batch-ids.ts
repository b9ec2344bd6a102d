import type { BatchId } from '../../store/conditional.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual } from '../assertions.ts'
import {
  createToken,
  incrementNode,
  patchNode,
  putEdge,
  putNode,
  putNodes,
  withCondition,
  withMirror,
} from '../records.ts'
import { assertConflict, assertInvalid } from '../rejections.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

const KEEP_MS = 60_000
const SHORT_KEEP_MS = 30
/** More than `SHORT_KEEP_MS`, because the clock of a server may differ slightly. */
const EXPIRY_MS = 60

const createBatchId = (id: string, overrides: Partial<BatchId> = {}): BatchId => ({
  id,
  digest: `digest of ${id}`,
  keepMs: KEEP_MS,
  ...overrides,
})
const FIRST = createBatchId('first')
const ID_CONFLICT = { path: 'id' }

const increment = incrementNode('1', 'visits', 1)

const assertVisits = async (store: StoreProbe, visits: number, label: string): Promise<void> =>
  assertEqual((await store.readNode('1'))?.fields.visits, visits, `the number of visits ${label}`)

/** Ids that a sender may choose. */
const SPECIAL_IDS = ['', 'first', 'First', '__proto__', 'a:b', '{a}', '\u0000', '😀', 'x'.repeat(200)]

export const describeBatchIds = (suite: StoreSuite): void => {
  describeSentAgain(suite)
  describeOtherBatches(suite)
}

const describeSentAgain = ({ conditionalTest }: StoreSuite): void => {
  conditionalTest('a batch that is sent again with its id is written once', async store => {
    await store.write(putNode('1'))
    for (const label of ['sent', 'sent again', 'sent a third time']) {
      await store.writeOnce(FIRST, increment)
      await assertVisits(store, 1, `after the batch was ${label}`)
    }
  })

  conditionalTest(
    'a batch without conditions that is sent again with its id does not undo later writes',
    async store => {
      const token: StoreMutation = { op: 'putToken', digest: 'digest', token: createToken('demo') }
      const edge = withMirror(putEdge('1', 'friends', '2', 1), 'friends')
      const batch = [...putNodes('1', '2', '3'), edge, putEdge('3', 'likes', '1'), token]
      await store.writeOnce(FIRST, ...batch)
      await store.write(
        patchNode('1', { name: 'Ada' }),
        withMirror(putEdge('2', 'friends', '1', 2), 'friends'),
        { op: 'deleteNode', id: '3' },
        { op: 'deleteToken', digest: 'digest' },
      )
      await store.writeOnce(FIRST, ...batch)
      const { nodes, tokens } = await store.read({ nodes: ['1', '3'], tokens: ['digest'] })
      const fields = nodes.map(node => node?.fields)
      assertEqual([fields, tokens], [[{ name: 'Ada' }, undefined], [undefined]], 'the nodes and the token')
      for (const id of ['1', '2']) {
        const { entries, total } = await store.readList(id, 'friends')
        assertEqual([entries.map(({ time }) => time), total], [[2], 1], `the list and its count of ${id}`)
      }
    },
  )

  conditionalTest(
    'a batch that is sent again with its id succeeds, even if it has become invalid',
    async store => {
      await store.write(putNode('1', { visits: 0 }), putNode('2'))
      const visit = withCondition(increment, { fields: { visits: 0 } })
      const join = withCondition(putEdge('1', 'likes', '2'), { exists: false })
      await store.writeOnce(FIRST, visit, join)
      await store.writeOnce(FIRST, visit, join)
      await assertVisits(store, 1, 'after the condition no longer holds')
      await store.write({ op: 'deleteNode', id: '1' }, { op: 'deleteNode', id: '2' })
      await store.writeOnce(FIRST, visit, join)
      assertEqual(await store.readNode('1'), undefined, 'the node that was deleted')
    },
  )
}

const describeOtherBatches = ({ conditionalTest }: StoreSuite): void => {
  conditionalTest(
    'another batch with the same id is a conflict with the path "id", and writes nothing',
    async store => {
      await store.write(putNode('1'))
      await store.writeOnce(FIRST, increment)
      const other = createBatchId('first', { digest: 'another digest' })
      const failing = withCondition(patchNode('1', { visits: 5 }), { exists: false })
      for (const mutation of [incrementNode('1', 'visits', 5), patchNode('1', { visits: 5 }), failing])
        await assertConflict(() => store.writeOnce(other, mutation), ID_CONFLICT, 'another batch')
      await store.writeOnce(FIRST, increment)
      await assertVisits(store, 1, 'after the conflicts')
    },
  )

  conditionalTest('each id is an id of its own, even if the digests are equal', async store => {
    await store.write(putNode('1'))
    for (const id of SPECIAL_IDS) await store.writeOnce(createBatchId(id, { digest: 'same' }), increment)
    for (const id of SPECIAL_IDS) await store.writeOnce(createBatchId(id, { digest: 'same' }), increment)
    await assertVisits(store, SPECIAL_IDS.length, 'after each batch was sent twice')
  })

  conditionalTest('the id of a batch that failed is not kept', async store => {
    await store.write(putNode('1', { visits: 1 }), putNode('2'))
    const [early, other] = [createBatchId('early'), createBatchId('early', { digest: 'another digest' })]
    const batch = [increment, withCondition(patchNode('1', { seen: true }), { exists: false })]
    await assertConflict(
      () => store.writeOnce(early, ...batch),
      { index: 1, path: 'when.exists' },
      'the batch',
    )
    await assertInvalid(() => store.writeOnce(early, incrementNode('9', 'visits', 1)), 0, 'the invalid batch')
    await store.writeOnce(other, increment)
    await assertVisits(store, 2, 'after another batch with the id of the failed batches')
    const late = createBatchId('late')
    const writeLate = () => store.writeOnce(late, withCondition(increment, { fields: { visits: 3 } }))
    await assertConflict(writeLate, { index: 0, path: 'when.fields.visits' }, 'the late batch')
    await store.write(increment)
    await writeLate()
    await assertVisits(store, 4, 'after the same batch was sent again')
  })

  conditionalTest('an id is unknown after its time, and may be used again', async store => {
    await store.write(putNode('1'))
    const short = createBatchId('short', { keepMs: SHORT_KEEP_MS })
    await store.writeOnce(short, increment)
    await store.writeOnce(FIRST, increment)
    await new Promise(resolve => setTimeout(resolve, EXPIRY_MS))
    await store.writeOnce(createBatchId('short', { digest: 'another digest' }), increment)
    await store.writeOnce(FIRST, increment)
    await assertVisits(store, 3, 'after an id was used again')
    await assertConflict(() => store.writeOnce(short, increment), ID_CONFLICT, 'the batch of the expired id')
  })
}
