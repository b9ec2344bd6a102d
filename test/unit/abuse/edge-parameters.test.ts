import {
  createGraph,
  defineSchema,
  edge,
  field,
  hasEdgeToViewer,
  isViewer,
  node,
  not,
  parameter,
  viewerHasEdge,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { CALL_PARAMETERS, isCallParameter } from '../../../src/base/call-parameters.ts'
import { collectSchemaErrors } from './schema-errors.ts'

const KIND = parameter.enum(['near', 'far'], { default: 'near' })
const RESERVED = 'a word that is not reserved'
const FORM = 'made of a-z, 0-9 and _, and begin with a letter'

/** Returns the errors of a type with the given edges. */
const collectErrors = (edges: object, fields: object = {}, types: object = {}): string[] =>
  collectSchemaErrors({ user: Reflect.apply(node, undefined, [{ fields, edges }]), ...types })

describe('the name of an edge parameter', () => {
  it.each([
    ...[...CALL_PARAMETERS, 'as', 'me', 'constructor'].map(name => [
      name,
      name.startsWith('_') ? FORM : RESERVED,
    ]),
    ['_any', FORM],
    ['Kind', FORM],
    ['', FORM],
  ])('may not be %o, since it must be %s', (name, expected) => {
    const friends = edge('user', { parameters: { [name]: parameter.int() } })
    expect(collectErrors({ friends })).toEqual([
      `user.friends: the name of a parameter must be ${expected}; received "${name}"`,
    ])
  })

  it('may be "type" or "filter", and "redirect" for a field', () => {
    const parameters = { type: parameter.int(), filter: parameter.string() }
    const size = field.int({
      parameters: { redirect: parameter.bool() },
      resolve: records => records.map(() => 1),
    })
    const types = { user: node({ fields: { size }, edges: { friends: edge('user', { parameters }) } }) }
    expect(Object.keys(defineSchema(types).types.user.edges.friends.parameters)).toEqual(['type', 'filter'])
  })
})

describe('a query parameter', () => {
  it('belongs to the call if its name is in the list or begins with _', () => {
    expect(['limit', '__paging_token', '_', 'type', 'filter', 'as'].map(isCallParameter)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('the types of an id parameter', () => {
  it('must be types of the schema, for an edge and for a field', () => {
    const near = parameter.id({ types: ['usr', 'user', 'place'] })
    const distance = field.int({ parameters: { near }, resolve: records => records.map(() => 1) })
    expect(collectErrors({ friends: edge('user', { parameters: { near } }) }, { distance })).toEqual(
      ['user.distance', 'user.friends'].flatMap(location => [
        `${location}.near: each type must be a type of the schema; received "usr"; did you mean user?`,
        `${location}.near: each type must be a type of the schema; received "place"`,
      ]),
    )
  })

  it('must all have app-scoped ids, or none, because the stored id of a person must have no effect', () => {
    const define = (types: readonly string[]) => () =>
      defineSchema({
        user: node({ appScoped: true }),
        page: node({ edges: { fans: edge('user', { parameters: { by: parameter.id({ types }) } }) } }),
        place: node({}),
      })
    expect(define(['user'])).not.toThrow()
    expect(define(['page', 'place'])).not.toThrow()
    expect(define(['user', 'page'])).toThrow(
      'page.fans.by: "types" must be types that all have app-scoped ids, or none; received user, page',
    )
  })
})

describe('the filter of an edge', () => {
  it('is rejected without parameters', () => {
    expect(collectErrors({ friends: edge('user', { where: () => true }) })).toEqual([
      'user.friends: "where" must be left out of an edge without parameters; received a function',
    ])
  })

  it('is required for "reads"', () => {
    const friends = edge('user', { parameters: { kind: KIND }, reads: ['age'] })
    expect(collectErrors({ friends }, { age: field.int() })).toEqual([
      'user.friends: "reads" must be left out of an edge without "where" or "resolve"; received an array of length 1',
    ])
  })

  const read = (reads: readonly string[]) =>
    edge(['user', 'page'], { parameters: { kind: KIND }, where: () => true, reads })
  const fields = {
    age: field.int(),
    home: field.ref('page'),
    born: field.birthday(),
    segment_of_life: field.ageRange({ from: 'born' }),
    shout: field.string({ resolve: records => records.map(({ id }) => id) }),
    known: field.viewerEdge('friends'),
    email: field.string({ scope: 'email' }),
    notes: field.string({ policy: [isViewer()] }),
    likes: field.int(),
  }
  const page = node({ fields: { title: field.string(), likes: field.int({ scope: 'likes' }) } })

  it('may read stored values and refs of any of its targets', () => {
    const types = { user: node({ fields, edges: { friends: read(['age', 'home', 'title']) } }), page }
    expect(defineSchema(types).types.user.edges.friends.reads).toEqual(['age', 'home', 'title'])
  })

  it.each([
    ['agee', '"agee"; did you mean age?'],
    ['segment_of_life', '"segment_of_life"'],
    ['shout', '"shout"'],
    ['known', '"known"'],
    ['friends', '"friends"'],
    ['id', '"id"'],
  ])('may not read %o, which is not a stored field', (name, received) => {
    expect(collectErrors({ friends: read([name]) }, fields, { page })).toEqual([
      `user.friends: "reads" must be stored fields of the targets; received ${received}`,
    ])
  })

  it.each([
    ['email', 'a scope on user'],
    ['notes', 'a policy on user'],
    ['likes', 'a scope on page'],
  ])('may not read %o, which has %s', (name, protection) => {
    expect(collectErrors({ friends: read([name]) }, fields, { page })).toEqual([
      `user.friends: "reads" must be fields without scope and policy; received "${name}", which has ${protection}`,
    ])
  })
})

describe('the stored lists of an edge', () => {
  const listed = (list: (values: { kind: string | undefined }) => string) =>
    edge('user', { parameters: { kind: KIND }, list })

  it('may have the name of the edge, of a field, or of an edge of another type', () => {
    const friends = listed(({ kind }) => (kind === 'near' ? 'friends' : 'fans'))
    const page = node({ fields: { friends_far: field.int() }, edges: { fans: edge('user') } })
    const types = { user: node({ edges: { friends } }), page }
    expect(defineSchema(types).types.user.edges.friends.lists?.names.size).toBe(2)
  })

  it('may not have the name of another edge or list of the type', () => {
    const edges = {
      friends: listed(({ kind }) => `shared_${kind}`),
      fans: listed(({ kind }) => (kind === 'far' ? 'shared_far' : 'friends')),
    }
    const expected =
      'user.fans: the name of each list must be different from the other edges and lists of the type'
    expect(collectErrors(edges)).toEqual([
      `${expected}; received "friends", an edge of user`,
      `${expected}; received "shared_far", a stored list of user.friends`,
    ])
  })

  it('may not have the name of the edge for other values than the defaults', () => {
    expect(collectErrors({ friends: listed(({ kind }) => (kind === 'near' ? 'close' : 'friends')) })).toEqual(
      [
        'user.friends: the list for the default values must be "friends", since one of the lists has this name; received "close"',
      ],
    )
  })

  it('may have the name of the edge for any values of a required parameter, which has no default', () => {
    const friends = edge('user', {
      parameters: { far: parameter.bool({ required: true }) },
      list: ({ far }) => (far ? 'friends' : 'close'),
    })
    expect(defineSchema({ user: node({ edges: { friends } }) }).types.user.edges.friends.lists).toBeDefined()
  })
})

describe('the parameters of an edge', () => {
  it.each([
    [new Map([['kind', 'far']])],
    [new URLSearchParams('kind=far')],
    [Object.create({ kind: 'far' })],
  ])(
    'are a plain object in a call, because another object would return the unfiltered list: %s',
    async parameters => {
      const graph = createGraph(createMemoryStore(), { schema: defineSchema({ user: node({}) }) })
      const call = () =>
        graph.getEdge(graph.session({ app: 'demo' }), { id: '1', edge: 'friends', parameters } as never)
      await expect((async () => call())()).rejects.toThrow('"parameters" must be a plain object')
    },
  )
})

describe('the name of a stored list', () => {
  it.each([
    ['a text with the value', (kind: string | undefined) => `friends_${kind}`],
    ['the value alone', (kind: string | undefined) => `${kind}`],
  ])('may not contain the word undefined of a parameter without a default: %s', (_, toName) => {
    const kind = parameter.enum(['near', 'far'])
    expect(() => edge('user', { parameters: { kind }, list: values => toName(values.kind) })).toThrow(
      'must be a name without "undefined", which is the value of a parameter without a default',
    )
  })
})

describe('the lists of an inverse edge', () => {
  const toSide =
    (target: string, inverse: string) =>
    (parameters: object | undefined, list: ((values: never) => string) | undefined) =>
      Reflect.apply(edge, undefined, [target, { inverse, parameters, list }])
  const events = toSide('event', 'people')
  const people = toSide('user', 'events')
  const withSides = (eventsOfUser: object, peopleOfEvent: object) => ({
    user: Reflect.apply(node, undefined, [{ edges: { events: eventsOfUser } }]),
    event: Reflect.apply(node, undefined, [{ edges: { people: peopleOfEvent } }]),
  })
  const toList =
    (prefix: string) =>
    ({ kind }: { kind: string }): string =>
      `${prefix}_${kind}`

  it('are rejected if the other side has none', () => {
    const types = withSides(events({ kind: KIND }, toList('events')), people({ kind: KIND }, undefined))
    expect(collectSchemaErrors(types)).toEqual([
      'user.events: "inverse" must be an edge with "list"; received event.people without it',
    ])
  })

  it.each([
    ['another name', { sort: KIND }, 'kind'],
    ['more parameters', { kind: KIND, far: parameter.bool() }, 'far'],
    ['another kind', { kind: parameter.bool() }, 'kind'],
    ['other words', { kind: parameter.enum(['near', 'fear'], { default: 'near' }) }, 'kind'],
    ['another default', { kind: parameter.enum(['near', 'far'], { default: 'far' }) }, 'kind'],
    ['no default', { kind: parameter.enum(['near', 'far']) }, 'kind'],
    ['a required parameter', { kind: parameter.enum(['near', 'far'], { required: true }) }, 'kind'],
  ])('are rejected for %s on the other side', (_, parameters, name) => {
    const list = () => 'everyone'
    const types = withSides(events({ kind: KIND }, toList('events')), people(parameters, list))
    const expected = '"inverse" must be an edge with equal parameters'
    const errors = collectSchemaErrors(types)
    expect(errors).toHaveLength(2)
    expect(errors[0]).toBe(`user.events: ${expected}; received event.people, which differs in "${name}"`)
    expect(errors[1]).toContain(`event.people: ${expected}; received user.events, which differs in `)
  })

  it('are rejected for an id of other types on the other side', () => {
    const withTypes = (types: string[]) => ({ kind: KIND, by: parameter.id({ types }) })
    const types = withSides(
      events(withTypes(['user']), toList('events')),
      people(withTypes(['event']), toList('people')),
    )
    expect(collectSchemaErrors(types)[0]).toContain('which differs in "by"')
  })

  it.each([
    ['fewer lists', ({ kind }: { kind: string }) => (kind === '' ? 'never' : 'everyone')],
    ['lists of other parameters', ({ far }: { far: boolean }) => `people_${far}`],
  ])('are rejected if the other side has %s', (_, list) => {
    const parameters = { kind: KIND, far: parameter.bool({ default: false }) }
    const types = withSides(events(parameters, toList('events')), people(parameters, list))
    const expected = '"inverse" must be an edge whose "list" distinguishes the same values'
    expect(collectSchemaErrors(types)).toEqual([
      `user.events: ${expected}; received event.people`,
      `event.people: ${expected}; received user.events`,
    ])
  })

  it('may have other words for the same values, and other descriptions', () => {
    const described = parameter.enum(['far', 'near'], { default: 'near', description: 'How far away.' })
    const types = withSides(
      events({ kind: described }, toList('events')),
      people({ kind: KIND }, ({ kind }: { kind: string }) => (kind === 'near' ? 'people' : 'visitors')),
    )
    expect(Reflect.apply(defineSchema, undefined, [types])).toBeDefined()
  })

  it('are not needed for a parameter that only one side has', () => {
    const types = withSides(events({ kind: KIND }, undefined), people(undefined, undefined))
    expect(Reflect.apply(defineSchema, undefined, [types])).toBeDefined()
  })
})

describe('a rule or a field about an edge of the viewer', () => {
  const requiredFriends = edge('user', {
    parameters: { kind: parameter.enum(['near', 'far'], { required: true }), min: parameter.int() },
    list: ({ kind }) => (kind === 'near' ? 'friends' : `friends_${kind}`),
    where: () => true,
  })

  it.each([
    [undefined, '', '"parameters.kind" must be given, since it has no default; received undefined'],
    [{}, '', '"parameters.kind" must be given, since it has no default; received undefined'],
    [
      { kind: 'nearby' },
      ', kind nearby',
      '"parameters.kind" must be one of "near", "far"; received "nearby"',
    ],
    [
      { kind: 'near', kin: 1 },
      ', kind near, kin 1',
      '"parameters.kin" must be a parameter that chooses a stored list of friends; received "kin"; did you mean kind?',
    ],
    [
      { kind: 'near', min: 1 },
      ', kind near, min 1',
      '"parameters.min" must be left out, since it does not choose a stored list; received "min"',
    ],
  ])('is rejected with the parameters %j, which do not choose a list', (parameters, inName, error) => {
    const types = {
      user: node({
        policy: [viewerHasEdge('friends', { parameters }), not(hasEdgeToViewer('friends', { parameters }))],
        fields: { known: field.viewerEdge('friends', { parameters }) },
        edges: { friends: requiredFriends },
      }),
    }
    expect(collectSchemaErrors(types)).toEqual([
      `user.known: ${error}`,
      `user: viewerHasEdge(friends${inName}): ${error}`,
      `user: hasEdgeToViewer(friends${inName}): ${error}`,
    ])
  })

  it('is rejected without a value for a parameter of the list that is optional and has no default', () => {
    const kind = parameter.enum(['near', 'far'])
    const list = ({ kind }: { kind?: string | undefined }) => `friends${kind === undefined ? '' : `_${kind}`}`
    const friends = edge('user', { parameters: { kind }, list })
    const userWith = (parameters: { readonly kind?: string }) => ({
      user: node({ policy: [viewerHasEdge('friends', { parameters })], edges: { friends } }),
    })
    expect(collectSchemaErrors(userWith({}))).toEqual([
      'user: viewerHasEdge(friends): "parameters.kind" must be given, since it has no default; received undefined',
    ])
    expect(() => defineSchema(userWith({ kind: 'near' }))).not.toThrow()
  })

  it('may choose one of the lists of the edge', () => {
    const parameters = { kind: 'far' }
    const user = node({
      policy: [viewerHasEdge('friends', { parameters }), not(hasEdgeToViewer('friends', { parameters }))],
      fields: { known: field.viewerEdge('friends', { parameters }) },
      edges: { friends: requiredFriends },
    })
    expect(defineSchema({ user }).types.user.policy).toHaveLength(2)
  })

  it('is rejected if the edge has several lists among the types of its source, or a list of another edge', () => {
    const parameters = { kind: KIND }
    const friends = edge('user', { parameters, list: ({ kind }) => `friends_${kind}` })
    const followers = edge('user', { parameters, list: ({ kind }) => `followers_${kind}` })
    const user = node({ policy: [viewerHasEdge('friends')], edges: { friends } })
    const path = 'user: viewerHasEdge(friends): "edge" must be'
    expect(collectSchemaErrors({ user, page: node({ edges: { friends: followers } }) })).toEqual([
      `${path} an edge with one list on all types; received friends with friends_near, followers_near`,
    ])
    expect(collectSchemaErrors({ user, page: node({ edges: { others: friends } }) })).toEqual([
      `${path} an edge whose list belongs to no other edge; received friends_near, which page.others has`,
    ])
  })

  it('may name an edge whose list for the default values has the name of the edge', () => {
    const friends = edge('user', {
      parameters: { far: parameter.bool({ default: false }) },
      list: ({ far }) => (far ? 'friends_far' : 'friends'),
    })
    const user = node({
      policy: [viewerHasEdge('friends')],
      fields: { known: field.viewerEdge('friends') },
      edges: { friends },
    })
    expect(defineSchema({ user }).types.user.policy).toHaveLength(1)
  })
})

describe('the errors of edge parameters', () => {
  it('are reported together', () => {
    const edges = {
      friends: edge('user', {
        parameters: {
          limit: parameter.int(),
          near: parameter.id({ types: ['place'] }),
          far: parameter.bool(),
        },
        list: ({ far }) => (far ? 'posts' : 'friends'),
        reads: ['agee'],
        where: () => true,
      }),
      posts: edge('user', { where: () => true }),
    }
    expect(collectErrors(edges, { age: field.int() }).map(error => error.split(' must be ')[0])).toEqual([
      'user.friends: the name of a parameter',
      'user.friends.near: each type',
      'user.friends: "reads"',
      'user.friends: the name of each list',
      'user.posts: "where"',
    ])
  })
})
