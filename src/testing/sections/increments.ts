import type { Increment } from '../../store/conditional.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual } from '../assertions.ts'
import { createNode, incrementNode, patchNode, putNode, withCondition } from '../records.ts'
import { assertConflict, assertInvalid } from '../rejections.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

const LARGEST = Number.MAX_SAFE_INTEGER

const createIncrements = (increments: { readonly [name: string]: Increment }): StoreMutation => ({
  op: 'patchNode',
  id: '1',
  fields: {},
  increment: increments,
})
const within = (by: number, min: number, max: number): Increment => ({ by, min, max, isInteger: false })

const assertFields = async (store: StoreProbe, fields: NonNullable<unknown>, label: string): Promise<void> =>
  assertEqual((await store.readNode('1'))?.fields, fields, `the fields ${label}`)

/** Increments whose results are below or above their limits. */
const OUT_OF_LIMITS: readonly Increment[] = [
  within(1, 0, 10),
  within(-11, 0, 20),
  within(LARGEST, -LARGEST, LARGEST),
  within(0, 11, 20),
  within(0, 0, 9),
]

export const describeIncrements = (suite: StoreSuite): void => {
  describeSums(suite)
  describeLimits(suite)
}

const describeSums = ({ conditionalTest }: StoreSuite): void => {
  conditionalTest('an increment adds to a value, and a missing value counts as 0', async store => {
    await store.write(putNode('1', { visits: 10, name: 'Ada', ratio: 0.5 }))
    await store.write(incrementNode('1', 'visits', 1))
    await store.write(incrementNode('1', 'visits', -3), incrementNode('1', 'missing', 7))
    await store.write(incrementNode('1', 'ratio', 0.25))
    await store.write(incrementNode('1', 'visits', 0))
    await assertFields(store, { visits: 8, missing: 7, name: 'Ada', ratio: 0.75 }, 'after the increments')
  })

  conditionalTest(
    'one patch increments several values, also with names that objects inherit',
    async store => {
      await store.write(putNode('1', { a: 1, b: 2, name: 'Ada' }))
      const names = ['a', 'b', 'c', 'constructor', '__proto__', 'a:b', '\u0000']
      const toMembers = <T>(value: T) => Object.fromEntries(names.map(name => [name, value]))
      await store.write(createIncrements(toMembers(within(2, -LARGEST, LARGEST))))
      await assertFields(store, { ...toMembers(2), a: 3, b: 4, name: 'Ada' }, 'after the increments')
    },
  )

  conditionalTest('an increment is applied after the fields of its patch', async store => {
    await store.write(putNode('1', { visits: 10, likes: 10, name: 'Ada' }))
    await store.write({
      ...createIncrements({ visits: within(1, 0, 20), likes: within(2, 0, 20), age: within(3, 0, 20) }),
      ...patchNode('1', { name: 'Grace', visits: 5, likes: null, seen: true }),
    })
    await assertFields(store, { name: 'Grace', seen: true, visits: 6, likes: 2, age: 3 }, 'after the patch')
  })

  conditionalTest('an increment with a condition is applied only if the condition holds', async store => {
    await store.write(putNode('1', { visits: 1 }))
    const increment = withCondition(incrementNode('1', 'visits', 1), { fields: { visits: 1 } })
    await store.write(increment)
    const conflict = { index: 0, path: 'when.fields.visits' }
    await assertConflict(() => store.write(increment), conflict, 'the increment, sent again')
    await assertFields(store, { visits: 2 }, 'after both writes')
  })
}

const describeLimits = ({ conditionalTest }: StoreSuite): void => {
  conditionalTest('a result may be equal to its limits, and large integers are exact', async store => {
    await store.write(putNode('1', { visits: 10, large: LARGEST - 1, small: 1 - LARGEST }))
    const increments = {
      visits: within(-10, 0, 20),
      large: within(1, -LARGEST, LARGEST),
      small: within(-1, -LARGEST, LARGEST),
      other: within(5, 5, 5),
    }
    await store.write(createIncrements(increments))
    await assertFields(store, { visits: 0, large: LARGEST, small: -LARGEST, other: 5 }, 'at the limits')
  })

  conditionalTest(
    'a result that is out of limits is rejected as invalid_mutation, and nothing is written',
    async store => {
      await store.write(putNode('1', { visits: 10, huge: Number.MAX_VALUE }))
      const huge = within(Number.MAX_VALUE, -Number.MAX_VALUE, Number.MAX_VALUE)
      const batches = [
        ...OUT_OF_LIMITS.map(increment => createIncrements({ visits: increment })),
        createIncrements({ missing: within(1, 2, 3) }),
        createIncrements({ other: within(1, 0, 9), huge }),
      ]
      for (const increment of batches) {
        const batch = [patchNode('1', { name: 'Ada' }), increment]
        await assertInvalid(() => store.write(...batch), 1, JSON.stringify(increment))
      }
      await assertFields(store, { visits: 10, huge: Number.MAX_VALUE }, 'after the rejected batches')
    },
  )

  conditionalTest(
    'an increment whose result must be an integer, and is not, is rejected, and nothing is written',
    async store => {
      await store.write(putNode('1', { visits: 1.5, likes: 1 }))
      const integers = { isInteger: true }
      for (const name of ['visits', 'missing'])
        await assertInvalid(
          () =>
            store.write(
              patchNode('1', { likes: 2 }),
              incrementNode('1', name, name === 'visits' ? 1 : 0.5, integers),
            ),
          1,
          `an increment of ${name}`,
        )
      await store.write(incrementNode('1', 'visits', 0.5, integers), incrementNode('1', 'likes', 1, integers))
      await assertFields(store, { visits: 2, likes: 2 }, 'after the increments')
    },
  )

  conditionalTest(
    'an increment of a value that is not a number, or of a missing node, is rejected',
    async store => {
      const fields = { text: '5', yes: true, list: [5], object: { n: 5 } }
      await store.write(putNode('1', fields))
      for (const name of Object.keys(fields))
        await assertInvalid(() => store.write(incrementNode('1', name, 1)), 0, `an increment of ${name}`)
      await assertInvalid(
        () => store.write(incrementNode('9', 'text', 1)),
        0,
        'an increment of a missing node',
      )
      const { nodes } = await store.read({ nodes: ['1', '9'] })
      assertEqual(nodes, [createNode('1', fields), undefined], 'the nodes after the rejected increments')
    },
  )
}
