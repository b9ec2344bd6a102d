import { edge, field, node, socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { faultsOf, thrownBy } from './schema-faults.ts'

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

describe('the versions of a schema', () => {
  it.each([
    [[], 'versions: expected at least one'],
    [['1.0'], 'versions: expected such as v1.0, came "1.0"'],
    [['v1.0', 'v1.0'], 'versions: one is named twice'],
  ])('are not %o', (versions, fault) => {
    expect(faultsOf({ user }, { versions })).toEqual([fault])
  })
})
