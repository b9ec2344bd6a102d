import { describe, expect, it } from 'vitest'
import { EVENTS, PEOPLE, VENUES } from '../../examples/events/ids.ts'
import { type Caller, type EventsService, STORES, tokenOf, useEvents } from './events-service.ts'

const { party, repair, bread, sourdough, lanterns } = EVENTS
const OTHERS = ['ada', 'ben', 'a-visitor'] as const

/** Reads of lists that contain the draft for its host, or lie next to it. */
const LISTS = [
  '/root/events?fields=title&summary=true',
  '/root/events?limit=1&since=2026-06-10&until=2026-06-15',
  '/root/events?limit=2&since=2026-06-01&order=reverse_chronological',
  '/root/events?q=surprise&summary=true',
  `/root/events?venue=${VENUES.yard}&summary=true`,
  `/root/events?host=${PEOPLE.cleo}&summary=true`,
  `/root?fields=events.limit(5).summary(true){title,attendees.summary(true).limit(0)}`,
  `/${PEOPLE.ben}/events?fields=title&summary=true`,
  `/${PEOPLE.ben}/events?state=going&limit=1&summary=true`,
  `/${PEOPLE.ben}/events/${party}`,
  `/${party}`,
  `/?ids=${repair},${party}&partial=true`,
  `/${party}/attendees`,
  `/${party}/similar`,
  `/${repair}/similar?fields=title,shared_topics`,
]

describe.each(STORES)('a draft of the example events with the store $name', ({ start }) => {
  let service: EventsService
  useEvents(started => {
    service = started
  }, start)

  /**
   * Returns all pages of a list as one text. Leaves out what is random: the ids of errors, and encrypted
   * cursors.
   */
  const readAll = async (caller: Caller, list: string): Promise<string> => {
    const isRandom = (name: string): boolean =>
      name === 'fbtrace_id' || (list.includes('similar') && name === 'cursors')
    let text = ''
    for (let next: string | undefined = list; next !== undefined; ) {
      const page = await service.read(caller, next)
      text += JSON.stringify(page, (name, value) => (isRandom(name) ? undefined : value))
      next = page.paging?.next?.replace(`${service.url}/graph`, '')
    }
    return text
  }
  const readLists = (caller: Caller): Promise<string[]> =>
    Promise.all(LISTS.map(list => readAll(caller, list)))

  const addDraftToSearch = async (): Promise<void> => {
    // As if the search were wrong: it returns the event, and the policy of the graph hides it.
    await service.post('cleo', `/${party}/publish`)
    await service.graph.write([{ op: 'patchNode', id: party, fields: { status: 'draft' } }])
  }

  it('appears in no list, count, cursor, link or error of others: all are as if it did not exist', async () => {
    await addDraftToSearch()
    const withDraft = await Promise.all(OTHERS.map(readLists))
    await service.graph.write([{ op: 'deleteNode', id: party }])
    expect(await Promise.all(OTHERS.map(readLists))).toEqual(withDraft)
    expect(withDraft.flat().filter(text => text.includes('surprise for'))).toEqual([])
  })

  it('appears in all these lists for its host', async () => {
    await addDraftToSearch()
    const withDraft = await readLists('cleo')
    await service.graph.write([{ op: 'deleteNode', id: party }])
    const without = await readLists('cleo')
    expect(LISTS.filter((_, index) => withDraft[index] === without[index])).toEqual([])
  })

  it('accepts replies only from its host', async () => {
    const reply = (caller: Caller) => service.post(caller, `/${party}/attendees`, { state: 'maybe' })
    for (const caller of ['ada', 'ben'] as const)
      expect(await reply(caller)).toMatchObject({
        status: 400,
        body: { error: { error_data: { reason: 'node_not_found' } } },
      })
    expect((await reply('cleo')).status).toBe(200)
  })

  it('appears everywhere as soon as its host publishes it', async () => {
    const publish = (caller: Caller) => service.post(caller, `/${party}/publish`)
    expect((await publish('ben')).status).toBe(400)
    expect((await publish('cleo')).status).toBe(200)
    const { data, summary } = await service.read('ada', `/root/events?summary=true&limit=100`)
    expect([data.length, summary.total_count]).toEqual([8, 8])
    const { similar } = await service.read('ada', `/${repair}?fields=similar{title,shared_topics}`)
    expect(similar.data[0]).toEqual({ title: 'A surprise for Ben', shared_topics: 2, id: party })
    const going = await service.read('ben', '/me/events?state=going&summary=true')
    expect(going.summary.total_count).toBe(3)
  })
})

describe('the edge similar of the example events', () => {
  let service: EventsService
  useEvents(started => {
    service = started
  })

  const similar = {
    id: repair,
    type: 'event',
    edge: 'similar',
    fields: 'title,shared_topics,distance_km',
  } as const

  it('ranks events by shared topics, then by distance', async () => {
    const { data } = await service.client.getEdge(tokenOf('ada'), similar)
    expect(data).toEqual([
      { title: 'Lantern building', shared_topics: 1, distance_km: 0, id: lanterns },
      { title: 'Bread for beginners', shared_topics: 1, distance_km: 1.3, id: bread },
      { title: 'Sourdough evening', shared_topics: 1, distance_km: 7.2, id: sourdough },
    ])
    const { data: ofBread } = await service.client.getEdge(tokenOf('ada'), { ...similar, id: bread })
    expect(ofBread.map(({ id }) => id)).toEqual([sourdough, repair, lanterns])
  })

  it('contains only events within the radius', async () => {
    for (const [radius_km, ids] of [
      [0, [lanterns]],
      [3, [lanterns, bread]],
      [7.2, [lanterns, bread, sourdough]],
    ] as const) {
      const { data } = await service.client.getEdge(tokenOf('ada'), { ...similar, parameters: { radius_km } })
      expect(data.map(({ id }) => id)).toEqual(ids)
    }
  })

  it('has the same entries in pages, also if a hidden event is in between', async () => {
    // The search still knows the first and the last event of the ranking. The graph hides them.
    for (const id of [lanterns, sourdough])
      await service.graph.write([{ op: 'patchNode', id, fields: { status: 'draft' } }])
    const pages: string[][] = []
    let after: string | undefined
    do {
      const { data, paging } = await service.client.getEdge(tokenOf('ada'), { ...similar, limit: 1, after })
      pages.push(data.map(({ id }) => id))
      after = paging?.next && paging.cursors.after
    } while (after !== undefined)
    expect(pages).toEqual([[bread]])
  })

  it('can be read for all events of a page, and has no total_count because events have a policy', async () => {
    const fields = 'similar.limit(1).summary(true){title}'
    const { data } = await service.client.getEdge(tokenOf('ada'), {
      id: 'root',
      edge: 'events',
      fields,
      limit: 4,
    })
    expect(data.map(({ similar }) => similar.data[0]?.title)).toEqual([
      undefined,
      undefined,
      'Sourdough evening',
      'Lantern building',
    ])
    expect(data.map(({ similar }) => similar.summary)).toEqual([undefined, undefined, undefined, undefined])
  })
})
