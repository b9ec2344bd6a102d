import { createGraph } from 'kithgraph'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { createWorld, createWorldStore } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const { graph } = await createWorld()
const { explain } = graph

describe('explain', () => {
  it('returns one read, a cost of 1 and no examined edges for a node', () => {
    expect(explain({ type: 'user', fields: 'name,email' })).toEqual({
      version: 'v1.0',
      plan: {
        user: [
          { key: 'name', kind: 'value', name: 'name', type: 'string' },
          { key: 'email', kind: 'value', name: 'email', type: 'string' },
          { key: 'id', kind: 'id' },
        ],
      },
      reads: 1,
      cost: 1,
      edgesExamined: 0,
      scopes: ['email'],
    })
  })

  it('returns one read per level, and the cost and the examined edges of the worst case', () => {
    const fields = 'photos.limit(10){comments.limit(3){from}}'
    expect(explain({ type: 'user', fields })).toMatchObject({
      reads: 4,
      cost: 1 + (1 + 10 * (1 + (1 + 3 * (1 + 1)))),
      edgesExamined: 10 * (1 + 3),
      scopes: ['user_photos'],
    })
  })

  it('assumes the default limit for the entries of an edge', () => {
    expect(explain({ type: 'user', edge: 'friends', fields: 'name,photos.limit(2)' })).toMatchObject({
      reads: 2,
      cost: 1 + (1 + 25 * (1 + (1 + 2))),
      edgesExamined: 25 * (1 + 2),
      scopes: ['user_friends', 'user_photos'],
    })
  })

  it('counts the most expensive of the possible types of a ref, not their sum', () => {
    const fields = 'from{photos.limit(7),likes.limit(5)}'
    expect(explain({ type: 'photo', fields }).cost).toBe(1 + 1 + (1 + 7) + (1 + 5))
  })

  it('counts a limit as at most 100, and each alias separately', () => {
    expect(explain({ type: 'user', fields: 'photos.limit(5000){id}' }).cost).toBe(102)
    expect(explain({ type: 'user', fields: 'photos.limit(5),photos.limit(6).as(more)' }).cost).toBe(14)
  })

  it('returns the version that serves the call', () => {
    expect(explain({ type: 'user', version: 'v7.1' }).version).toBe('v1.0')
  })

  it('returns data that JSON can represent', () => {
    const explained = explain({
      type: 'post',
      fields: 'to,from{picture.width(5)},viewer_likes,likes.limit(2)',
    })
    expect(JSON.parse(JSON.stringify(explained))).toEqual(explained)
  })

  it('is synchronous and reads nothing', async () => {
    const store = countReads(await createWorldStore())
    const { explain } = createGraph(store)
    expect(explain({ type: 'user', fields: 'photos{comments}' }).reads).toBe(3)
    expect(store.reads).toEqual([])
  })

  it('rejects names and parameters that a read would reject', async () => {
    expect((await expectGraphError(callUntyped(explain, { type: 'user', fields: 'nmae' }))).reason).toBe(
      'field_not_found',
    )
    expect((await expectGraphError(callUntyped(explain, { type: 'user', fields: 'a,,b' }))).reason).toBe(
      'invalid_syntax',
    )
    expect((await expectGraphError(callUntyped(explain, { type: 'user', edge: 'nope' }))).reason).toBe(
      'field_not_found',
    )
    expect(
      (await expectGraphError(callUntyped(explain, { type: 'user', fields: 'photos.limit(0)' }))).reason,
    ).toBe('invalid_parameter')
  })

  it.each([
    [
      { type: 'shop' },
      'explain: "type" must be one of "user", "page", "group", "post", "photo", "comment", "album"; received "shop"',
    ],
    [
      { type: '__proto__' },
      'explain: "type" must be one of "user", "page", "group", "post", "photo", "comment", "album"; received "__proto__"',
    ],
    [
      { type: 'user', limit: 3 },
      'explain: options must be one of "type", "edge", "fields", "version"; received "limit"',
    ],
    [undefined, 'explain: "options" must be an object; received undefined'],
  ])('throws a TypeError for invalid options: %o', (call, message) => {
    expect(() => Reflect.apply(explain, undefined, [call])).toThrow(new TypeError(message))
  })
})
