import {
  defineSchema,
  edge,
  field,
  hasScope,
  isViewer,
  node,
  type Policy,
  type Rule,
  socialSchema,
  viewerHasEdge,
} from 'kithgraph'
import { describe, expect, it } from 'vitest'

const policy: Policy = [isViewer(), hasScope('x')]

describe('a declared policy', () => {
  it.each<readonly [string, (policy: Policy | undefined) => { readonly policy: Policy | undefined }]>([
    ['node', policy => node({ policy })],
    ['edge', policy => edge('user', { policy })],
    ['field.string', policy => field.string({ policy })],
    ['field.numericString', policy => field.numericString({ policy })],
    ['field.bool', policy => field.bool({ policy })],
    ['field.int', policy => field.int({ policy })],
    ['field.float', policy => field.float({ policy })],
    ['field.url', policy => field.url({ policy })],
    ['field.datetime', policy => field.datetime({ policy })],
    ['field.unixtime', policy => field.unixtime({ policy })],
    ['field.date', policy => field.date({ policy })],
    ['field.json', policy => field.json({ policy })],
    ['field.birthday', policy => field.birthday({ policy })],
    ['field.picture', policy => field.picture({ policy })],
    ['field.ageRange', policy => field.ageRange({ policy })],
    ['field.enum', policy => field.enum(['a'], { policy })],
    ['field.list', policy => field.list(field.int(), { policy })],
    ['field.map', policy => field.map(field.int(), { policy })],
    ['field.object', policy => field.object({ a: field.int() }, { policy })],
    ['field.ref', policy => field.ref('user', { policy })],
    ['field.viewerEdge', policy => field.viewerEdge('likes', { policy })],
  ])('is a frozen copy of the list of rules: %s', (_, declare) => {
    const rules = [...policy]
    const declared = declare(rules)
    rules.pop()
    expect(declared.policy).toEqual(policy)
    expect(Object.isFrozen(declared.policy)).toBe(true)
    expect(declare([]).policy).toEqual([])
    expect(declare(undefined).policy).toBeUndefined()
  })

  it('contains the rule objects themselves, not copies', () => {
    class Always implements Rule {
      readonly name = 'always'
      decide() {
        return 'allow' as const
      }
    }
    const rule = new Always()
    expect(node({ policy: [rule] }).policy?.[0]).toBe(rule)
  })
})

describe('an extended schema', () => {
  const schema = defineSchema({
    user: node({
      policy,
      fields: { name: field.string({ policy }), nick: field.string({ policy }) },
      edges: { friends: edge('user', { policy, symmetric: true }), likes: edge('user', { policy }) },
    }),
  })

  it('inherits policies', () => {
    const { user } = schema.extend({ user: { description: 'A person.', fields: { age: field.int() } } }).types
    expect(user.policy).toEqual(policy)
    expect(user.fields.name.policy).toEqual(policy)
    expect(user.edges.friends.policy).toEqual(policy)
  })

  it('replaces a policy as a whole', () => {
    const extraRules = [viewerHasEdge('friends')]
    expect(schema.extend({ user: { policy: extraRules } }).types.user.policy).toEqual(extraRules)
    expect(schema.extend({ user: { policy: [] } }).types.user.policy).toEqual([])
    expect(schema.types.user.policy).toEqual(policy)
  })

  it('replaces a field and an edge with all their options, policy included', () => {
    const { user } = schema.extend({
      user: { fields: { name: field.string() }, edges: { likes: edge('user') } },
    }).types
    expect(user.fields.name.policy).toBeUndefined()
    expect(user.fields.nick.policy).toEqual(policy)
    expect(user.edges.likes.policy).toBeUndefined()
    expect(user.edges.friends.policy).toEqual(policy)
  })
})

describe('the social schema with policies', () => {
  it('accepts rules about friends, members and owners', () => {
    const { photo, group, user } = socialSchema.extend({
      user: { policy: [isViewer(), viewerHasEdge('friends')] },
      photo: { policy: [isViewer({ of: 'from' }), viewerHasEdge('friends', { of: 'from' })] },
      group: { policy: [viewerHasEdge('groups')] },
    }).types
    expect([user, photo, group].map(type => type.policy?.length)).toEqual([2, 2, 1])
  })
})
