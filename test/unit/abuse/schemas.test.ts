import { defineSchema, edge, field, node, parameter, socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { catchError, collectSchemaErrors } from './schema-errors.ts'

const user = node({ fields: { name: field.string({ default: true }) } })

const FORM = 'made of a-z, 0-9 and _, and begin with a letter'
const RESERVED = 'a word that is not reserved'

describe('a name in a schema', () => {
  it.each([
    ['User', FORM],
    ['__proto__', FORM],
    ['a-b', FORM],
    ['', FORM],
    ['1st', FORM],
    ['id', RESERVED],
    ['me', RESERVED],
    ['metadata', RESERVED],
    ['constructor', RESERVED],
    ['permissions', RESERVED],
    ['debug_token', RESERVED],
  ])('may not be %o for a type, since it must be %s', (name, why) => {
    expect(collectSchemaErrors(Object.fromEntries([[name, user]]))).toEqual([
      `types: the name of a type must be ${why}; received "${name}"`,
    ])
  })

  it.each([
    ['firstName', FORM],
    ['__proto__', FORM],
    ['to string', FORM],
    ['id', RESERVED],
    ['me', RESERVED],
    ['metadata', RESERVED],
    ['constructor', RESERVED],
  ])('may not be %o for a field or edge, since it must be %s', (name, why) => {
    const fields = Object.fromEntries([[name, field.string()]])
    const edges = Object.fromEntries([[name, edge('user')]])
    const error = `user: the name of a field or edge must be ${why}; received "${name}"`
    expect(collectSchemaErrors({ user: node({ fields }) })).toEqual([error])
    expect(collectSchemaErrors({ user: node({ edges }) })).toEqual([error])
  })

  it('may not be both a field and an edge of one type', () => {
    const both = node({ fields: { likes: field.int() }, edges: { likes: edge('user') } })
    expect(collectSchemaErrors({ user: both })).toEqual([
      'user: "likes" must be either a field or an edge; received both',
    ])
  })

  it.each([
    ...['as', 'fields', 'limit', 'after', 'before', 'since', 'until', 'order', 'summary', 'id'].map(
      name => [name, RESERVED] as const,
    ),
    ['Size', FORM] as const,
  ])('may not be %o for a parameter, since it must be %s', (name, why) => {
    const parameters = { [name]: parameter.int() }
    const sized = node({
      fields: { size: field.int({ parameters, resolve: records => records.map(() => 1) }) },
    })
    expect(collectSchemaErrors({ user: sized })).toEqual([
      `user.size: the name of a parameter must be ${why}; received "${name}"`,
    ])
  })
})

describe('a reference to a type in a schema', () => {
  it('must name a type of the schema', () => {
    const types = {
      user: node({ fields: { from: field.ref(['page', 'user']) }, edges: { likes: edge('page') } }),
    }
    expect(collectSchemaErrors(types)).toEqual([
      'user.from: each target must be a type of the schema; received "page"',
      'user.likes: each target must be a type of the schema; received "page"',
    ])
  })

  it('may not name an inherited property of objects', () => {
    expect(collectSchemaErrors({ user: node({ edges: { likes: edge('constructor') } }) })).toEqual([
      'user.likes: each target must be a type of the schema; received "constructor"',
    ])
  })

  it('must name a type of the schema in the option `viewers` too', () => {
    expect(collectSchemaErrors({ user }, { viewers: ['user', 'page'] })).toEqual([
      'viewers: each viewer must be a type of the schema; received "page"',
    ])
  })

  it('is reported with a similar name as a suggestion if the type is unknown', () => {
    const types = { user, photo: node({ fields: { from: field.ref('usr') } }) }
    expect(collectSchemaErrors(types, { viewers: ['users'] })).toEqual([
      'viewers: each viewer must be a type of the schema; received "users"; did you mean user?',
      'photo.from: each target must be a type of the schema; received "usr"; did you mean user?',
    ])
  })

  it('may not list types that have different kinds of fields or edges with the same name', () => {
    const types = {
      user: node({ fields: { size: field.int() }, edges: { likes: edge('user') } }),
      page: node({ fields: { size: field.string(), likes: field.int() } }),
      post: node({
        fields: { from: field.ref(['user', 'page']) },
        edges: { tagged: edge(['page', 'user']) },
      }),
    }
    expect(collectSchemaErrors(types, { viewers: ['post'] })).toEqual([
      'post.from: "size" must be of one kind on all types; received int on user and string on page',
      'post.from: "likes" must be of one kind on all types; received edge on user and int on page',
      'post.tagged: "size" must be of one kind on all types; received string on page and int on user',
      'post.tagged: "likes" must be of one kind on all types; received int on page and edge on user',
    ])
    expect(collectSchemaErrors({ ...types, post: node({}) })).toEqual([
      'viewers: "size" must be of one kind on all types; received int on user and string on page',
      'viewers: "likes" must be of one kind on all types; received edge on user and int on page',
    ])
  })
})

describe('the errors of a schema', () => {
  it('are reported together, each with its location', () => {
    const types = {
      User: user,
      page: node({
        fields: { from: field.ref('shop'), liked: field.viewerEdge('fans') },
        edges: { likes: edge('user', { inverse: 'likes' }), posts: edge('post', { defaults: ['title'] }) },
      }),
      post: node({ fields: { when: field.int({ since: 'v2.0', removedIn: 'v1.0' }) } }),
    }
    expect(collectSchemaErrors(types, { versions: ['v1.0', 'first'], viewers: ['page', 'person'] })).toEqual([
      'versions: each version must be a version such as v1.0; received "first"',
      'viewers: each viewer must be a type of the schema; received "person"',
      `types: the name of a type must be ${FORM}; received "User"`,
      'page.from: each target must be a type of the schema; received "shop"',
      'page.liked: "edge" must be an edge of the same type; received "fans"',
      'page.likes: each target must be a type of the schema; received "user"; did you mean User?',
      'page.posts: "defaults" must be fields of the edge or its targets; received "title"',
      'post.when: "removedIn" must be a version after v2.0; received "v1.0"',
    ])
  })

  it('are reported together for an extension too', () => {
    const changes = {
      user: { fields: { from: field.ref('store') } },
      shop: node({ edges: { Owner: edge('user') } }),
    }
    const errors = [
      'viewers: each viewer must be a type of the schema; received "robot"',
      'user.from: each target must be a type of the schema; received "store"',
      `shop: the name of a field or edge must be ${FORM}; received "Owner"`,
    ]
    expect(catchError(socialSchema.extend, changes, { viewers: ['user', 'robot'] })).toEqual(
      new TypeError(
        `schema.extend: the schema must be valid; received 3 errors:\n${errors.map(error => `- ${error}`).join('\n')}`,
      ),
    )
  })
})

describe('the versions of a schema', () => {
  it.each([
    [[], 'versions: the length must be at least 1; received 0'],
    [['1.0'], 'versions: each version must be a version such as v1.0; received "1.0"'],
    [['v1.0', 'v1.0'], 'versions: each version must be different; received "v1.0" twice'],
  ])('may not be %o', (versions, error) => {
    expect(collectSchemaErrors({ user }, { versions })).toEqual([error])
  })

  const since = (versions: { since: string; removedIn?: string }) => ({
    thing: node({ fields: { new: field.int(versions) } }),
  })

  it('must not all be older than the version that adds a field', () => {
    const error = '"since" must be at most v1.0, the newest version; received "v1.1"'
    expect(collectSchemaErrors(since({ since: 'v1.1' }))).toEqual([`thing.new: ${error}`])
    const fields = { at: field.edgeTime({ since: 'v1.1' }) }
    expect(collectSchemaErrors({ thing: node({ edges: { things: edge('thing', { fields }) } }) })).toEqual([
      `thing.things.at: ${error}`,
    ])
  })

  it('may leave out the version that adds a field and the version that removes it', () => {
    const versions = ['v2.3', 'v2.12'] as const
    expect(defineSchema(since({ since: 'v1.0', removedIn: 'v3.0' }), { versions }).versions).toEqual(versions)
    expect(defineSchema(since({ since: 'v2.12' }), { versions }).versions).toEqual(versions)
  })
})

describe('an extension of a schema', () => {
  it('is rejected if it changes a type that the schema does not have', () => {
    expect(catchError(socialSchema.extend, { pohto: { policy: [] } })).toEqual(
      new TypeError(
        'schema.extend: "pohto" must be a type of the schema, or a new type that node() returns; received changes of an unknown type; did you mean photo or post?',
      ),
    )
    expect(catchError(socialSchema.extend, { constructor: {} })).toEqual(
      new TypeError(
        'schema.extend: "constructor" must be a type of the schema, or a new type that node() returns; received changes of an unknown type',
      ),
    )
  })

  it('is rejected if it declares an existing type with node()', () => {
    const whole = node({ fields: { phone: field.string() } })
    expect(catchError(socialSchema.extend, { user: whole })).toEqual(
      new TypeError('schema.extend: "user" must be the changes of the type; received a whole node'),
    )
  })

  it.each([
    [
      undefined,
      'schema.extend: "extensions" must be an object that maps names of types to their changes; received undefined',
    ],
    [
      [],
      'schema.extend: "extensions" must be an object that maps names of types to their changes; received an array of length 0',
    ],
    [{ user: 1 }, 'schema.extend: "user" must be an object; received 1'],
  ])('may not be %o', (changes, message) => {
    expect(catchError(socialSchema.extend, changes)).toEqual(new TypeError(message))
  })
})

describe('defineSchema without arguments', () => {
  it('throws a usage error', () => {
    expect(catchError(defineSchema)).toEqual(
      new TypeError('defineSchema: "types" must be an object with types by name; received undefined'),
    )
  })
})
