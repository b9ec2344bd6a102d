import { defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { faultsOf, thrownBy } from './schema-faults.ts'

const user = node({ fields: { name: field.string({ default: true }) } })

const FORM = 'expected a-z, 0-9 and _, a letter first'
const RESERVED = 'the word is reserved'

describe('the names of a schema', () => {
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
  ])('no type may be named %o: %s', (name, why) => {
    expect(faultsOf(Object.fromEntries([[name, user]]))).toEqual([`no type may be named "${name}": ${why}`])
  })

  it.each([
    ['firstName', FORM],
    ['__proto__', FORM],
    ['to string', FORM],
    ['id', RESERVED],
    ['me', RESERVED],
    ['metadata', RESERVED],
    ['constructor', RESERVED],
  ])('no field and no edge may be named %o: %s', (name, why) => {
    const fields = Object.fromEntries([[name, field.string()]])
    const edges = Object.fromEntries([[name, edge('user')]])
    const fault = `user: no field or edge may be named "${name}": ${why}`
    expect(faultsOf({ user: node({ fields }) })).toEqual([fault])
    expect(faultsOf({ user: node({ edges }) })).toEqual([fault])
  })

  it('none may be a field and an edge', () => {
    const both = node({ fields: { likes: field.int() }, edges: { likes: edge('user') } })
    expect(faultsOf({ user: both })).toEqual(['user: "likes" is both a field and an edge'])
  })

  it.each([
    ...['as', 'fields', 'limit', 'after', 'before', 'since', 'until', 'order', 'summary', 'id'].map(
      name => [name, RESERVED] as const,
    ),
    ['Size', FORM] as const,
  ])('no parameter may be named %s: %s', (name, why) => {
    const parameters = { [name]: field.int() }
    const sized = node({
      fields: { size: field.int({ parameters, resolve: records => records.map(() => 1) }) },
    })
    expect(faultsOf({ user: sized })).toEqual([`user.size: no parameter may be named "${name}": ${why}`])
  })
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

  it('are guessed where they are misspelt', () => {
    const types = { user, photo: node({ fields: { from: field.ref('usr') } }) }
    expect(faultsOf(types, { viewers: ['users'] })).toEqual([
      'viewers: there is no type "users"; did you mean user?',
      'photo.from: there is no type "usr"; did you mean user?',
    ])
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
      `no type may be named "User": ${FORM}`,
      'page.from: there is no type "shop"',
      'page.liked: there is no edge "fans" on the same type',
      'page.likes: there is no type "user"; did you mean User?',
      'page.posts: its default "title" is no field of what it leads to',
      'post.when: removed in v1.0, before it came in v2.0',
    ])
  })

  it('are told of an extension as well', () => {
    const changes = {
      user: { fields: { from: field.ref('store') } },
      shop: node({ edges: { Owner: edge('user') } }),
    }
    const faults = [
      'viewers: there is no type "robot"',
      'user.from: there is no type "store"',
      `shop: no field or edge may be named "Owner": ${FORM}`,
    ]
    expect(thrownBy(socialSchema.extend, changes, { viewers: ['user', 'robot'] })).toEqual(
      new TypeError(`The schema has 3 faults:\n${faults.map(fault => `- ${fault}`).join('\n')}`),
    )
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

  const since = (versions: { since: string; removedIn?: string }) => ({
    thing: node({ fields: { new: field.int(versions) } }),
  })

  it('have every field in one of them at the latest', () => {
    const fault = 'there is no version with it, since it came in v1.1 and the newest is v1.0'
    expect(faultsOf(since({ since: 'v1.1' }))).toEqual([`thing.new: ${fault}`])
    const fields = { at: field.edgeTime({ since: 'v1.1' }) }
    expect(faultsOf({ thing: node({ edges: { things: edge('thing', { fields }) } }) })).toEqual([
      `thing.things.at: ${fault}`,
    ])
  })

  it('may have forgotten the one in which a field came, and not have come to the one in which it goes', () => {
    const versions = ['v2.3', 'v2.12'] as const
    expect(defineSchema(since({ since: 'v1.0', removedIn: 'v3.0' }), { versions }).versions).toEqual(versions)
    expect(defineSchema(since({ since: 'v2.12' }), { versions }).versions).toEqual(versions)
  })
})

describe('an extension', () => {
  it('changes the types that are there, and takes no misspelt one for a new one', () => {
    expect(thrownBy(socialSchema.extend, { pohto: { policy: [] } })).toEqual(
      new TypeError(
        'schema.extend: pohto: there is no such type to change, and a new one is made by node; did you mean photo or post?',
      ),
    )
    expect(thrownBy(socialSchema.extend, { constructor: {} })).toEqual(
      new TypeError(
        'schema.extend: constructor: there is no such type to change, and a new one is made by node',
      ),
    )
  })

  it('takes no whole node for the changes of one that is there', () => {
    const whole = node({ fields: { phone: field.string() } })
    expect(thrownBy(socialSchema.extend, { user: whole })).toEqual(
      new TypeError('schema.extend: user: the type is there; expected its changes alone, came a whole node'),
    )
  })

  it.each([
    [undefined, 'schema.extend: expected types with their changes, came undefined'],
    [[], 'schema.extend: expected types with their changes, came a list of 0'],
    [{ user: 1 }, 'schema.extend: user: expected options as an object, came 1'],
  ])('is not %o', (changes, message) => {
    expect(thrownBy(socialSchema.extend, changes)).toEqual(new TypeError(message))
  })
})

describe('a schema of nothing', () => {
  it('says that types are missing', () => {
    expect(thrownBy(defineSchema)).toEqual(
      new TypeError('defineSchema: expected types by name, made by node, came undefined'),
    )
  })
})
