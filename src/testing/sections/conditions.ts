import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { WriteCondition } from '../../store/conditional.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual, fail } from '../assertions.ts'
import { deleteEdge, patchNode, putEdge, putNode, withCondition } from '../records.ts'
import { assertConflict, assertInvalid } from '../rejections.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'
import { assertContains, RECORDS, resetRecords } from './condition-records.ts'

/** Each mutation, for a record that exists and for a record that is missing. */
const MUTATIONS: readonly { readonly existing: StoreMutation; readonly missing: StoreMutation }[] = [
  { existing: putNode('1', { role: 'owner' }), missing: putNode('9', { role: 'owner' }) },
  { existing: patchNode('1', { age: 36 }), missing: patchNode('9', { age: 36 }) },
  { existing: { op: 'deleteNode', id: '1' }, missing: { op: 'deleteNode', id: '9' } },
  { existing: putEdge('1', 'likes', '2', 7, { role: 'owner' }), missing: putEdge('1', 'knows', '2', 7) },
  { existing: deleteEdge('1', 'likes', '2'), missing: deleteEdge('1', 'knows', '2') },
]

const HOLDING: readonly WriteCondition[] = [
  { exists: true },
  { fields: { level: 3, role: 'admin', absent: null } },
]

const FAILING: readonly (readonly [when: WriteCondition, path: string])[] = [
  [{ exists: false }, 'when.exists'],
  [{ fields: { role: 'Admin' } }, 'when.fields.role'],
  [{ fields: { role: 'admin', level: 4 } }, 'when.fields.level'],
  [{ fields: { role: null } }, 'when.fields.role'],
  [{ fields: { role: 'admin', absent: '' } }, 'when.fields.absent'],
]

const FAILING_IF_MISSING: readonly (readonly [when: WriteCondition, path: string])[] = [
  [{ exists: true }, 'when.exists'],
  [{ fields: {} }, 'when.exists'],
  [{ fields: { role: null } }, 'when.exists'],
]

const writeIf = (store: StoreProbe, mutation: StoreMutation, when: WriteCondition): Promise<void> =>
  store.write(withCondition(mutation, when))

const assertConflicts = async (
  store: StoreProbe,
  mutation: StoreMutation,
  conditions: readonly (readonly [when: WriteCondition, path: string])[],
): Promise<void> => {
  for (const [when, path] of conditions)
    await assertConflict(
      () => writeIf(store, mutation, when),
      { index: 0, path },
      `${mutation.op} with the condition ${JSON.stringify(when)}`,
    )
}

/** Values that are different as JSON, although they look alike. */
const DIFFERENT_VALUES: readonly (readonly [stored: JsonValue, other: JsonValue])[] = [
  [1, '1'],
  [1, true],
  [0, ''],
  [0, false],
  ['', false],
  [[], {}],
  [[], null],
  [{}, null],
  [{ a: null }, {}],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 1]],
  [{ a: 1 }, { a: 1, b: 1 }],
  [
    { a: 1, b: 2 },
    { a: 2, b: 1 },
  ],
  [{ a: { b: [1] } }, { a: { b: [2] } }],
  [9_007_199_254_740_991, 9_007_199_254_740_990],
  ['a', 'a '],
  ['é', 'e\u0301'],
  ['\u0000', ''],
]
const STORED_VALUES: JsonObject = Object.fromEntries(
  DIFFERENT_VALUES.map(([stored], index) => [`field_${index}`, stored]),
)

/** Values that are stored, and the same values with the names of objects in another order. */
const REORDERED_VALUES: readonly [stored: JsonObject, same: JsonObject] = [
  { object: { a: 1, b: { c: [{ d: null, e: 'x' }], 2: {} } }, list: [{ y: 1.5, x: [] }], tiny: 5e-324 },
  { tiny: 5e-324, list: [{ x: [], y: 1.5 }], object: { b: { 2: {}, c: [{ e: 'x', d: null }] }, a: 1 } },
]

/** Names that every object inherits, or that could be part of a path or a key. */
const SPECIAL_NAMES = ['__proto__', 'constructor', 'toString', '', 'a.b', 'a:b', '\u0000', '😀']

const toMembers = (value: JsonValue): JsonObject =>
  Object.fromEntries(SPECIAL_NAMES.map(name => [name, value]))

export const describeConditions = (suite: StoreSuite): void => {
  describeEachMutation(suite)
  describeEquality(suite)
  describeConflicts(suite)
}

const describeEachMutation = ({ conditionalTest }: StoreSuite): void => {
  for (const { existing, missing } of MUTATIONS)
    conditionalTest(`${existing.op} is written only if its condition holds`, async store => {
      await store.write(...RECORDS)
      await assertConflicts(store, existing, FAILING)
      await assertConflicts(store, missing, FAILING_IF_MISSING)
      await assertContains(store, RECORDS, 'after conflicts')
      for (const when of HOLDING) {
        await resetRecords(store)
        await writeIf(store, existing, when)
        await assertContains(store, [...RECORDS, existing], `after the condition ${JSON.stringify(when)}`)
      }
      await resetRecords(store)
      const writeIfMissing = () => writeIf(store, missing, { exists: false })
      if (missing.op === 'patchNode') return assertInvalid(writeIfMissing, 0, 'a patch of a missing node')
      await writeIfMissing()
      await assertContains(store, [...RECORDS, missing], 'after the condition that the record is missing')
    })
}

const describeEquality = ({ conditionalTest }: StoreSuite): void => {
  conditionalTest('values are equal regardless of the order of names in objects', async store => {
    const [stored, same] = REORDERED_VALUES
    await store.write(putNode('1', stored), putNode('2'), putEdge('1', 'likes', '2', 1, stored))
    await writeIf(store, patchNode('1', { seen: true }), { fields: same })
    await writeIf(store, deleteEdge('1', 'likes', '2'), { fields: same })
    assertEqual(await store.hasEdge('1', 'likes', '2'), false, 'the edge')
  })

  conditionalTest(
    'values of other types, lists in another order and other texts are different',
    async store => {
      const likes = putEdge('1', 'likes', '2', 1, STORED_VALUES)
      await store.write(putNode('1', STORED_VALUES), putNode('2'), likes)
      await writeIf(store, patchNode('1', {}), { fields: STORED_VALUES })
      await writeIf(store, likes, { fields: STORED_VALUES })
      for (const [index, [, other]] of DIFFERENT_VALUES.entries()) {
        const name = `field_${index}`
        const conflict = [{ fields: { ...STORED_VALUES, [name]: other } }, `when.fields.${name}`] as const
        await assertConflicts(store, index % 2 === 0 ? patchNode('1', {}) : likes, [conflict])
      }
    },
  )

  conditionalTest('a name is compared as it is, also a name that objects inherit', async store => {
    await store.write(putNode('1'), putNode('2', toMembers(1)))
    await writeIf(store, patchNode('1', {}), { fields: toMembers(null) })
    await writeIf(store, patchNode('2', {}), { fields: toMembers(1) })
    for (const name of SPECIAL_NAMES) {
      const path = `when.fields.${name}`
      const conflict = (value: JsonValue) => [[{ fields: { [name]: value } }, path]] as const
      await assertConflicts(store, patchNode('1', {}), conflict({}))
      await assertConflicts(store, patchNode('2', {}), conflict(null))
    }
  })

  conditionalTest('an edge without data exists, and has no members', async store => {
    await store.write(...RECORDS)
    const edge = putEdge('1', 'likes', '3', 5)
    await assertConflicts(store, edge, [
      [{ exists: false }, 'when.exists'],
      [{ fields: { role: 'admin' } }, 'when.fields.role'],
    ])
    for (const when of [{ exists: true }, { fields: {} }, { fields: { role: null } }])
      await writeIf(store, edge, when)
    await assertContains(store, [...RECORDS, edge], 'after the writes')
  })
}

const SECRET = 'a stored value that callers must not see'

const describeConflicts = ({ conditionalTest }: StoreSuite): void => {
  conditionalTest('only the cause of a conflict contains what was found', async store => {
    await store.write(putNode('1', { secret: SECRET }), putNode('2'))
    await store.write(putEdge('1', 'likes', '2', 1, { secret: SECRET }))
    for (const mutation of [patchNode('1', {}), putEdge('1', 'likes', '2')])
      for (const [when, path] of [
        [{ fields: { secret: 'other' } }, 'when.fields.secret'],
        [{ exists: false }, 'when.exists'],
      ] as const) {
        const data = { index: 0, path }
        const error = await assertConflict(() => writeIf(store, mutation, when), data, 'a failed condition')
        if (`${error.message} ${JSON.stringify(error)}`.includes(SECRET))
          fail('the message or the envelope of a conflict contains a stored value')
        if (!JSON.stringify(error.cause)?.includes(SECRET))
          fail('the cause of a conflict lacks what was found')
      }
  })
}
