import { edge, field, node, parameter } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { collectSchemaErrors } from './schema-errors.ts'

describe('an edge in a schema', () => {
  const likes = (inverse: string) => node({ edges: { likes: edge('page', { inverse }) } })

  it('may only have an inverse that is an edge of its target', () => {
    expect(collectSchemaErrors({ user: likes('fans'), page: node({}) })).toEqual([
      'user.likes: "inverse" must be an edge of page; received "fans"',
    ])
  })

  it('must be the inverse of its inverse', () => {
    const page = node({ edges: { fans: edge('user'), friends: edge('page', { inverse: 'likes' }) } })
    expect(collectSchemaErrors({ user: likes('fans'), page })).toEqual([
      'user.likes: "inverse" must be an edge with the inverse "likes" and the target user; received page.fans',
      'page.friends: "inverse" must be an edge of page; received "likes"',
    ])
    expect(collectSchemaErrors({ user: likes('friends'), page })).toEqual([
      'user.likes: "inverse" must be an edge with the inverse "likes" and the target user; received page.friends',
      'page.friends: "inverse" must be an edge of page; received "likes"',
    ])
  })

  it('may have an inverse only if it is not symmetric', () => {
    const friends = edge('user', { symmetric: true, inverse: 'friends' })
    expect(collectSchemaErrors({ user: node({ edges: { friends } }) })).toEqual([
      'user.friends: "inverse" must be left out of a symmetric edge; received "friends"',
    ])
  })

  it('must lead only to its own type if it is symmetric', () => {
    const friends = edge(['user', 'page'], { symmetric: true })
    expect(collectSchemaErrors({ user: node({ edges: { friends } }), page: node({}) })).toEqual([
      'user.friends: the target of a symmetric edge must be the same type, user; received user, page',
    ])
  })
})

describe('the fields of an edge', () => {
  it('may only be stored values and edge times', () => {
    const fields = {
      who: field.ref('user'),
      liked: field.viewerEdge('likes'),
      age: field.ageRange(),
      score: field.int({ resolve: records => records.map(() => 1) }),
      note: field.string(),
      since: field.edgeTime(),
    }
    const expected = 'a field of an edge must be a stored value or an edge time; received'
    // @ts-expect-error an edge has no refs and no edges to the viewer
    const friends = edge('user', { fields })
    expect(collectSchemaErrors({ user: node({ edges: { friends } }) })).toEqual([
      `user.friends.who: ${expected} a ref, which only a node can have`,
      `user.friends.liked: ${expected} a viewerEdge, which only a node can have`,
      `user.friends.age: ${expected} a computed value`,
      `user.friends.score: ${expected} a computed value`,
    ])
  })

  it('may not have the name of a field or edge of a target', () => {
    const friends = edge('user', {
      fields: { name: field.string(), friends: field.string(), Since: field.edgeTime() },
    })
    const type = node({ fields: { name: field.string() }, edges: { friends } })
    expect(collectSchemaErrors({ user: type })).toEqual([
      'user.friends.name: the name must be different from the fields and edges of the targets; received a field or edge of user',
      'user.friends.friends: the name must be different from the fields and edges of the targets; received a field or edge of user',
      'user.friends: the name of a field must be made of a-z, 0-9 and _, and begin with a letter; received "Since"',
    ])
  })

  it('may not have the option `default`', () => {
    const friends = edge('user', { fields: { close: field.bool({ default: true }) } })
    expect(collectSchemaErrors({ user: node({ edges: { friends } }) })).toEqual([
      'user.friends.close: "default" must be left out, since the edge has "defaults"; received true',
    ])
  })

  it('may be listed in `defaults` of the edge, but edges and unknown names may not', () => {
    const friends = edge('user', {
      defaults: ['id', 'since', 'name', 'friends', 'shoe'],
      fields: { since: field.edgeTime() },
    })
    expect(
      collectSchemaErrors({ user: node({ fields: { name: field.string() }, edges: { friends } }) }),
    ).toEqual([
      'user.friends: "defaults" must be fields of the edge or its targets; received "friends"',
      'user.friends: "defaults" must be fields of the edge or its targets; received "shoe"',
    ])
  })
})

describe('an invalid field in a schema', () => {
  it.each([
    [
      'an edge time of a node',
      field.edgeTime(),
      'an edge time must be a field of an edge; received a field of a node',
    ],
    [
      'a viewerEdge of an unknown edge',
      field.viewerEdge('likes'),
      '"edge" must be an edge of the same type; received "likes"',
    ],
    [
      'an ageRange without a birthday',
      field.ageRange(),
      '"from" must be a birthday field of the type; received "birthday"',
    ],
    [
      'an ageRange of a string',
      field.ageRange({ from: 'name' }),
      '"from" must be a birthday field of the type; received "name"',
    ],
    [
      'an ageRange of an inherited property of objects',
      field.ageRange({ from: 'constructor' }),
      '"from" must be a birthday field of the type; received "constructor"',
    ],
    [
      'a stored field with parameters',
      field.int({ parameters: { size: parameter.int() } }),
      '"parameters" must be left out of a stored field; received parameters for a field without "resolve"',
    ],
    [
      'a required computed field',
      field.int({ required: true, resolve: records => records.map(() => 1) }),
      '"required" must be left out of a computed field; received true',
    ],
    [
      'an invalid since',
      field.int(Object({ since: '2.0' })),
      '"since" must be a version such as v1.0; received "2.0"',
    ],
    [
      'a removedIn before since',
      field.int({ since: 'v2.12', removedIn: 'v2.3' }),
      '"removedIn" must be a version after v2.12; received "v2.3"',
    ],
    [
      'a removedIn equal to since',
      field.int({ since: 'v2.3', removedIn: 'v2.3' }),
      '"removedIn" must be a version after v2.3; received "v2.3"',
    ],
  ])('is rejected: %s', (_, wrong, error) => {
    expect(collectSchemaErrors({ user: node({ fields: { name: field.string(), wrong } }) })).toEqual([
      `user.wrong: ${error}`,
    ])
  })

  it('is rejected if it is a default ref that leads back to its own type', () => {
    const types = {
      user: node({ fields: { page: field.ref('page', { default: true }) } }),
      page: node({ fields: { owner: field.ref('user', { default: true }) } }),
      post: node({ fields: { from: field.ref('user', { default: true }) } }),
    }
    expect(collectSchemaErrors(types)).toEqual([
      'user: the default refs must be free of cycles; received default refs that lead back to user',
      'page: the default refs must be free of cycles; received default refs that lead back to page',
    ])
  })
})
