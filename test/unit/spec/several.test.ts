import { describe, expect, it } from 'vitest'
import {
  ADA,
  createWorld,
  EDSGER,
  ENGINE,
  GRACE,
  NEWEST_FIRST,
  NEWEST_PHOTO,
  NEWEST_TEXT,
  STATUS,
} from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const { graph, ada, stranger } = await createWorld()
const { getEdge, getEdges, getNodes, hasEdge, iterateEdge } = graph

describe('several nodes', () => {
  it('are keyed by the ids as they were asked', async () => {
    expect(await getNodes(ada, { ids: [GRACE, 'me', GRACE], fields: 'name' })).toEqual({
      [GRACE]: { name: 'Grace Hopper', id: GRACE },
      me: { name: 'Ada Lovelace', id: ADA },
    })
  })

  it('may be of several types, each with its defaults', async () => {
    expect(await getNodes(ada, { ids: [ADA, STATUS] })).toEqual({
      [ADA]: { name: 'Ada Lovelace', id: ADA },
      [STATUS]: { created_time: NEWEST_TEXT, message: 'It works.', id: STATUS },
    })
  })

  it('are all or nothing', async () => {
    const fault = await faultOf(getNodes(ada, { ids: [ADA, '999', GRACE] }))
    expect(fault.data).toMatchObject({ reason: 'node_missing', id: '999' })
  })

  it('may be none', async () => {
    expect(await getNodes(ada, { ids: [] })).toEqual({})
  })
})

describe('the edges of several nodes', () => {
  it('are keyed by the ids as they were asked, each in its envelope', async () => {
    const answer = await getEdges(ada, { ids: ['me', EDSGER], edge: 'friends', limit: 1, fields: 'name' })
    expect(answer).toEqual({
      me: await getEdge(ada, { id: ADA, edge: 'friends', limit: 1, fields: 'name' }),
      [EDSGER]: { data: [] },
    })
  })

  it('may start from several types', async () => {
    const answer = await getEdges(ada, { ids: [ADA, ENGINE], edge: 'likes' })
    expect(answer).toMatchObject({
      [ADA]: { data: [{ name: 'The Analytical Engine', id: ENGINE }] },
      [ENGINE]: { data: [{ name: 'Ada Lovelace', id: ADA }] },
    })
  })

  it('must be of the type that is named', async () => {
    const fault = await faultOf(loosely(getEdges, ada, { ids: [ADA, ENGINE], type: 'user', edge: 'likes' }))
    expect(fault.data).toMatchObject({ reason: 'node_missing', id: ENGINE })
  })
})

describe('hasEdge', () => {
  it('tells whether there is such an edge', async () => {
    expect(await hasEdge(ada, { id: ADA, edge: 'friends', target: GRACE })).toBe(true)
    expect(await hasEdge(ada, { id: ADA, edge: 'friends', target: EDSGER })).toBe(false)
    expect(await hasEdge(ada, { id: ADA, edge: 'friends', target: '999' })).toBe(false)
  })

  it('needs the source, the name and the scope', async () => {
    const reasonOf = async (call: object, caller = ada) =>
      (await faultOf(loosely(hasEdge, caller, call))).data.reason
    expect(await reasonOf({ id: '999', edge: 'friends', target: ADA })).toBe('node_missing')
    expect(await reasonOf({ id: ADA, edge: 'members', target: ADA })).toBe('unknown_field')
    expect(await reasonOf({ id: ADA, edge: 'name', target: ADA })).toBe('unknown_field')
    expect(await reasonOf({ id: ADA, edge: 'friends', target: GRACE }, stranger)).toBe('scope_missing')
    expect(await reasonOf({ id: ADA, edge: 'friends', target: 'Grace' })).toBe('bad_parameter')
  })
})

describe('iterateEdge', () => {
  const all = async (call: object): Promise<unknown[]> => {
    const ids: unknown[] = []
    const entries = Reflect.apply(iterateEdge, undefined, [ada, { id: 'me', edge: 'photos', ...call }])
    for await (const entry of entries) ids.push(Reflect.get(entry, 'id'))
    return ids
  }

  it.each([1, 7, 20, 60, 100])('answers all entries in order, whatever the page: %d', async limit => {
    expect(await all({ limit })).toEqual(NEWEST_FIRST)
  })

  it('may start behind a cursor, in any order, in a window', async () => {
    const first = await getEdge(ada, { id: 'me', edge: 'photos', limit: 10 })
    expect(await all({ limit: 9, after: first.paging?.cursors.after })).toEqual(NEWEST_FIRST.slice(10))
    expect(await all({ limit: 9, order: 'chronological' })).toEqual(NEWEST_FIRST.toReversed())
    expect(await all({ limit: 2, since: NEWEST_TEXT })).toEqual(NEWEST_FIRST.slice(0, 3))
  })

  it('reads no further than it is asked to', async () => {
    const { graph, ada, store } = await createWorld()
    for await (const entry of graph.iterateEdge(ada, { id: ADA, edge: 'photos', limit: 5 })) {
      expect(entry).toEqual({ created_time: NEWEST_TEXT, id: NEWEST_PHOTO })
      break
    }
    store.close()
  })

  it('faults where the first entry is asked for', async () => {
    const entries = iterateEdge(stranger, { id: 'me', edge: 'photos' })
    const fault = await faultOf(entries[Symbol.asyncIterator]().next())
    expect(fault.data.reason).toBe('scope_missing')
  })
})
