import { createGraph, field, type NodeRecord, type Rule, socialSchema } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { describe, expect, it } from 'vitest'
import { decodePosition, encodeCursorPrefix } from '../../../src/core/cursor-letters.ts'
import {
  ADA,
  ALAN,
  COMPILERS,
  createWorldStore,
  EDSGER,
  ENGINE,
  FIRST_COMMENT,
  GRACE,
  NEWEST_PHOTO,
  NEWEST_TIME,
  SCOPES,
  STATUS,
} from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const appIds = createAppIds({ secrets: { 1: 'a secret of sixteen' }, current: 1 })
const store = await createWorldStore()
const plain = createGraph(store)
const graph = createGraph(store, { appIds, secret: 'the secret of the cursors' })
const { getEdge, getEdges, getMe, getNode, getNodes, hasEdge, iterateEdge, ids } = graph
const demo = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
const other = graph.session({ viewer: ADA, app: 'other', scopes: SCOPES })
const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
const raw = plain.session({ viewer: ADA, app: 'demo', scopes: SCOPES })

const toPublic = (id: string): string => ids.toPublic(id, 'demo')
const [ada, grace, alan] = [ADA, GRACE, ALAN].map(toPublic)

/** The length of the signature at the end of a cursor with public ids. */
const SIGNATURE_LENGTH = 16

/** Returns the id in a cursor of an edge. */
const idInCursor = (edge: string, cursor = ''): string | undefined =>
  decodePosition(cursor.slice(encodeCursorPrefix(edge).length))?.target

const catchReason = async (promise: Promise<unknown>) => (await expectGraphError(promise)).reason

describe('a node of an app-scoped type', () => {
  it('has a public id of 20 digits that differs from app to app', async () => {
    expect(await getMe(demo)).toEqual({ name: 'Ada Lovelace', id: ada })
    expect(await getMe(token)).toEqual({ name: 'Ada Lovelace', id: ada })
    expect(ada).toMatch(/^1\d{19}$/)
    const { id } = await getMe(other)
    expect(id).toMatch(/^1\d{19}$/)
    expect(id).not.toBe(ada)
  })

  it('is read by its public id or by the id me', async () => {
    for (const caller of [demo, token]) {
      expect(await getNode(caller, { id: `${grace}`, fields: 'name' })).toEqual({
        name: 'Grace Hopper',
        id: grace,
      })
      expect(await getEdge(caller, { id: 'me', edge: 'friends', fields: 'id' })).toMatchObject({
        data: [{ id: alan }, { id: grace }],
      })
    }
  })

  it('has the same public id in refs, entries, aliases and nested selections', async () => {
    const fields = 'from.as(author){id,friends{id}},likes{id},comments{from}'
    const { author, likes, comments } = Object(await callUntyped(getNode, demo, { id: NEWEST_PHOTO, fields }))
    expect(author).toMatchObject({ id: ada, friends: { data: [{ id: alan }, { id: grace }] } })
    expect(likes.data).toEqual([{ id: alan }, { id: grace }])
    expect(comments.data[0]).toEqual({ from: { name: 'Grace Hopper', id: grace }, id: FIRST_COMMENT })
    expect(comments.data[1].from).toEqual({ name: 'The Analytical Engine', id: ENGINE })
  })

  it('is keyed by the requested id in results of getNodes and getEdges', async () => {
    expect(Object.keys(await getNodes(demo, { ids: [`${grace}`, 'me', STATUS] })).sort()).toEqual(
      [`${grace}`, 'me', STATUS].sort(),
    )
    const friends = await getEdges(demo, { ids: ['me', `${grace}`], edge: 'friends', fields: 'id' })
    expect(friends).toMatchObject({
      me: { data: [{ id: alan }, { id: grace }] },
      [`${grace}`]: { data: [{ id: ada }] },
    })
  })

  it('is accepted by hasEdge as source or target only by its public id', async () => {
    expect(await hasEdge(demo, { id: `${ada}`, edge: 'friends', target: `${grace}` })).toBe(true)
    expect(await hasEdge(demo, { id: NEWEST_PHOTO, edge: 'likes', target: `${grace}` })).toBe(true)
    expect(await hasEdge(demo, { id: COMPILERS, edge: 'members', target: 'me' })).toBe(true)
    expect(await hasEdge(demo, { id: `${ada}`, edge: 'friends', target: GRACE })).toBe(false)
    expect(await hasEdge(demo, { id: `${ada}`, edge: 'friends', target: ids.toPublic(GRACE, 'other') })).toBe(
      false,
    )
    expect(await catchReason(hasEdge(demo, { id: ADA, edge: 'friends', target: `${grace}` }))).toBe(
      'node_not_found',
    )
  })

  it('has the same position in a list as in a graph without app-scoped ids', async () => {
    const { data } = await getEdge(demo, { id: 'me', edge: 'friends', fields: 'name' })
    const bare = await plain.getEdge(raw, { id: ADA, edge: 'friends', fields: 'name' })
    expect(data.map(({ name }) => name)).toEqual(bare.data.map(({ name }) => name))
  })
})

describe('a result of a graph with app-scoped ids', () => {
  it('has paging links with public ids, and its cursors give the next page', async () => {
    const { paging } = await getEdge(demo, { id: 'me', edge: 'photos', limit: 5 })
    expect(paging?.next).toMatch(`/${ada}/photos?`)
    const below = await callUntyped(getNode, demo, {
      id: NEWEST_PHOTO,
      fields: 'from{photos.limit(2)},likes.limit(1)',
    })
    const { from, likes } = Object(below)
    expect(from.photos.paging.next).toMatch(`/${ada}/photos?`)
    expect(likes.paging.next).toMatch(`/${NEWEST_PHOTO}/likes?`)
    const after = paging?.cursors.after
    const next = await getEdge(demo, { id: `${ada}`, edge: 'photos', limit: 5, after, fields: 'id' })
    const bare = await plain.getEdge(raw, { id: ADA, edge: 'photos', limit: 5, after, fields: 'id' })
    expect(next.data).toEqual(bare.data)
  })

  it('has paths with public ids in metadata.connections', async () => {
    const { metadata } = await getMe(demo, { metadata: true })
    const { connections = {} } = Object(metadata)
    expect(connections).toMatchObject({ friends: `/${ada}/friends`, photos: `/${ada}/photos` })
    const photo = await getNode(demo, { id: NEWEST_PHOTO, type: 'photo', metadata: true })
    expect(Object(photo.metadata).connections.likes).toBe(`/${NEWEST_PHOTO}/likes`)
  })

  it('has cursors with public ids only for edges that may lead to app-scoped nodes', async () => {
    const friends = await getEdge(demo, { id: 'me', edge: 'friends', limit: 1 })
    expect(idInCursor('friends', friends.paging?.cursors.after?.slice(0, -SIGNATURE_LENGTH))).toBe(alan)
    const photos = await getEdge(demo, { id: 'me', edge: 'photos', limit: 1 })
    expect(idInCursor('photos', photos.paging?.cursors.after)).toBe(NEWEST_PHOTO)
    const after = friends.paging?.cursors.after
    for (const caller of [demo, token]) {
      expect(await getEdge(caller, { id: 'me', edge: 'friends', after, fields: 'id' })).toMatchObject({
        data: [{ id: grace }],
      })
      expect(await callUntyped(getMe, caller, { fields: `friends.after(${after}){id}` })).toMatchObject({
        friends: { data: [{ id: grace }] },
      })
    }
    const walked = []
    for await (const { id } of iterateEdge(demo, { id: 'me', edge: 'friends', limit: 1 })) walked.push(id)
    expect(walked).toEqual([alan, grace])
  })
})

describe('an id that is not valid in the app', () => {
  it.each([
    ['a raw id', ADA],
    ['a raw id of no node', '999'],
    ['an id of another app', ids.toPublic(ADA, 'other')],
    ['a forged id', `2${toPublic(ADA).slice(1)}`],
    ['an app-scoped id of a node that is not app-scoped', toPublic(NEWEST_PHOTO)],
  ])('is treated as the id of a missing node: %s', async (_, id) => {
    for (const caller of [demo, token]) {
      expect(await catchReason(getNode(caller, { id }))).toBe('node_not_found')
      expect(await catchReason(getNodes(caller, { ids: ['me', id] }))).toBe('node_not_found')
      expect(await catchReason(getEdge(caller, { id, edge: 'friends' }))).toBe('node_not_found')
      expect(await catchReason(getEdges(caller, { ids: [`${ada}`, id], edge: 'friends' }))).toBe(
        'node_not_found',
      )
      expect(await catchReason(hasEdge(caller, { id, edge: 'friends', target: 'me' }))).toBe('node_not_found')
      expect(Object.keys(await getNodes(caller, { ids: ['me', id], partial: true }))).toEqual([
        'me',
        '__debug__',
      ])
    }
  })

  it.each([
    ['raw', 'friends'],
    ['raw', 'likes'],
    ['forged', 'friends'],
    ['cut short', 'friends'],
  ])('is rejected inside a cursor: %s cursor of the edge %s', async (kind, edge) => {
    const id = edge === 'friends' ? 'me' : NEWEST_PHOTO
    const { paging } = Object(await callUntyped(plain.getEdge, raw, { id, edge, limit: 1 }))
    const good = Object(await callUntyped(getEdge, demo, { id, edge, limit: 1 })).paging.cursors.after
    const cursors: { readonly [kind: string]: string } = {
      raw: paging.cursors.after,
      forged: btoa(`friends:r:::${NEWEST_TIME}:2${`${grace}`.slice(1)}`).replace(/=+$/, ''),
      'cut short': good.slice(0, -1),
    }
    for (const caller of [demo, token]) {
      for (const name of ['after', 'before']) {
        const error = await expectGraphError(
          callUntyped(getEdge, caller, { id, edge, [name]: cursors[kind] }),
        )
        expect(error.toJSON().error.error_data).toMatchObject({
          reason: 'invalid_parameter',
          parameter: name,
        })
        const fields = `${edge}.${name}(${cursors[kind]})`
        const below = await expectGraphError(callUntyped(getNode, caller, { id, fields }))
        expect(below.toJSON().error.error_data).toMatchObject({
          reason: 'invalid_parameter',
          parameter: name,
        })
      }
    }
  })

  it('is rejected if it is a public id and the graph does not have the option appIds', async () => {
    expect(await catchReason(plain.getNode(raw, { id: `${ada}` }))).toBe('invalid_parameter')
    expect(ids.toRaw(ADA, 'demo')).toBeUndefined()
    expect(plain.ids.toPublic(ADA, 'demo')).toBe(ADA)
  })
})

describe('application code', () => {
  it('receives raw ids instead of public ids in rules, resolve functions and sessions', async () => {
    const seen: unknown[] = []
    const note = (...values: unknown[]) => void seen.push(...values)
    const rule: Rule = {
      name: 'watched',
      checks: ({ id }, { viewer = '' }) =>
        id === viewer ? [] : [{ source: viewer, name: 'friends', target: id }],
      decide(record, { viewer }, found) {
        note(record.id, viewer)
        return record.id === viewer || found[0] ? 'allow' : 'skip'
      },
    }
    const resolve = (records: readonly NodeRecord[]) => {
      note(...records.map(({ id }) => id))
      return records.map(({ id }) => id)
    }
    const schema = socialSchema.extend({
      user: { policy: [rule], fields: { raw_id: field.string({ resolve }) } },
      photo: {
        fields: { owner: field.string({ resolve: photos => photos.map(({ fields }) => `${fields.from}`) }) },
      },
    })
    const { getNode, session } = createGraph(store, { schema, appIds, secret: 'the secret of the cursors' })
    const caller = session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    expect(await callUntyped(getNode, caller, { id: grace, fields: 'raw_id' })).toEqual({
      raw_id: GRACE,
      id: grace,
    })
    expect(await callUntyped(getNode, caller, { id: NEWEST_PHOTO, fields: 'owner' })).toMatchObject({
      owner: ADA,
    })
    expect(await catchReason(callUntyped(getNode, caller, { id: toPublic(EDSGER) }))).toBe('node_not_found')
    expect(new Set(seen)).toEqual(new Set([GRACE, ADA, EDSGER]))
    expect(caller.viewer).toBe(ADA)
  })
})
