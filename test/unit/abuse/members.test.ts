import { edge, field, node } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { faultsOf } from './schema-faults.ts'

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
      'user.friends: no field may be named "Since": expected a-z, 0-9 and _, a letter first',
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
