import { createGraph, defineFieldType, defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

/** What a function throws at arguments that the compiler would refuse. */
const thrownBy = (call: (...args: never[]) => unknown, ...args: unknown[]): unknown => {
  try {
    Reflect.apply(call, undefined, args)
  } catch (error) {
    return error
  }
  return undefined
}

/** The faults of a schema, one text each. */
const faultsOf = (types: object, options?: object): string[] => {
  const error = thrownBy(defineSchema, types, options)
  if (!(error instanceof TypeError)) throw error ?? new Error('the schema was taken')
  const [head, ...faults] = error.message.split('\n')
  expect(head).toBe(`The schema has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:`)
  return faults.map(fault => fault.replace(/^- /, ''))
}

const user = node({ fields: { name: field.string({ default: true }) } })

describe('the names of a schema', () => {
  it.each([
    'User',
    'id',
    'me',
    'metadata',
    'constructor',
    '__proto__',
    'a-b',
    '',
    '1st',
    'permissions',
    'debug_token',
  ])('no type may be named %o', name => {
    expect(faultsOf(Object.fromEntries([[name, user]]))).toEqual([`"${name}": no type may have this name`])
  })

  it.each(['Name', 'id', 'me', 'metadata', 'constructor', '__proto__', 'to string'])(
    'no field and no edge may be named %o',
    name => {
      const fields = Object.fromEntries([[name, field.string()]])
      const edges = Object.fromEntries([[name, edge('user')]])
      expect(faultsOf({ user: node({ fields }) })).toEqual([`user: no field or edge may be named "${name}"`])
      expect(faultsOf({ user: node({ edges }) })).toEqual([`user: no field or edge may be named "${name}"`])
    },
  )

  it('none may be a field and an edge', () => {
    const both = node({ fields: { likes: field.int() }, edges: { likes: edge('user') } })
    expect(faultsOf({ user: both })).toEqual(['user: "likes" is both a field and an edge'])
  })

  it.each(['as', 'fields', 'limit', 'after', 'before', 'since', 'until', 'order', 'summary', 'id', 'Size'])(
    'no parameter may be named %s',
    name => {
      const parameters = { [name]: field.int() }
      const sized = node({
        fields: { size: field.int({ parameters, resolve: records => records.map(() => 1) }) },
      })
      expect(faultsOf({ user: sized })).toEqual([`user.size: no parameter may be named "${name}"`])
    },
  )
})

describe('the targets of a schema', () => {
  it('exist', () => {
    const types = {
      user: node({ fields: { from: field.ref(['page', 'user']) }, edges: { likes: edge('page') } }),
    }
    expect(faultsOf(types)).toEqual([
      'user.from: there is no type "page"',
      'user.likes: there is no type "page"',
    ])
  })

  it('are not what objects inherit', () => {
    expect(faultsOf({ user: node({ edges: { likes: edge('constructor') } }) })).toEqual([
      'user.likes: there is no type "constructor"',
    ])
  })

  it('include the viewers', () => {
    expect(faultsOf({ user }, { viewers: ['user', 'page'] })).toEqual(['viewers: there is no type "page"'])
  })

  it('have a name in one meaning alone, where several are answered as one', () => {
    const types = {
      user: node({ fields: { size: field.int() }, edges: { likes: edge('user') } }),
      page: node({ fields: { size: field.string(), likes: field.int() } }),
      post: node({
        fields: { from: field.ref(['user', 'page']) },
        edges: { tagged: edge(['page', 'user']) },
      }),
    }
    expect(faultsOf(types, { viewers: ['post'] })).toEqual([
      'post.from: "size" is a int on user and a string on page',
      'post.from: "likes" is an edge on user and a int on page',
      'post.tagged: "size" is a string on page and a int on user',
      'post.tagged: "likes" is a int on page and an edge on user',
    ])
    expect(faultsOf({ ...types, post: node({}) })).toEqual([
      'viewers: "size" is a int on user and a string on page',
      'viewers: "likes" is an edge on user and a int on page',
    ])
  })
})

describe('the mirrors of edges', () => {
  const likes = (inverse: string) => node({ edges: { likes: edge('page', { inverse }) } })

  it('exist', () => {
    expect(faultsOf({ user: likes('fans'), page: node({}) })).toEqual([
      'user.likes: its inverse page.fans does not exist',
    ])
  })

  it('lead back', () => {
    const page = node({ edges: { fans: edge('user'), friends: edge('page', { inverse: 'likes' }) } })
    expect(faultsOf({ user: likes('fans'), page })).toEqual([
      'user.likes: its inverse page.fans does not lead back to it',
      'page.friends: its inverse page.likes does not exist',
    ])
    expect(faultsOf({ user: likes('friends'), page })).toEqual([
      'user.likes: its inverse page.friends does not lead back to it',
      'page.friends: its inverse page.likes does not exist',
    ])
  })

  it('are the edge itself or another, not both', () => {
    const friends = edge('user', { symmetric: true, inverse: 'friends' })
    expect(faultsOf({ user: node({ edges: { friends } }) })).toEqual([
      'user.friends: an edge is symmetric or has an inverse, not both',
    ])
  })

  it('are of the same type where they are the edge itself', () => {
    const friends = edge(['user', 'page'], { symmetric: true })
    expect(faultsOf({ user: node({ edges: { friends } }), page: node({}) })).toEqual([
      'user.friends: a symmetric edge leads to its own type',
    ])
  })
})

describe('the fields of an edge', () => {
  it('are stored values and edge times', () => {
    const fields = {
      who: field.ref('user'),
      liked: field.viewerEdge('likes'),
      age: field.ageRange(),
      score: field.int({ resolve: records => records.map(() => 1) }),
      note: field.string(),
      since: field.edgeTime(),
    }
    const expected = 'the fields of an edge are stored values and edge times'
    expect(faultsOf({ user: node({ edges: { friends: edge('user', { fields }) } }) })).toEqual(
      ['who', 'liked', 'age', 'score'].map(name => `user.friends.${name}: ${expected}`),
    )
  })

  it('have names that no target has', () => {
    const friends = edge('user', {
      fields: { name: field.string(), friends: field.string(), Since: field.edgeTime() },
    })
    const type = node({ fields: { name: field.string() }, edges: { friends } })
    expect(faultsOf({ user: type })).toEqual([
      'user.friends.name: user has a field or edge of that name too',
      'user.friends.friends: user has a field or edge of that name too',
      'user.friends.Since: no field may have this name',
    ])
  })

  it('are no defaults of their own', () => {
    const friends = edge('user', { fields: { close: field.bool({ default: true }) } })
    expect(faultsOf({ user: node({ edges: { friends } }) })).toEqual([
      "user.friends.close: name it in the edge's defaults instead",
    ])
  })

  it('may be defaults of the edge; what is no field may not', () => {
    const friends = edge('user', {
      defaults: ['id', 'since', 'name', 'friends', 'shoe'],
      fields: { since: field.edgeTime() },
    })
    expect(faultsOf({ user: node({ fields: { name: field.string() }, edges: { friends } }) })).toEqual([
      'user.friends: its default "friends" is no field of what it leads to',
      'user.friends: its default "shoe" is no field of what it leads to',
    ])
  })
})

describe('a field', () => {
  it.each([
    ['an edge time', field.edgeTime(), 'a node has no edge time; declare it in the fields of an edge'],
    ['a viewerEdge of no edge', field.viewerEdge('likes'), 'there is no edge "likes" on the same type'],
    ['an age of no birthday', field.ageRange(), 'there is no birthday "birthday" to compute it from'],
    ['an age of a name', field.ageRange({ from: 'name' }), 'there is no birthday "name" to compute it from'],
    [
      'an age of what objects inherit',
      field.ageRange({ from: 'constructor' }),
      'there is no birthday "constructor" to compute it from',
    ],
    [
      'parameters of a stored field',
      field.int({ parameters: { size: field.int() } }),
      'only a computed field takes parameters',
    ],
    [
      'a required computed field',
      field.int({ required: true, resolve: records => records.map(() => 1) }),
      'a computed field cannot be required',
    ],
    [
      'a version that is none',
      field.int(Object({ since: '2.0' })),
      'expected a version such as v1.0, came "2.0"',
    ],
    [
      'an end before the start',
      field.int({ since: 'v2.12', removedIn: 'v2.3' }),
      'removed in v2.3, before it came in v2.12',
    ],
    [
      'an end at the start',
      field.int({ since: 'v2.3', removedIn: 'v2.3' }),
      'removed in v2.3, before it came in v2.3',
    ],
  ])('cannot be %s', (_, wrong, fault) => {
    expect(faultsOf({ user: node({ fields: { name: field.string(), wrong } }) })).toEqual([
      `user.wrong: ${fault}`,
    ])
  })

  it('cannot be a default ref that leads back to its own type', () => {
    const types = {
      user: node({ fields: { page: field.ref('page', { default: true }) } }),
      page: node({ fields: { owner: field.ref('user', { default: true }) } }),
      post: node({ fields: { from: field.ref('user', { default: true }) } }),
    }
    expect(faultsOf(types)).toEqual([
      'user: its default refs lead back to it, so that its defaults have no end',
      'page: its default refs lead back to it, so that its defaults have no end',
    ])
  })
})

describe('the versions of a schema', () => {
  it.each([
    [[], 'versions: expected at least one'],
    [['1.0'], 'versions: expected such as v1.0, came "1.0"'],
    [['v1.0', 'v1.0'], 'versions: one is named twice'],
  ])('are not %o', (versions, fault) => {
    expect(faultsOf({ user }, { versions })).toEqual([fault])
  })
})

describe('all faults of a schema', () => {
  it('are told at once, each with its place', () => {
    const types = {
      User: user,
      page: node({
        fields: { from: field.ref('shop'), liked: field.viewerEdge('fans') },
        edges: { likes: edge('user', { inverse: 'likes' }), posts: edge('post', { defaults: ['title'] }) },
      }),
      post: node({ fields: { when: field.int({ since: 'v2.0', removedIn: 'v1.0' }) } }),
    }
    expect(faultsOf(types, { versions: ['v1.0', 'first'], viewers: ['page', 'person'] })).toEqual([
      'versions: expected such as v1.0, came "first"',
      'viewers: there is no type "person"',
      '"User": no type may have this name',
      'page.from: there is no type "shop"',
      'page.liked: there is no edge "fans" on the same type',
      'page.likes: there is no type "user"',
      'page.posts: its default "title" is no field of what it leads to',
      'post.when: removed in v1.0, before it came in v2.0',
    ])
  })

  it('are told of an extension as well', () => {
    const changes = {
      user: { fields: { from: field.ref('store') } },
      shop: { edges: { Owner: edge('user') } },
    }
    const faults = [
      'viewers: there is no type "robot"',
      'user.from: there is no type "store"',
      'shop: no field or edge may be named "Owner"',
    ]
    expect(thrownBy(socialSchema.extend, changes, { viewers: ['user', 'robot'] })).toEqual(
      new TypeError(`The schema has 3 faults:\n${faults.map(fault => `- ${fault}`).join('\n')}`),
    )
  })
})

describe('a declaration', () => {
  const COMMON = 'description, default, scope, since, removedIn, deprecated'

  it.each([
    [
      node,
      [{ feilds: {} }],
      'node: unknown option "feilds"; expected one of description, appScoped, fields, edges',
    ],
    [node, [1], 'node: expected options as an object, came 1'],
    [node, [{ fields: 1 }], 'node: fields must be an object, came 1'],
    [node, [{ edges: [] }], 'node: edges must be an object, came a list of 0'],
    [edge, [], 'edge: expected the name of a type or a list of them, came undefined'],
    [edge, [[]], 'edge: expected the name of a type or a list of them, came a list of 0'],
    [edge, [['user', 1]], 'edge: expected the name of a type or a list of them, came a list of 2'],
    [
      edge,
      ['user', { order: 'newest' }],
      'edge: order must be chronological or reverse_chronological, came "newest"',
    ],
    [
      edge,
      ['user', { limit: 1 }],
      'edge: unknown option "limit"; expected one of description, defaults, order, scope, inverse, symmetric, fields',
    ],
    [field.string, [1], 'field.string: expected options as an object, came 1'],
    [
      field.string,
      [{ defalt: true }],
      `field.string: unknown option "defalt"; expected one of ${COMMON}, required, parameters, resolve`,
    ],
    [
      field.string,
      [{ parameters: { size: 1 } }],
      'field.string: parameter size must be a field with a value',
    ],
    [
      field.edgeTime,
      [{ required: true }],
      `field.edgeTime: unknown option "required"; expected one of ${COMMON}`,
    ],
    [
      field.viewerEdge,
      ['likes', { resolve: 1 }],
      `field.viewerEdge: unknown option "resolve"; expected one of ${COMMON}`,
    ],
    [field.enum, [], 'field.enum: expected a list of words, came undefined'],
    [field.enum, [[]], 'field.enum: expected a list of words, came a list of 0'],
    [field.enum, [['\ud83d']], 'field.enum: expected a list of words, came a list of 1'],
    [field.list, [], 'field.list: expected a field with a value, came undefined'],
    [field.map, ['string'], 'field.map: expected a field with a value, came "string"'],
    [field.ref, [], 'field.ref: expected the name of a type or a list of them, came undefined'],
    [
      defineFieldType,
      [{ name: 'money', pares: 1 }],
      'defineFieldType: unknown option "pares"; expected one of name, expected, parse, serialize',
    ],
    [defineFieldType, [{ name: 1 }], 'defineFieldType: name must be text, came 1'],
    [
      defineSchema,
      [{ user }, { version: 'v1.0' }],
      'defineSchema: unknown option "version"; expected one of versions, viewers, silhouette',
    ],
    [
      socialSchema.extend,
      [{}, { version: 'v1.0' }],
      'schema.extend: unknown option "version"; expected one of versions, viewers, silhouette',
    ],
  ])('that is wrong says what was expected and what came: %o %j', (declare, args, message) => {
    expect(thrownBy(declare, ...args)).toEqual(new TypeError(message))
  })

  it.each([
    ['defineSchema of nothing', defineSchema, []],
    ['a type that node did not make', defineSchema, [{ user: {} }]],
    ['a field that field did not make', defineSchema, [{ user: { fields: { name: 1 }, edges: {} } }]],
    ['an edge that edge did not make', defineSchema, [{ user: { fields: {}, edges: { likes: 1 } } }]],
    ['a field among the edges', node, [{ edges: { likes: field.string() } }]],
    ['an edge among the fields', node, [{ fields: { likes: edge('user') } }]],
    ['versions that are no list', defineSchema, [{ user }, { versions: 'v1.0' }]],
    ['a silhouette that is no text', defineSchema, [{ user }, { silhouette: 1 }]],
    ['node of nothing', node, []],
    ['an object of nothing', field.object, []],
    ['a field of no type', field.of, []],
    ['a viewerEdge of nothing', field.viewerEdge, []],
    ['a field type of nothing', defineFieldType, []],
    ['a field type without parse', defineFieldType, [{ name: 'money', expected: 'an amount' }]],
    ['an extension by nothing', socialSchema.extend, []],
    ['an extension with an unknown member', socialSchema.extend, [{ user: { feilds: {} } }]],
  ])('that is wrong says what was expected: %s', (_, declare, args) => {
    const error = thrownBy(declare, ...args)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toMatch(/expected|must be/)
  })
})

describe('a schema that another made', () => {
  it('is refused by createGraph', () => {
    const forged = { types: { user }, extend: () => undefined }
    expect(thrownBy(createGraph, createMemoryStore(), { schema: {} })).toEqual(
      new TypeError('createGraph: schema must be made by defineSchema, came an empty object'),
    )
    expect(thrownBy(createGraph, createMemoryStore(), { schema: forged })).toBeInstanceOf(TypeError)
  })
})
