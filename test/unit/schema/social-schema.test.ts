import { defineSchema, socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import type { EdgeType } from '../../../src/schema/edge.ts'
import { storedListOf } from '../../../src/schema/stored-lists.ts'

const { types } = socialSchema

/** The default fields, all fields and the edges of each type, in their order. */
const TABLE = {
  user: {
    defaults: ['name'],
    fields:
      'name first_name middle_name last_name short_name name_format username email birthday age_range gender link picture about locale timezone verified updated_time',
    edges: 'photos albums posts feed friends likes groups accounts',
  },
  page: {
    defaults: ['name'],
    fields: 'name about category link picture username created_time',
    edges: 'photos posts feed likes',
  },
  group: {
    defaults: ['name'],
    fields: 'name description link picture created_time updated_time',
    edges: 'members feed',
  },
  post: {
    defaults: ['created_time', 'message'],
    fields:
      'created_time message from to link picture full_picture permalink_url shares story type updated_time viewer_likes',
    edges: 'comments likes reactions photos',
  },
  photo: {
    defaults: ['created_time'],
    fields: 'created_time name from height width icon images link picture updated_time viewer_likes',
    edges: 'comments likes',
  },
  comment: {
    defaults: ['created_time', 'message'],
    fields: 'created_time message from parent viewer_likes',
    edges: 'comments likes',
  },
  album: {
    defaults: ['name', 'created_time'],
    fields: 'name created_time count cover_photo',
    edges: 'photos',
  },
} as const satisfies { [type in keyof typeof types]: object }

const SCOPES = {
  email: 'email',
  birthday: 'user_birthday',
  photos: 'user_photos',
  albums: 'user_photos',
  posts: 'user_posts',
  feed: 'user_posts',
  friends: 'user_friends',
  likes: 'user_likes',
  groups: 'user_groups',
  accounts: 'pages_show_list',
}

const entries = Object.entries(types)

describe('the social schema', () => {
  it('has no declaration error', () => {
    const { types, versions, viewers, defaultPicture } = socialSchema
    expect(() => defineSchema(types, { versions, viewers, defaultPicture })).not.toThrow()
  })

  it('has seven node types', () => {
    expect(Object.keys(types)).toEqual(Object.keys(TABLE))
    expect(socialSchema.versions).toEqual(['v1.0'])
    expect(socialSchema.viewers).toEqual(['user', 'page'])
  })

  it.each(Object.entries(TABLE))('has the fields and edges of a %s', (name, { defaults, fields, edges }) => {
    const type = entries.find(([key]) => key === name)?.[1]
    expect(Object.keys(type?.fields ?? {})).toEqual(fields.split(' '))
    expect(Object.keys(type?.edges ?? {})).toEqual(edges.split(' '))
    const declared = Object.entries(type?.fields ?? {})
    expect(declared.flatMap(([field, one]) => (one.default ? [field] : []))).toEqual(defaults)
  })

  it.each(entries)(
    'has a description of a %s and of each of its fields, edges and parameters of edges',
    (_, { description, fields, edges }) => {
      for (const text of [
        description,
        ...[...Object.values(fields), ...Object.values(edges)].map(member => member.description),
        ...Object.values<EdgeType>(edges).flatMap(({ parameters }) =>
          Object.values(parameters).map(parameter => parameter.description),
        ),
      ]) {
        expect(text).toMatch(/^[A-Z].{6,}\.$/)
      }
    },
  )

  it('requires scopes only for fields and edges of the type user', () => {
    for (const [name, { fields, edges }] of entries) {
      const members = [...Object.entries(fields), ...Object.entries(edges)]
      const scopes = Object.fromEntries(
        members.flatMap(([member, { scope }]) => (scope === undefined ? [] : [[member, scope]])),
      )
      expect(scopes).toEqual(name === 'user' ? SCOPES : {})
    }
  })

  it('requires the name of a user, page or group, and no other field', () => {
    const required = entries.flatMap(([name, { fields }]) =>
      Object.entries(fields).flatMap(([member, one]) => (one.required ? [`${name}.${member}`] : [])),
    )
    expect(required).toEqual(['user.name', 'page.name', 'group.name'])
  })

  it('has app-scoped ids only for the type user', () => {
    expect(entries.flatMap(([name, { appScoped }]) => (appScoped ? [name] : []))).toEqual(['user'])
  })

  it('orders comments oldest first, and all other edges newest first', () => {
    for (const [, { edges }] of entries) {
      for (const [name, { order }] of Object.entries(edges)) {
        expect(order).toBe(name === 'comments' ? 'chronological' : 'reverse_chronological')
      }
    }
  })

  it('has a list of the photos that a person uploaded, and of the comments with all replies', () => {
    const { photos } = types.user.edges
    expect(['tagged', 'uploaded'].map(type => storedListOf(photos, 'photos', { type }))).toEqual([
      'photos',
      'photos_uploaded',
    ])
    for (const { edges } of [types.photo, types.post, types.comment])
      expect(
        ['toplevel', 'stream'].map(filter => storedListOf(edges.comments, 'comments', { filter })),
      ).toEqual(['comments', 'comments_stream'])
    expect(types.user.edges.photos.parameters.type?.default).toBe('tagged')
    expect(types.photo.edges.comments.parameters.filter?.default).toBe('toplevel')
  })

  it('stores friends, likes and groups in both directions', () => {
    expect(types.user.edges.friends.symmetric).toBe(true)
    expect([types.user.edges.likes.inverse, types.page.edges.likes.inverse]).toEqual(['likes', 'likes'])
    expect([types.user.edges.groups.inverse, types.group.edges.members.inverse]).toEqual([
      'members',
      'groups',
    ])
  })

  it('has edges and refs with the expected target types', () => {
    expect(types.user.edges.likes.targets).toEqual(['page'])
    expect(types.user.edges.accounts.targets).toEqual(['page'])
    expect(types.page.edges.likes.targets).toEqual(['user'])
    expect(types.post.fields.to).toMatchObject({ kind: 'ref', targets: ['page', 'group'] })
    expect(types.comment.fields.parent).toMatchObject({ kind: 'ref', targets: ['post', 'photo', 'comment'] })
    for (const { fields } of [types.post, types.photo, types.comment]) {
      expect(fields.from).toMatchObject({ kind: 'ref', targets: ['user', 'page'] })
    }
    expect(Object.keys(types.group.edges.members.fields)).toEqual(['joined'])
    expect(types.user.edges.photos.defaults).toEqual(['created_time'])
  })
})
