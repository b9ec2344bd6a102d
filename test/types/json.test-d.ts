import { defineSchema, field, type Graph, type Mutation, node } from 'kithgraph'
import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId } from '../../src/base/ids.ts'
import type { JsonValue } from '../../src/base/json.ts'

type Settings = {
  theme: 'dark' | 'light'
  size?: number
  owner: { name: string } | null
  tags: { label: string }[][]
}

const schema = defineSchema({
  item: node({
    fields: {
      any: field.json({ required: true, default: true }),
      settings: field.json<Settings>(),
      kept: field.json<Settings, { present: true }>({ present: true }),
      mixed: field.json<string | { a: string }, { present: true }>({ present: true }),
      list: field.json<readonly JsonValue[]>(),
      day: field.date({ required: true }),
    },
  }),
})

declare const graph: Graph<typeof schema>
declare const token: string
const item = { id: '4', type: 'item' } as const

describe('a field of JSON', () => {
  it('has the type JsonValue, or the declared type', () => {
    expectTypeOf(graph.getNode(token, item)).resolves.toEqualTypeOf<{ id: PublicId; any: JsonValue }>()
    expectTypeOf(graph.getNode(token, { ...item, fields: 'settings,kept,day' })).resolves.toEqualTypeOf<{
      id: PublicId
      settings?: Settings
      kept: Settings
      day: string
    }>()
  })

  it('has the selected members of its type, which are optional if the value may be no object', () => {
    expectTypeOf(
      graph.getNode(token, { ...item, fields: 'kept{theme,size,owner{name},tags{label.as(l)}},mixed{a}' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      kept: { theme: 'dark' | 'light'; size?: number; owner?: { name: string }; tags: { l: string }[][] }
      mixed?: { a: string }
    }>()
  })

  it('without a declared type, accepts any names and stays a JsonValue', () => {
    expectTypeOf(graph.getNode(token, { ...item, fields: 'any{a{b},c},list{d}' })).resolves.toEqualTypeOf<{
      id: PublicId
      any?: JsonValue
      list?: JsonValue[]
    }>()
  })

  it('rejects a member that the declared type does not have', () => {
    // @ts-expect-error: no 'colour' in settings
    graph.getNode(token, { ...item, fields: 'settings{colour}' })
  })

  it('is written with its type', () => {
    const fields = { any: [1, null], day: '2026-01-31' }
    expectTypeOf({ op: 'putNode' as const, node: { id: '1', type: 'item' as const, fields } }).toExtend<
      Mutation<typeof schema>
    >()
    // @ts-expect-error: the options that types depend on are named together with the type
    field.json<Settings>({ required: true })
  })
})
