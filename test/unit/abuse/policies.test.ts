import {
  allOf,
  anyOf,
  defineFieldType,
  edge,
  field,
  fieldEquals,
  hasEdgeToViewer,
  hasScope,
  isViewer,
  node,
  not,
  type Policy,
  type Rule,
  socialSchema,
  viewerHasEdge,
} from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { faultsOf, thrownBy } from './schema-faults.ts'

const money = defineFieldType({
  name: 'money',
  expected: 'an amount',
  parse: (value: string) => (value.endsWith(' EUR') ? value : undefined),
  serialize: stored => stored,
})

/** A user who has friends and follows pages, a page with owners, and a photo of either under the policy. */
const typesWith = (policy: Policy | undefined) => ({
  user: node({
    fields: { name: field.string() },
    edges: { friends: edge('user', { symmetric: true }), follows: edge('page'), photos: edge('photo') },
  }),
  page: node({ edges: { owners: edge('user'), photos: edge('photo') } }),
  photo: node({
    policy,
    fields: {
      from: field.ref(['user', 'page']),
      album: field.ref('photo'),
      privacy: field.enum(['everyone', 'self']),
      draft: field.bool(),
      width: field.int(),
      taken: field.datetime(),
      born: field.birthday(),
      price: field.of(money),
      tags: field.list(field.string()),
      age: field.ageRange({ from: 'born' }),
      size: field.int({ resolve: records => records.map(() => 1) }),
      viewer_likes: field.viewerEdge('likes'),
    },
    edges: { likes: edge(['user', 'page']), tagged: edge('page') },
  }),
})

const faultsWith = (...policy: readonly Rule[]): string[] =>
  faultsOf(typesWith(policy), { viewers: ['user'] })

const takes = (...policy: readonly Rule[]): void => {
  expect(() => faultsWith(...policy)).toThrow('the schema was taken')
}

describe('a rule of a policy', () => {
  it.each<readonly [Rule, string]>([
    [isViewer({ of: 'owner' }), 'there is no ref "owner"'],
    [isViewer({ of: 'privacy' }), 'there is no ref "privacy"'],
    [isViewer({ of: 'likes' }), 'there is no ref "likes"'],
    [isViewer({ of: 'constructor' }), 'there is no ref "constructor"'],
    [viewerHasEdge('friends', { of: 'owner' }), 'there is no ref "owner"'],
    [viewerHasEdge('frends'), 'there is no edge "frends" on a viewer'],
    [viewerHasEdge('owners'), 'there is no edge "owners" on a viewer'],
    [viewerHasEdge('constructor'), 'there is no edge "constructor" on a viewer'],
    [viewerHasEdge('friends'), 'no edge "friends" of a viewer leads to photo'],
    [viewerHasEdge('friends', { of: 'album' }), 'no edge "friends" of a viewer leads to photo'],
    [viewerHasEdge('photos', { of: 'from' }), 'no edge "photos" of a viewer leads to user or page'],
    [hasEdgeToViewer('owners'), 'there is no edge "owners" on photo'],
    [hasEdgeToViewer('owners', { of: 'album' }), 'there is no edge "owners" on photo'],
    [hasEdgeToViewer('likes', { of: 'from' }), 'there is no edge "likes" on user or page'],
    [hasEdgeToViewer('tagged'), 'no edge "tagged" of photo leads to a viewer'],
    [fieldEquals('privcy', 'everyone'), 'there is no stored field "privcy"'],
    [fieldEquals('likes', 1), 'there is no stored field "likes"'],
    [fieldEquals('size', 1), 'there is no stored field "size"'],
    [fieldEquals('age', 18), 'there is no stored field "age"'],
    [fieldEquals('viewer_likes', true), 'there is no stored field "viewer_likes"'],
    [fieldEquals('privacy', 'friends'), '"privacy" never holds "friends"'],
    [fieldEquals('draft', 'true'), '"draft" never holds "true"'],
    [fieldEquals('width', 1.5), '"width" never holds 1.5'],
    [fieldEquals('taken', '2014-08-03'), '"taken" never holds "2014-08-03"'],
    [fieldEquals('born', '1990-08-03'), '"born" never holds "1990-08-03"'],
    [fieldEquals('price', 5), '"price" never holds 5'],
    [fieldEquals('price', '5 USD'), '"price" never holds "5 USD"'],
    [fieldEquals('tags', 'cat'), '"tags" never holds "cat"'],
    [fieldEquals('from', 'ann'), '"from" never holds "ann"'],
    [fieldEquals('from', 4), '"from" never holds 4'],
  ])('may not speak of what is not there: $name', (rule, fault) => {
    expect(faultsWith(rule)).toEqual([`photo: ${rule.name}: ${fault}`])
  })

  it.each<readonly [Rule]>([
    [isViewer()],
    [isViewer({ of: 'from' })],
    [viewerHasEdge('photos')],
    [viewerHasEdge('photos', { of: 'album' })],
    [viewerHasEdge('friends', { of: 'from' })],
    [viewerHasEdge('follows', { of: 'from' })],
    [hasEdgeToViewer('likes')],
    [hasEdgeToViewer('likes', { of: 'album' })],
    [hasEdgeToViewer('owners', { of: 'from' })],
    [hasScope('any word is one')],
    [fieldEquals('privacy', 'everyone')],
    [fieldEquals('draft', false)],
    [fieldEquals('width', 0)],
    [fieldEquals('taken', 1_407_087_669_000)],
    [fieldEquals('price', '5 EUR')],
    [fieldEquals('from', '4')],
    [{ name: 'isOpen', decide: () => 'allow' }],
  ])('may speak of what is there: $0.name', rule => {
    takes(rule)
  })

  it('is looked into where it is composed', () => {
    const rule = anyOf(hasScope('x'), allOf(not(fieldEquals('drft', true)), isViewer({ of: 'owner' })))
    expect(faultsWith(isViewer(), rule)).toEqual([
      'photo: fieldEquals(drft, true): there is no stored field "drft"',
      'photo: isViewer(of owner): there is no ref "owner"',
    ])
  })

  it('may be of the edge of any viewer', () => {
    const types = typesWith([viewerHasEdge('owners', { of: 'from' })])
    expect(() => faultsOf(types, { viewers: ['user', 'page'] })).toThrow('the schema was taken')
    expect(() => faultsOf(types)).toThrow('the schema was taken')
  })

  it('is not blamed for a type that is missing elsewhere', () => {
    const { photo, user } = typesWith([viewerHasEdge('friends', { of: 'from' }), hasEdgeToViewer('likes')])
    expect(faultsOf({ photo, user })).not.toContainEqual(expect.stringMatching(/HasEdge|hasEdge/))
  })
})

describe('the policy of an edge and of a field', () => {
  const policy = [isViewer({ of: 'owner' }), fieldEquals('nick', 'x'), hasEdgeToViewer('photos')]

  it('is about the node that has it', () => {
    const user = node({
      fields: { name: field.string({ policy }), nick: field.string() },
      edges: { photos: edge('photo', { policy }) },
    })
    const photo = node({ fields: { owner: field.ref('user') } })
    expect(faultsOf({ user, photo }, { viewers: ['user'] })).toEqual(
      ['user.name', 'user.photos'].flatMap(place => [
        `${place}: isViewer(of owner): there is no ref "owner"`,
        `${place}: hasEdgeToViewer(photos): no edge "photos" of user leads to a viewer`,
      ]),
    )
  })

  it('is not for the fields of an edge', () => {
    const fields = { note: field.string({ policy: [isViewer()] }), since: field.edgeTime() }
    expect(faultsOf({ user: node({ edges: { friends: edge('user', { fields }) } }) })).toEqual([
      'user.friends.note: the fields of an edge have no policy; the edge may',
    ])
  })

  it.each([
    ['list', () => field.list(field.string({ policy: [] }))],
    ['map', () => field.map(field.string({ policy: [] }))],
    ['object: name', () => field.object({ name: field.string({ policy: [] }) })],
  ])('is not for what is inside a value: %s', (place, declare) => {
    expect(declare).toThrow(
      new TypeError(`field.${place}: a policy belongs to the whole field, not to what is inside it`),
    )
  })
})

describe('a policy of an extension', () => {
  it('is checked with all that the schema has', () => {
    const changes = { photo: { policy: [viewerHasEdge('frends', { of: 'from' })] } }
    expect(thrownBy(socialSchema.extend, changes)).toEqual(
      new TypeError(
        'The schema has a fault:\n- photo: viewerHasEdge(frends, of from): there is no edge "frends" on a viewer',
      ),
    )
  })

  it('is a list of rules', () => {
    expect(thrownBy(socialSchema.extend, { photo: { policy: isViewer() } })).toEqual(
      new TypeError('node: policy must be a list of rules, came an object with name, decide, ~refers'),
    )
  })
})
