import { createGraph, defineSchema, edge, isViewer, node, viewerHasEdge } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { Mutation, Wave } from '../../../src/store/contract.ts'
import { ADA, createWorld, NEWEST_FIRST } from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const { graph, ada } = await createWorld()
const order = 'reverse_chronological'
const COUNT = { data: [], summary: { order, total_count: NEWEST_FIRST.length } }

describe('a limit of 0 with a summary', () => {
  it('is the count without entries, and without paging', async () => {
    const call = { edge: 'photos', limit: 0, summary: true } as const
    expect(await graph.getEdge(ada, { id: ADA, ...call })).toEqual(COUNT)
    expect(await graph.getEdges(ada, { ids: [ADA], ...call })).toEqual({ [ADA]: COUNT })
  })

  it('counts the whole list, whatever the cursor and the times say', async () => {
    const { paging } = await graph.getEdge(ada, { id: ADA, edge: 'photos', limit: 1 })
    const after = paging?.cursors.after
    for (const window of [{ after }, { before: after }, { since: 2_000_000_000 }, { until: 0 }]) {
      const call = { id: ADA, edge: 'photos', limit: 0, summary: true, ...window } as const
      expect(await graph.getEdge(ada, call)).toEqual(COUNT)
    }
  })

  it('is the same inside an expression', async () => {
    const fields = 'photos.limit(0).summary(true){from},friends.as(f).summary(1).limit(0).since(9)'
    expect(await graph.getMe(ada, { fields })).toEqual({
      photos: COUNT,
      f: { data: [], summary: { order, total_count: 2 } },
      id: ADA,
    })
  })

  it('still refuses a cursor or a time that is none', async () => {
    for (const window of [{ after: 'x' }, { since: 'yesterday' }]) {
      const call = { id: ADA, edge: 'photos', limit: 0, summary: true, ...window } as const
      expect((await faultOf(graph.getEdge(ada, call))).data.reason).toBe('bad_parameter')
    }
  })

  it('reads no entry of the store', async () => {
    const { store } = await createWorld()
    const waves: Wave[] = []
    const counted = createGraph({
      ...store,
      read: (wave, options) => {
        waves.push(wave)
        return store.read(wave, options)
      },
    })
    const viewer = counted.session({ viewer: ADA, app: 'demo', scopes: ['user_photos'] })
    await counted.getEdge(viewer, { id: ADA, edge: 'photos', limit: 0, summary: true })
    expect(waves.flatMap(({ ranges }) => ranges).map(({ limit, count }) => ({ limit, count }))).toEqual([
      { limit: 0, count: true },
    ])
  })
})

describe('a limit of 0 without a summary', () => {
  it.each([
    ['a page', () => loosely(graph.getEdge, ada, { id: ADA, edge: 'photos', limit: 0 })],
    [
      'a summary that is off',
      () => loosely(graph.getEdge, ada, { id: ADA, edge: 'photos', limit: 0, summary: false }),
    ],
    ['an expression', () => loosely(graph.getMe, ada, { fields: 'photos.limit(0)' })],
    [
      'an iteration',
      () => graph.iterateEdge(ada, { id: ADA, edge: 'photos', limit: 0 })[Symbol.asyncIterator]().next(),
    ],
  ])('is a bad parameter: %s', async (_, call) => {
    const fault = await faultOf(call())
    expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'limit' })
  })
})

describe('a limit of 0 of a list under a policy', () => {
  const schema = defineSchema(
    {
      person: node({
        policy: [isViewer(), viewerHasEdge('knows')],
        edges: { knows: edge('person'), met: edge('person') },
      }),
    },
    { versions: ['v1.0'] },
  )
  const people = 40
  const store = createMemoryStore()
  const mutations: Mutation[] = []
  for (let id = 1; id <= people; id++)
    mutations.push({ op: 'putNode', node: { id: `${id}`, type: 'person', fields: {} } })
  for (let id = 2; id <= people; id++) {
    mutations.push({ op: 'putEdge', edge: { source: '1', name: 'met', target: `${id}`, time: id } })
    if (id % 3 === 0)
      mutations.push({ op: 'putEdge', edge: { source: '1', name: 'knows', target: `${id}`, time: id } })
  }
  store.write(mutations)
  const policed = createGraph(store, { schema, secret: 'sixteen characters' })
  const viewer = policed.session({ viewer: '1', app: 'demo', scopes: [] })
  const visible = { data: [], summary: { order, total_count: 13 } }

  it('counts what the viewer may see', async () => {
    expect(await policed.getEdge(viewer, { id: '1', edge: 'met', limit: 0, summary: true })).toEqual(visible)
    expect(await policed.getMe(viewer, { fields: 'met.limit(0).summary(true)' })).toEqual({
      met: visible,
      id: '1',
    })
  })

  it('counts the same behind a cursor, and within times', async () => {
    const { paging } = await policed.getEdge(viewer, { id: '1', edge: 'met', limit: 2 })
    for (const window of [
      { after: paging?.cursors.after },
      { before: paging?.cursors.after },
      { since: 39 },
    ]) {
      const call = { id: '1', edge: 'met', limit: 0, summary: true, ...window } as const
      expect(await policed.getEdge(viewer, call)).toEqual(visible)
    }
  })
})
