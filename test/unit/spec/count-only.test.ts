import { createGraph, defineSchema, edge, isViewer, node, viewerHasEdge } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { StoreReadRequest } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { ADA, createWorld, NEWEST_FIRST } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const { graph, ada } = await createWorld()
const order = 'reverse_chronological'
const COUNT = { data: [], summary: { order, total_count: NEWEST_FIRST.length } }

describe('a limit of 0 with a summary', () => {
  it('returns the count without entries and without paging', async () => {
    const call = { edge: 'photos', limit: 0, summary: true } as const
    expect(await graph.getEdge(ada, { id: ADA, ...call })).toEqual(COUNT)
    expect(await graph.getEdges(ada, { ids: [ADA], ...call })).toEqual({ [ADA]: COUNT })
  })

  it('counts the whole list despite a cursor or a time window', async () => {
    const { paging } = await graph.getEdge(ada, { id: ADA, edge: 'photos', limit: 1 })
    const after = paging?.cursors.after
    for (const window of [{ after }, { before: after }, { since: 2_000_000_000 }, { until: 0 }]) {
      const call = { id: ADA, edge: 'photos', limit: 0, summary: true, ...window } as const
      expect(await graph.getEdge(ada, call)).toEqual(COUNT)
    }
  })

  it('returns the count without entries inside an expression too', async () => {
    const fields = 'photos.limit(0).summary(true){from},friends.as(f).summary(1).limit(0).since(9)'
    expect(await graph.getMe(ada, { fields })).toEqual({
      photos: COUNT,
      f: { data: [], summary: { order, total_count: 2 } },
      id: ADA,
    })
  })

  it('rejects an invalid cursor or time', async () => {
    for (const window of [{ after: 'x' }, { since: 'yesterday' }]) {
      const call = { id: ADA, edge: 'photos', limit: 0, summary: true, ...window } as const
      expect((await expectGraphError(graph.getEdge(ada, call))).reason).toBe('invalid_parameter')
    }
  })

  it('reads no entry from the store', async () => {
    const { store } = await createWorld()
    const requests: StoreReadRequest[] = []
    const counted = createGraph({
      ...store,
      read: (request, options) => {
        requests.push(request)
        return store.read(request, options)
      },
    })
    const viewer = counted.session({ viewer: ADA, app: 'demo', scopes: ['user_photos'] })
    await counted.getEdge(viewer, { id: ADA, edge: 'photos', limit: 0, summary: true })
    expect(requests.flatMap(({ ranges }) => ranges).map(({ limit, count }) => ({ limit, count }))).toEqual([
      { limit: 0, count: true },
    ])
  })
})

describe('a limit of 0 without a summary', () => {
  it.each([
    ['getEdge', () => callUntyped(graph.getEdge, ada, { id: ADA, edge: 'photos', limit: 0 })],
    [
      'getEdge with summary: false',
      () => callUntyped(graph.getEdge, ada, { id: ADA, edge: 'photos', limit: 0, summary: false }),
    ],
    ['getMe with an expression', () => callUntyped(graph.getMe, ada, { fields: 'photos.limit(0)' })],
    [
      'iterateEdge',
      () => graph.iterateEdge(ada, { id: ADA, edge: 'photos', limit: 0 })[Symbol.asyncIterator]().next(),
    ],
  ])('is rejected: %s', async (_, call) => {
    const error = await expectGraphError(call())
    expect(error.toJSON().error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: 'limit' })
  })
})

describe('a limit of 0 with a summary, for a list of nodes under a policy', () => {
  const schema = defineSchema(
    {
      person: node({
        policy: [isViewer(), viewerHasEdge('knows')],
        edges: { knows: edge('person'), trusts: edge('person') },
      }),
    },
    { versions: ['v1.0'] },
  )
  const people = 40
  const store = createMemoryStore()
  const mutations: StoreMutation[] = []
  for (let id = 1; id <= people; id++)
    mutations.push({ op: 'putNode', node: { id: `${id}`, type: 'person', fields: {} } })
  for (let id = 2; id <= people; id++) {
    mutations.push({ op: 'putEdge', edge: { source: '1', name: 'trusts', target: `${id}`, time: id } })
    if (id % 3 === 0)
      mutations.push({ op: 'putEdge', edge: { source: '1', name: 'knows', target: `${id}`, time: id } })
  }
  store.write(mutations)
  const openPolicyList = createGraph(store, { schema, secret: 'sixteen characters' })
  const viewer = openPolicyList.session({ viewer: '1', app: 'demo', scopes: [] })
  const visible = { data: [], summary: { order, total_count: 13 } }

  it('counts only the entries that the viewer may see', async () => {
    expect(
      await openPolicyList.getEdge(viewer, { id: '1', edge: 'trusts', limit: 0, summary: true }),
    ).toEqual(visible)
    expect(await openPolicyList.getMe(viewer, { fields: 'trusts.limit(0).summary(true)' })).toEqual({
      trusts: visible,
      id: '1',
    })
  })

  it('returns the same count with a cursor or a time window', async () => {
    const { paging } = await openPolicyList.getEdge(viewer, { id: '1', edge: 'trusts', limit: 2 })
    for (const window of [
      { after: paging?.cursors.after },
      { before: paging?.cursors.after },
      { since: 39 },
    ]) {
      const call = { id: '1', edge: 'trusts', limit: 0, summary: true, ...window } as const
      expect(await openPolicyList.getEdge(viewer, call)).toEqual(visible)
    }
  })
})
