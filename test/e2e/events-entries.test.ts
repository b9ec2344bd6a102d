import type { GraphEvent } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { beforeEach, describe, expect, it } from 'vitest'
import { openEvents } from '../../examples/events/graph.ts'
import { EVENTS, GROUPS, PEOPLE } from '../../examples/events/ids.ts'
import { type Caller, type EventsService, tokenOf, useEvents } from './events-service.ts'

describe("the viewer's own reply in the example events", () => {
  let service: EventsService
  useEvents(started => {
    service = started
  })

  it('is the state of the entry of the viewer, in every list, and changes with each reply', async () => {
    const { client } = service
    const read = async (caller: Caller) => {
      const options = { id: 'root', edge: 'events', fields: 'viewer_reply' } as const
      const { data } = await client.getEdge(tokenOf(caller), options)
      for (const { id, viewer_reply } of data) {
        const entryOptions = { id, type: 'event', edge: 'attendees', target: 'me', fields: 'state' } as const
        const entry = await client.getEdgeEntry(tokenOf(caller), entryOptions)
        expect([id, viewer_reply]).toEqual([id, entry?.state])
      }
      return Object.fromEntries(
        data.flatMap(({ id, viewer_reply }) => (viewer_reply ? [[id, viewer_reply]] : [])),
      )
    }
    const { walk, bread, choir, repair } = EVENTS
    expect(await read('ada')).toEqual({ [walk]: 'maybe', [bread]: 'going', [choir]: 'going' })
    expect(await read('cleo')).toEqual({ [repair]: 'maybe' })
    await service.post('cleo', `/${repair}/attendees`, { state: 'no' })
    expect(await read('cleo')).toEqual({ [repair]: 'no' })
  })

  it('is absent for a caller without a viewer', async () => {
    const { data } = await service.read('a-visitor', '/root/events?fields=viewer_reply')
    expect([data.length, data.filter((event: object) => 'viewer_reply' in event)]).toEqual([7, []])
  })
})

describe('an administrator of the example events', () => {
  const events: GraphEvent[] = []
  const open = async () => {
    const store = createMemoryStore()
    return { store, graph: await openEvents(store, event => events.push(event)) }
  }
  const audited = () =>
    events.flatMap(event => (event.kind === 'query' && event.bypassedPolicies ? event.method : []))
  beforeEach(() => {
    events.length = 0
  })

  it('reads what is hidden from everyone else, and each call is in the audit', async () => {
    const { graph } = await open()
    const options = { id: EVENTS.oven, type: 'event', fields: 'title,group{name}' } as const
    const user = graph.session({ viewer: PEOPLE.ada, app: 'admin' })
    await expect(graph.getNode(user, options)).rejects.toMatchObject({ reason: 'node_not_found' })
    expect(audited()).toEqual([])
    const admin = graph.session({ viewer: PEOPLE.ada, app: 'admin', bypassPolicies: true })
    expect(await graph.getNode(admin, options)).toMatchObject({ group: { name: 'Sourdough circle' } })
    const { summary } = await graph.getEdge(admin, { id: 'root', edge: 'events', summary: true })
    expect([summary?.total_count, audited()]).toEqual([Object.keys(EVENTS).length, ['getNode', 'getEdge']])
    await graph.close()
  })

  it('of a group makes it private with a change of one record, and its events leave the search', async () => {
    const { graph, store } = await open()
    const dump = async () => {
      const records: string[] = []
      for await (const record of store.dump()) records.push(JSON.stringify(record))
      return records
    }
    const before = await dump()
    const admin = graph.session({ app: 'admin', bypassPolicies: true })
    const similar = { id: EVENTS.bread, type: 'event', edge: 'similar' } as const
    // Past the policies, the edge contains everything that the search finds.
    const findSimilar = async () => (await graph.getEdge(admin, similar)).data.map(({ id }) => id)
    expect(await findSimilar()).toContain(EVENTS.repair)
    const parameters = { privacy: 'private' } as const
    const makePrivate = { type: 'group', id: GROUPS.menders, action: 'update', parameters } as const
    await graph.callAction(tokenOf('ada'), makePrivate)
    const after = await dump()
    expect(after.filter(record => !before.includes(record))).toHaveLength(1)
    expect(after).toHaveLength(before.length)
    expect(await findSimilar()).not.toContain(EVENTS.repair)
    await graph.close()
  })
})
