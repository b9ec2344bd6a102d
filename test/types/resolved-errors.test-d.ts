import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId } from '../../src/base/ids.ts'
import type { Graph } from '../../src/graph-interface.ts'
import { defineSchema } from '../../src/schema/define-schema.ts'
import { field } from '../../src/schema/field-builders.ts'
import { node } from '../../src/schema/node.ts'

const graphOf = <TGraph>() => ({}) as TGraph

/** The signature that DataLoader declares. */
const loadMany = (keys: readonly string[]): Promise<(number | Error)[]> =>
  Promise.resolve(keys.map(key => (key === '1' ? new Error('there is none') : 5)))

class LoaderError extends Error {}

describe('the type of resolve', () => {
  it('accepts an Error as a value, and excludes it from the type of the result', () => {
    const schema = defineSchema({
      thing: node({
        fields: {
          loaded: field.int({ resolve: records => loadMany(records.map(({ id }) => id)) }),
          own: field.string({ resolve: records => records.map(() => new LoaderError('there is none')) }),
          mixed: field.list(field.int(), {
            resolve: records =>
              records.map(({ id }) => (id === '1' ? new Error('none') : id === '2' ? undefined : [1])),
          }),
        },
      }),
    })
    const { getMe } = graphOf<Graph<typeof schema>>()
    expectTypeOf(getMe('token', { fields: 'loaded,own,mixed' })).resolves.toEqualTypeOf<{
      id: PublicId
      loaded?: number
      own?: string
      mixed?: number[]
    }>()
  })

  it('rejects values of another type than that of the field', () => {
    // @ts-expect-error: a string is not an integer.
    field.int({ resolve: records => records.map(() => '5') })
    // @ts-expect-error: an Error must be an element of the list.
    field.int({ resolve: () => new Error('there is none') })
  })
})
