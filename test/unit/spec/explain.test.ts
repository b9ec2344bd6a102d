import { createGraph } from 'kithgraph'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { createWorld, worldStore } from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const { graph } = await createWorld()
const { explain } = graph

describe('explain', () => {
  it('tells of a node: one wave, one node, nothing scanned', () => {
    expect(explain({ type: 'user', fields: 'name,email' })).toEqual({
      version: 'v1.0',
      plan: {
        user: [
          { key: 'name', kind: 'value', name: 'name', type: 'string' },
          { key: 'email', kind: 'value', name: 'email', type: 'string' },
          { key: 'id', kind: 'id' },
        ],
      },
      waves: 1,
      cost: 1,
      scanned: 0,
      scopes: ['email'],
    })
  })

  it('counts a wave a level, and the cost and the edges of the worst case', () => {
    const fields = 'photos.limit(10){comments.limit(3){from}}'
    expect(explain({ type: 'user', fields })).toMatchObject({
      waves: 4,
      cost: 1 + (1 + 10 * (1 + (1 + 3 * (1 + 1)))),
      scanned: 10 * (1 + 3),
      scopes: ['user_photos'],
    })
  })

  it('tells of the entries of an edge at the default limit', () => {
    expect(explain({ type: 'user', edge: 'friends', fields: 'name,photos.limit(2)' })).toMatchObject({
      waves: 2,
      cost: 1 + (1 + 25 * (1 + (1 + 2))),
      scanned: 25 * (1 + 2),
      scopes: ['user_friends', 'user_photos'],
    })
  })

  it('takes the worst of several types, not their sum', () => {
    const fields = 'from{photos.limit(7),likes.limit(5)}'
    expect(explain({ type: 'photo', fields }).cost).toBe(1 + 1 + (1 + 7) + (1 + 5))
  })

  it('counts clamped limits and aliases', () => {
    expect(explain({ type: 'user', fields: 'photos.limit(5000){id}' }).cost).toBe(102)
    expect(explain({ type: 'user', fields: 'photos.limit(5),photos.limit(6).as(more)' }).cost).toBe(14)
  })

  it('answers for the version that serves', () => {
    expect(explain({ type: 'user', version: 'v7.1' }).version).toBe('v1.0')
  })

  it('is data that JSON can carry', () => {
    const explained = explain({
      type: 'post',
      fields: 'to,from{picture.width(5)},viewer_likes,likes.limit(2)',
    })
    expect(JSON.parse(JSON.stringify(explained))).toEqual(explained)
  })

  it('is synchronous and reads nothing', async () => {
    const store = countReads(await worldStore())
    const { explain } = createGraph(store)
    expect(explain({ type: 'user', fields: 'photos{comments}' }).waves).toBe(3)
    expect(store.reads).toEqual([])
  })

  it('refuses what a read would refuse of names and parameters', async () => {
    expect((await faultOf(loosely(explain, { type: 'user', fields: 'nmae' }))).data.reason).toBe(
      'unknown_field',
    )
    expect((await faultOf(loosely(explain, { type: 'user', fields: 'a,,b' }))).data.reason).toBe('syntax')
    expect((await faultOf(loosely(explain, { type: 'user', edge: 'nope' }))).data.reason).toBe(
      'unknown_field',
    )
    expect((await faultOf(loosely(explain, { type: 'user', fields: 'photos.limit(0)' }))).data.reason).toBe(
      'bad_parameter',
    )
  })

  it.each([
    [{ type: 'shop' }, 'explain: type must be one of user, page, group, post, photo, comment, came "shop"'],
    [
      { type: '__proto__' },
      'explain: type must be one of user, page, group, post, photo, comment, came "__proto__"',
    ],
    [
      { type: 'user', limit: 3 },
      'explain: unknown option "limit"; expected one of type, edge, fields, version',
    ],
    [undefined, 'explain: expected options as an object, came undefined'],
  ])('refuses the misuse %o', (call, message) => {
    expect(() => Reflect.apply(explain, undefined, [call])).toThrow(new TypeError(message))
  })
})
