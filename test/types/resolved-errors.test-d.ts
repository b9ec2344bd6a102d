import { describe, expectTypeOf, it } from 'vitest'
import type { Graph } from '../../src/graph-interface.ts'
import { defineSchema } from '../../src/schema/define-schema.ts'
import { field } from '../../src/schema/field-builders.ts'
import { node } from '../../src/schema/node.ts'

const graphOf = <TGraph>() => ({}) as TGraph

/** As DataLoader declares it. */
const loadMany = (keys: readonly string[]): Promise<(number | Error)[]> =>
  Promise.resolve(keys.map(key => (key === '1' ? new Error('there is none') : 5)))

class LoaderError extends Error {}

describe('a resolve', () => {
  it('may return an Error in the place of a value, which is no part of the result', () => {
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
      id: string
      loaded?: number
      own?: string
      mixed?: number[]
    }>()
  })

  it('may return no other value than one of its type, or an Error', () => {
    // @ts-expect-error: a text is no integer.
    field.int({ resolve: records => records.map(() => '5') })
    // @ts-expect-error: an Error belongs in the list, in the place of a value.
    field.int({ resolve: () => new Error('there is none') })
  })
})
