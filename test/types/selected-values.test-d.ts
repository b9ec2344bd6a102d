import { defineFieldType, defineSchema, field, node } from 'kithgraph'
import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId } from '../../src/base/ids.ts'
import type { Graph } from '../../src/graph-interface.ts'
import type { socialSchema } from '../../src/schema/social/social-schema.ts'

const money = defineFieldType({
  name: 'money',
  expected: 'an amount',
  parse: (value: string) => value,
  serialize: (stored: string) => ({ amount: stored, currency: stored }),
})

const schema = defineSchema({
  item: node({
    fields: {
      price: field.of(money),
      counts: field.map(field.int()),
      grid: field.list(
        field.list(field.object({ width: field.int({ required: true }), note: field.string() })),
      ),
      frame: field.object({ inner: field.object({ width: field.int() }, { required: true }) }),
    },
  }),
})

declare const social: Graph<typeof socialSchema>
declare const own: Graph<typeof schema>
declare const token: string

const item = { id: '4', type: 'item' } as const

describe('the type of a selection inside of a value', () => {
  it('has the selected fields of its type', () => {
    expectTypeOf(
      social.getMe(token, { fields: 'picture{url,width.as(w)},age_range{min,max}' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      picture?: { data: { url: string; w: number } }
      age_range?: { min: number; max?: number }
    }>()
  })

  it('applies to each value of a list', () => {
    expectTypeOf(
      own.getNode(token, { ...item, fields: 'grid{width},frame{inner{width}}' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      grid?: { width: number }[][]
      frame?: { inner: { width?: number } }
    }>()
  })

  it('has optional members in a map, and the members of a custom type', () => {
    expectTypeOf(own.getNode(token, { ...item, fields: 'counts{a},price{amount}' })).resolves.toEqualTypeOf<{
      id: PublicId
      counts?: { a?: number }
      price?: { amount: string }
    }>()
  })
})
