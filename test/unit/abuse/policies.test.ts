import {
  allOf,
  anyOf,
  canSee,
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
import { catchError, collectSchemaErrors } from './schema-errors.ts'

const money = defineFieldType({
  name: 'money',
  expected: 'an amount',
  parse: (value: string) => (value.endsWith(' EUR') ? value : undefined),
  serialize: stored => stored,
})

/**
 * Creates types: a user with friends who follows pages, a page with owners, and a photo of a user or a page,
 * under the policy.
 */
const createTypesWith = (policy: Policy | undefined) => ({
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

const collectErrorsWith = (...policy: readonly Rule[]): string[] =>
  collectSchemaErrors(createTypesWith(policy), { viewers: ['user'] })

const expectAccepted = (...policy: readonly Rule[]): void => {
  expect(() => collectErrorsWith(...policy)).toThrow('the schema is valid')
}

describe('a rule of a policy', () => {
  it.each<readonly [Rule, string]>([
    [isViewer({ of: 'owner' }), '"of" must be a ref of the type; received "owner"'],
    [isViewer({ of: 'privacy' }), '"of" must be a ref of the type; received "privacy"'],
    [isViewer({ of: 'likes' }), '"of" must be a ref of the type; received "likes"'],
    [isViewer({ of: 'constructor' }), '"of" must be a ref of the type; received "constructor"'],
    [viewerHasEdge('friends', { of: 'owner' }), '"of" must be a ref of the type; received "owner"'],
    [viewerHasEdge('frends'), '"edge" must be an edge of a viewer; received "frends"'],
    [viewerHasEdge('owners'), '"edge" must be an edge of a viewer; received "owners"'],
    [viewerHasEdge('constructor'), '"edge" must be an edge of a viewer; received "constructor"'],
    [viewerHasEdge('friends'), '"edge" must be an edge from a viewer to photo; received "friends"'],
    [
      viewerHasEdge('friends', { of: 'album' }),
      '"edge" must be an edge from a viewer to photo; received "friends"',
    ],
    [
      viewerHasEdge('photos', { of: 'from' }),
      '"edge" must be an edge from a viewer to user or page; received "photos"',
    ],
    [hasEdgeToViewer('owners'), '"edge" must be an edge of photo; received "owners"'],
    [hasEdgeToViewer('owners', { of: 'album' }), '"edge" must be an edge of photo; received "owners"'],
    [hasEdgeToViewer('likes', { of: 'from' }), '"edge" must be an edge of user or page; received "likes"'],
    [hasEdgeToViewer('tagged'), '"edge" must be an edge from photo to a viewer; received "tagged"'],
    [fieldEquals('privcy', 'everyone'), '"field" must be a stored field of the type; received "privcy"'],
    [fieldEquals('likes', 1), '"field" must be a stored field of the type; received "likes"'],
    [fieldEquals('size', 1), '"field" must be a stored field of the type; received "size"'],
    [fieldEquals('age', 18), '"field" must be a stored field of the type; received "age"'],
    [
      fieldEquals('viewer_likes', true),
      '"field" must be a stored field of the type; received "viewer_likes"',
    ],
    [
      fieldEquals('privacy', 'friends'),
      '"value" must be a value that "privacy" can have; received "friends"',
    ],
    [fieldEquals('draft', 'true'), '"value" must be a value that "draft" can have; received "true"'],
    [fieldEquals('width', 1.5), '"value" must be a value that "width" can have; received 1.5'],
    [
      fieldEquals('taken', '2014-08-03'),
      '"value" must be a value that "taken" can have; received "2014-08-03"',
    ],
    [
      fieldEquals('born', '1990-08-03'),
      '"value" must be a value that "born" can have; received "1990-08-03"',
    ],
    [fieldEquals('price', 5), '"value" must be a value that "price" can have; received 5'],
    [fieldEquals('price', '5 USD'), '"value" must be a value that "price" can have; received "5 USD"'],
    [fieldEquals('tags', 'cat'), '"value" must be a value that "tags" can have; received "cat"'],
    [fieldEquals('from', 'ann'), '"value" must be a value that "from" can have; received "ann"'],
    [fieldEquals('from', 4), '"value" must be a value that "from" can have; received 4'],
    [canSee('owner'), '"ref" must be a ref of the type; received "owner"'],
    [canSee('privacy'), '"ref" must be a ref of the type; received "privacy"'],
    [canSee('likes'), '"ref" must be a ref of the type; received "likes"'],
    [canSee('constructor'), '"ref" must be a ref of the type; received "constructor"'],
  ])('is rejected if it does not fit the schema: $name', (rule, error) => {
    expect(collectErrorsWith(rule)).toEqual([`photo: ${rule.name}: ${error}`])
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
    [canSee('from')],
    [canSee('album')],
    [anyOf(canSee('from'), allOf(canSee('album'), not(isViewer())))],
    [{ name: 'isOpen', decide: () => 'allow' }],
  ])('is accepted if it fits the schema: $name', rule => {
    expectAccepted(rule)
  })

  it('is checked against the schema even inside a composed rule', () => {
    const rule = anyOf(hasScope('x'), allOf(not(fieldEquals('drft', true)), isViewer({ of: 'owner' })))
    expect(collectErrorsWith(isViewer(), rule)).toEqual([
      'photo: fieldEquals(drft, true): "field" must be a stored field of the type; received "drft"',
      'photo: isViewer(of owner): "of" must be a ref of the type; received "owner"',
    ])
  })

  it.each([
    [not(canSee('album'))],
    [not(anyOf(isViewer(), canSee('album')))],
    [not(allOf(canSee('album')))],
    [anyOf(isViewer(), allOf(not(canSee('album'))))],
    [not(not(canSee('album')))],
  ])('is rejected if canSee is inside not: $0.name', rule => {
    expect(collectErrorsWith(rule)).toEqual([
      'photo: canSee(album): the rule inside not must be a rule without canSee; received canSee(album)',
    ])
  })

  it('with canSee is checked against each type that uses it', () => {
    const policy = [canSee('album')]
    const { photo, ...types } = createTypesWith(policy)
    const page = node({ policy, edges: { owners: edge('user', { policy }), photos: edge('photo') } })
    expect(collectSchemaErrors({ ...types, photo, page }, { viewers: ['user'] })).toEqual(
      ['page', 'page.owners'].map(
        location => `${location}: canSee(album): "ref" must be a ref of the type; received "album"`,
      ),
    )
  })

  it('may name an edge of any viewer type', () => {
    const types = createTypesWith([viewerHasEdge('owners', { of: 'from' })])
    expect(() => collectSchemaErrors(types, { viewers: ['user', 'page'] })).toThrow('the schema is valid')
    expect(() => collectSchemaErrors(types)).toThrow('the schema is valid')
  })

  it('causes no further error if the field or edge that it names is rejected for an undeclared type', () => {
    const { photo, user } = createTypesWith([
      viewerHasEdge('friends', { of: 'from' }),
      hasEdgeToViewer('likes'),
    ])
    expect(collectSchemaErrors({ photo, user })).not.toContainEqual(expect.stringMatching(/HasEdge|hasEdge/))
  })
})

describe('the policy of an edge or field', () => {
  const policy = [isViewer({ of: 'owner' }), fieldEquals('nick', 'x'), hasEdgeToViewer('photos')]

  it('is checked against the type that has the edge or field', () => {
    const user = node({
      fields: { name: field.string({ policy }), nick: field.string() },
      edges: { photos: edge('photo', { policy }) },
    })
    const photo = node({ fields: { owner: field.ref('user') } })
    expect(collectSchemaErrors({ user, photo }, { viewers: ['user'] })).toEqual(
      ['user.name', 'user.photos'].flatMap(location => [
        `${location}: isViewer(of owner): "of" must be a ref of the type; received "owner"`,
        `${location}: hasEdgeToViewer(photos): "edge" must be an edge from user to a viewer; received "photos"`,
      ]),
    )
  })

  it('is rejected if the field belongs to an edge', () => {
    const fields = { note: field.string({ policy: [isViewer()] }), since: field.edgeTime() }
    expect(collectSchemaErrors({ user: node({ edges: { friends: edge('user', { fields }) } }) })).toEqual([
      'user.friends.note: "policy" must be set on the edge, not on its field; received a policy',
    ])
  })

  it.each([
    ['list: "of.policy"', () => field.list(field.string({ policy: [] }))],
    ['map: "of.policy"', () => field.map(field.string({ policy: [] }))],
    ['object: "members.name.policy"', () => field.object({ name: field.string({ policy: [] }) })],
  ])('is rejected if the field is only a part of a value: %s', (location, declare) => {
    expect(declare).toThrow(
      new TypeError(
        `field.${location} must be left out, since only a whole field can have it; received an array of length 0`,
      ),
    )
  })
})

describe('a policy in a schema extension', () => {
  it('is checked against the whole schema', () => {
    const changes = { photo: { policy: [viewerHasEdge('frends', { of: 'from' })] } }
    expect(catchError(socialSchema.extend, changes)).toEqual(
      new TypeError(
        'schema.extend: the schema must be valid; received one error:\n- photo: viewerHasEdge(frends, of from): "edge" must be an edge of a viewer; received "frends"',
      ),
    )
  })

  it('must be a list of rules', () => {
    expect(catchError(socialSchema.extend, { photo: { policy: isViewer() } })).toEqual(
      new TypeError(
        'node: "policy" must be an array of rules; received an object with name, reads, decide, ~refers',
      ),
    )
  })
})
