import { defineSchema, edge, field, node } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/json.ts'
import {
  findAbsentFields,
  withoutGrantedScopes,
} from '../../../src/explorer/page/response/left-out-fields.ts'
import { toSchemaView } from '../../../src/explorer/schema-view.ts'
import { parseFields } from '../../../src/fields/parse.ts'

const schema = toSchemaView(
  defineSchema({
    person: node({
      fields: {
        name: field.string({ default: true }),
        email: field.string({ scope: 'email' }),
        phone: field.string({ default: true, scope: 'phone' }),
        boss: field.ref('person', { scope: 'boss' }),
      },
      edges: {
        friends: edge('person', { fields: { since: field.string({ scope: 'since' }) } }),
        follows: edge(['person', 'shop'], { scope: 'follows' }),
      },
    }),
    shop: node({
      fields: { name: field.string(), email: field.string(), phone: field.string({ scope: 'phone' }) },
    }),
  }),
  'v1.0',
)

/** Returns the paths of the absent fields with their scopes. `$` is the response. */
const findIn = (body: JsonValue, fields: string, types: readonly string[] = ['person']): string[] => {
  const expression = parseFields(fields, { length: 1000, depth: 9, fields: 99 })
  const found = findAbsentFields(body, { schema, root: { types, edge: undefined }, expression })
  const pathOf = (target: JsonValue, value: JsonValue, path: string): string | undefined => {
    if (target === value) return path
    for (const [key, member] of Object.entries(value ?? {})) {
      const inner = typeof member === 'object' ? pathOf(target, member, `${path}.${key}`) : undefined
      if (inner !== undefined) return inner
    }
    return undefined
  }
  return [...found].flatMap(([value, absent]) =>
    absent.map(({ key, scope }) => `${pathOf(value, body, '$')}.${key} ${scope}`),
  )
}

describe('the absent fields of a response in the Explorer', () => {
  it('are requested fields with a scope that an object does not contain', () => {
    expect(findIn({ id: '1', name: 'Ada' }, 'name,email')).toEqual(['$.email email'])
    expect(findIn({ id: '1', email: 'ada@example.org' }, 'name,email')).toEqual([])
    expect(findIn({ id: '1' }, 'name')).toEqual([])
  })

  it('include default fields if the expression selects no field', () => {
    expect(findIn({ id: '1' }, '')).toEqual(['$.phone phone'])
    expect(findIn({ id: '1', friends: { data: [{ id: '2' }] } }, 'friends')).toEqual([
      '$.friends.data.0.phone phone',
    ])
  })

  it('are found in refs, in the entries of pages, and in a page itself', () => {
    const body = { boss: { id: '2', friends: { data: [{ id: '3' }, { id: '4', email: 'x' }] } } }
    expect(findIn(body, 'boss{friends{email}}')).toEqual(['$.boss.friends.data.0.email email'])
    expect(findIn({ data: [{ id: '3' }] }, 'email')).toEqual(['$.data.0.email email'])
  })

  it('include fields of an edge', () => {
    expect(findIn({ friends: { data: [{ id: '2' }] } }, 'friends{since}')).toEqual([
      '$.friends.data.0.since since',
    ])
  })

  it('have the keys of the response', () => {
    const body = { id: '1', pals: { data: [{ id: '2' }] } }
    expect(findIn(body, 'friends.as(pals){email.as(mail)}')).toEqual(['$.pals.data.0.mail email'])
  })

  it('do not include edges and refs, whose missing scope is an error', () => {
    expect(findIn({ id: '1' }, 'follows,boss')).toEqual([])
  })

  it('do not include a field that one of the possible types has without the scope', () => {
    const body = { follows: { data: [{ id: '2' }] } }
    expect(findIn(body, 'follows{email}')).toEqual([])
    expect(findIn(body, 'follows{phone}')).toEqual(['$.follows.data.0.phone phone'])
  })

  it('are empty for values of other shapes', () => {
    for (const body of [null, 'x', 1, [], { friends: null }, { friends: { data: [null, 1] } }])
      expect(findIn(body, 'friends{email}')).toEqual([])
    expect(findIn({ id: '1' }, 'email', [])).toEqual([])
  })
})

describe('the fields that a response leaves out in the Explorer', () => {
  it('are the absent fields whose scope the token does not have', () => {
    const [first, second] = [{ id: '1' }, { id: '2' }]
    const [email, phone] = ['email', 'phone'].map(name => ({ key: name, scope: name }))
    if (email === undefined || phone === undefined) throw new Error('unreachable')
    const absent = new Map([
      [first, [email, phone]],
      [second, [email]],
    ])
    expect(withoutGrantedScopes(absent, new Set(['email']))).toEqual(new Map([[first, [phone]]]))
    expect(withoutGrantedScopes(absent, new Set(['email', 'phone'])).size).toBe(0)
  })
})
