import { describe, expect, it } from 'vitest'
import {
  ADA,
  createWorld,
  EDSGER,
  ENGINE,
  GRACE,
  NEWEST_FIRST,
  NEWEST_PHOTO,
  NEWEST_TIME_TEXT,
  STATUS,
} from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const { graph, ada, unscoped } = await createWorld()
const { getEdge, getEdges, getNodes, hasEdge, iterateEdge } = graph

describe('getNodes', () => {
  it('keys the result by the ids of the call', async () => {
    expect(await getNodes(ada, { ids: [GRACE, 'me', GRACE], fields: 'name' })).toEqual({
      [GRACE]: { name: 'Grace Hopper', id: GRACE },
      me: { name: 'Ada Lovelace', id: ADA },
    })
  })

  it('returns nodes of several types, each with its default fields', async () => {
    expect(await getNodes(ada, { ids: [ADA, STATUS] })).toEqual({
      [ADA]: { name: 'Ada Lovelace', id: ADA },
      [STATUS]: { created_time: NEWEST_TIME_TEXT, message: 'It works.', id: STATUS },
    })
  })

  it('fails if one node is missing', async () => {
    const error = await expectGraphError(getNodes(ada, { ids: [ADA, '999', GRACE] }))
    expect(error.toJSON().error.error_data).toMatchObject({ reason: 'node_not_found', id: '999' })
  })

  it('returns an empty object for no ids', async () => {
    expect(await getNodes(ada, { ids: [] })).toEqual({})
  })
})

describe('getEdges', () => {
  it('keys the pages by the ids of the call', async () => {
    const result = await getEdges(ada, { ids: ['me', EDSGER], edge: 'friends', limit: 1, fields: 'name' })
    expect(result).toEqual({
      me: await getEdge(ada, { id: ADA, edge: 'friends', limit: 1, fields: 'name' }),
      [EDSGER]: { data: [] },
    })
  })

  it('accepts sources of several types', async () => {
    const result = await getEdges(ada, { ids: [ADA, ENGINE], edge: 'likes' })
    expect(result).toMatchObject({
      [ADA]: { data: [{ name: 'The Analytical Engine', id: ENGINE }] },
      [ENGINE]: { data: [{ name: 'Ada Lovelace', id: ADA }] },
    })
  })

  it('fails if a source has another type than the given type', async () => {
    const error = await expectGraphError(
      callUntyped(getEdges, ada, { ids: [ADA, ENGINE], type: 'user', edge: 'likes' }),
    )
    expect(error.toJSON().error.error_data).toMatchObject({ reason: 'node_not_found', id: ENGINE })
  })
})

describe('hasEdge', () => {
  it('returns whether the edge exists', async () => {
    expect(await hasEdge(ada, { id: ADA, edge: 'friends', target: GRACE })).toBe(true)
    expect(await hasEdge(ada, { id: ADA, edge: 'friends', target: EDSGER })).toBe(false)
    expect(await hasEdge(ada, { id: ADA, edge: 'friends', target: '999' })).toBe(false)
  })

  it('rejects a missing source, an unknown edge, a missing scope and an invalid target', async () => {
    const reasonOf = async (call: object, caller = ada) =>
      (await expectGraphError(callUntyped(hasEdge, caller, call))).reason
    expect(await reasonOf({ id: '999', edge: 'friends', target: ADA })).toBe('node_not_found')
    expect(await reasonOf({ id: ADA, edge: 'members', target: ADA })).toBe('field_not_found')
    expect(await reasonOf({ id: ADA, edge: 'name', target: ADA })).toBe('field_not_found')
    expect(await reasonOf({ id: ADA, edge: 'friends', target: GRACE }, unscoped)).toBe('scope_missing')
    expect(await reasonOf({ id: ADA, edge: 'friends', target: 'Grace' })).toBe('invalid_parameter')
  })
})

describe('iterateEdge', () => {
  const all = async (call: object): Promise<unknown[]> => {
    const ids: unknown[] = []
    const entries = Reflect.apply(iterateEdge, undefined, [ada, { id: 'me', edge: 'photos', ...call }])
    for await (const entry of entries) ids.push(Reflect.get(entry, 'id'))
    return ids
  }

  it.each([1, 7, 20, 60, 100])('yields all entries in order at a limit of %d', async limit => {
    expect(await all({ limit })).toEqual(NEWEST_FIRST)
  })

  it('accepts a cursor, an order and a time window', async () => {
    const first = await getEdge(ada, { id: 'me', edge: 'photos', limit: 10 })
    expect(await all({ limit: 9, after: first.paging?.cursors.after })).toEqual(NEWEST_FIRST.slice(10))
    expect(await all({ limit: 9, order: 'chronological' })).toEqual(NEWEST_FIRST.toReversed())
    expect(await all({ limit: 2, since: NEWEST_TIME_TEXT })).toEqual(NEWEST_FIRST.slice(0, 3))
  })

  it('lets the caller stop after the first entry', async () => {
    const { graph, ada, store } = await createWorld()
    for await (const entry of graph.iterateEdge(ada, { id: ADA, edge: 'photos', limit: 5 })) {
      expect(entry).toEqual({ created_time: NEWEST_TIME_TEXT, id: NEWEST_PHOTO })
      break
    }
    store.close()
  })

  it('throws its error when the first entry is requested', async () => {
    const entries = iterateEdge(unscoped, { id: 'me', edge: 'photos' })
    const error = await expectGraphError(entries[Symbol.asyncIterator]().next())
    expect(error.reason).toBe('scope_missing')
  })
})
