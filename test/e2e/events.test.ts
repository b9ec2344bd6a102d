import { describe, expect, it } from 'vitest'
import { COMMENTS, EVENTS, PEOPLE, VENUES } from '../../examples/events/ids.ts'
import { type Caller, type EventsService, STORES, tokenOf, useEvents } from './events-service.ts'

const UPCOMING = '2026-06-01'
const DAY_MS = 86_400_000

describe.each(STORES)('the example events with the store $name', ({ start }) => {
  let service: EventsService
  useEvents(started => {
    service = started
  }, start)

  const idsIn = ({ data }: { readonly data: readonly { readonly id: string }[] }): string[] =>
    data.map(({ id }) => id)

  const createEvent = async (caller: Caller, title: string, start_time: string): Promise<string> => {
    const fields = { title, start_time, venue: VENUES.hall, topics: ['crafts'] }
    const { body } = await service.post(caller, '/root/events', fields)
    return body.id
  }
  const publish = (caller: Caller, id: string) => service.post(caller, `/${id}/publish`)
  const move = (caller: Caller, id: string, start_time: string) =>
    service.post(caller, `/${id}`, { start_time })

  describe('the collection of events', () => {
    /** Follows the links of a list, and returns the ids of all pages. `between` runs after each page. */
    const readPages = async (caller: Caller, path: string, between?: () => Promise<unknown>) => {
      const ids: string[] = []
      for (let next: string | undefined = path; next !== undefined; ) {
        const page = await service.read(caller, next)
        ids.push(...idsIn(page))
        next = page.paging?.next?.replace(`${service.url}/graph`, '')
        if (next !== undefined) await between?.()
      }
      return ids
    }

    it('lists the upcoming events in the order of their start', async () => {
      const events = await service.client.getEdge(tokenOf('ada'), {
        id: 'root',
        edge: 'events',
        since: UPCOMING,
        fields: 'title,start_time,venue{name}',
      })
      expect(events.data.map(({ title, venue }) => [title, venue?.name])).toEqual([
        ['Night walk along the river', 'The Old Mill'],
        ['Bread for beginners', 'Harbour Hall'],
        ['Repair café', 'Lantern Yard'],
        ['Sourdough evening', 'The Old Mill'],
        ['Lantern building', 'Lantern Yard'],
        ['Harbour choir', 'Harbour Hall'],
      ])
      const times = events.data.map(({ start_time }) => start_time)
      expect(times).toEqual([...times].sort())
    })

    it('accepts the current time as the start of the upcoming events', async () => {
      const tomorrow = await createEvent('ben', 'Tomorrow', new Date(Date.now() + DAY_MS).toISOString())
      const yesterday = await createEvent('ben', 'Yesterday', new Date(Date.now() - DAY_MS).toISOString())
      for (const id of [tomorrow, yesterday]) await publish('ben', id)
      const now = Math.floor(Date.now() / 1000)
      const ids = idsIn(await service.read('a-visitor', `/root/events?since=${now}&limit=100`))
      expect([ids.includes(tomorrow), ids.includes(yesterday)]).toEqual([true, false])
    })

    it('has the same events in pages of any size and in both orders', async () => {
      const { swap, walk, bread, repair, sourdough, lanterns, choir } = EVENTS
      const expected = [swap, walk, bread, repair, sourdough, lanterns, choir]
      for (const limit of [1, 2, 3, 7, 100]) {
        expect(await readPages('ada', `/root/events?limit=${limit}`)).toEqual(expected)
        const newestFirst = `/root/events?limit=${limit}&order=reverse_chronological`
        expect(await readPages('ada', newestFirst)).toEqual([...expected].reverse())
      }
    })

    it('neither repeats nor skips events while others are added and moved between two pages', async () => {
      const added: string[] = []
      let isFirst = true
      const ids = await readPages('ada', `/root/events?since=${UPCOMING}&limit=2`, async () => {
        if (!isFirst) return
        isFirst = false
        for (const day of ['02', '11', '30']) {
          const id = await createEvent('ben', `Day ${day}`, `2026-06-${day}T12:00:00Z`)
          await publish('ben', id)
          added.push(id)
        }
        // Both events are behind the first page. One moves in front of it, the other one to the end.
        await move('cleo', EVENTS.choir, '2026-06-03T19:00:00Z')
        await move('ben', EVENTS.lanterns, '2026-07-01T16:00:00Z')
      })
      const [, before12, last] = added
      const { walk, bread, repair, sourdough, lanterns } = EVENTS
      expect(ids).toEqual([walk, bread, before12, repair, sourdough, last, lanterns])
    })

    it('has all unchanged events once while another one is moved at the same time', async () => {
      const { swap, walk, bread, repair, sourdough, lanterns, choir } = EVENTS
      const moving = await createEvent('ben', 'Moving', '2026-06-01T12:00:00Z')
      await publish('ben', moving)
      let isOver = false
      const writer = (async () => {
        for (let day = 1; !isOver; day = (day % 30) + 1)
          await move('ben', moving, new Date(Date.UTC(2026, 5, day)).toISOString())
      })()
      for (let round = 0; round < 5; round++) {
        const ids = await readPages('ada', '/root/events?limit=2')
        const unchanged = ids.filter(id => id !== moving)
        expect(unchanged).toEqual([swap, walk, bread, repair, sourdough, lanterns, choir])
      }
      isOver = true
      await writer
      expect(idsIn(await service.read('ada', '/root/events')).filter(id => id === moving)).toHaveLength(1)
    })

    it('is filtered by city, title, venue and host, alone and together, with the exact count', async () => {
      const { swap, walk, bread, repair, sourdough, lanterns, choir } = EVENTS
      const cases: readonly [query: string, ids: readonly string[]][] = [
        ['city=Millbrook', [swap, walk, sourdough]],
        ['city=Port%20Ellery&q=RE', [bread, repair]],
        ['q=', [swap, walk, bread, repair, sourdough, lanterns, choir]],
        [`venue=${VENUES.yard}`, [repair, lanterns]],
        ['host=me', [lanterns]],
        [`host=${PEOPLE.esme}&city=Millbrook`, [sourdough]],
        ['city=Nowhere', []],
      ]
      for (const [query, ids] of cases) {
        const page = await service.read('ben', `/root/events?${query}&summary=true`)
        expect([query, idsIn(page), page.summary.total_count]).toEqual([query, ids, ids.length])
      }
    })
  })

  describe('the replies to an event', () => {
    const repliesOf = async (state: string) => {
      const { data, summary } = await service.read(
        'ada',
        `/${EVENTS.repair}/attendees?state=${state}&summary=true`,
      )
      return [idsIn({ data }), summary.total_count]
    }
    const eventsOf = async (caller: Caller, state: 'going' | 'maybe' | 'no') => {
      const options = { id: 'me', type: 'person', edge: 'events', parameters: { state } } as const
      return idsIn(await service.client.getEdge(tokenOf(caller), options))
    }
    const reply = (caller: Caller, state: string) =>
      service.post(caller, `/${EVENTS.repair}/attendees`, { state })

    it('are listed and counted by state, the latest one first', async () => {
      expect(await repliesOf('going')).toEqual([[PEOPLE.dov, PEOPLE.ben], 2])
      expect(await repliesOf('maybe')).toEqual([[PEOPLE.cleo], 1])
      expect(await repliesOf('no')).toEqual([[PEOPLE.esme], 1])
    })

    it('move between the states at both ends', async () => {
      await reply('ada', 'going')
      expect(await repliesOf('going')).toEqual([[PEOPLE.ada, PEOPLE.dov, PEOPLE.ben], 3])
      expect(await eventsOf('ada', 'going')).toContain(EVENTS.repair)
      await reply('ada', 'no')
      expect(await repliesOf('going')).toEqual([[PEOPLE.dov, PEOPLE.ben], 2])
      expect(await repliesOf('no')).toEqual([[PEOPLE.ada, PEOPLE.esme], 2])
      expect(await eventsOf('ada', 'going')).not.toContain(EVENTS.repair)
      expect(await eventsOf('ada', 'no')).toEqual([EVENTS.repair])
    })

    it('can be checked for one person and one state', async () => {
      const path = `/${EVENTS.repair}/attendees/me`
      expect((await service.read('ben', `${path}?state=going`)).data).toHaveLength(1)
      expect((await service.read('ben', `${path}?state=no`)).data).toEqual([])
      await reply('ben', 'no')
      expect((await service.read('ben', `${path}?state=no`)).data).toHaveLength(1)
    })
  })

  describe('the comments of an event', () => {
    const comments = {
      id: EVENTS.repair,
      type: 'event',
      edge: 'comments',
      fields: 'score,viewer_voted',
    } as const
    const readComments = async (order: 'top' | 'newest') => {
      const { data } = await service.client.getEdge(tokenOf('ada'), { ...comments, order })
      return data.map(({ id, score }) => [id, score])
    }
    const vote = (caller: Caller, id: string) => service.post(caller, `/${id}/votes`)
    const { tools, kettle, bicycle, radio } = COMMENTS

    it('are in the order of their scores, and change places when scores change', async () => {
      expect(await readComments('top')).toEqual([
        [bicycle, 3],
        [tools, 2],
        [radio, 1],
        [kettle, 0],
      ])
      for (const caller of ['ada', 'ben', 'cleo'] as const) await vote(caller, radio)
      expect(await readComments('top')).toEqual([
        [radio, 4],
        [bicycle, 3],
        [tools, 2],
        [kettle, 0],
      ])
    })

    it('keep their places in the order of time when scores change', async () => {
      const before = await service.read('ada', `/${EVENTS.repair}/comments?fields=created_time`)
      expect(idsIn(before)).toEqual([radio, bicycle, kettle, tools])
      await vote('cleo', kettle)
      expect(await service.read('ada', `/${EVENTS.repair}/comments?fields=created_time`)).toEqual(before)
    })

    it('have one vote of each person, also if several people vote at the same time', async () => {
      const votes = await Promise.all((['ada', 'ben', 'cleo'] as const).map(caller => vote(caller, kettle)))
      expect(votes.map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await vote('ada', kettle)).status).toBe(200)
      expect(await readComments('top')).toContainEqual([kettle, 3])
      const { summary } = await service.read('ada', `/${kettle}/votes?summary=true`)
      expect(summary.total_count).toBe(3)
    })

    it('lose a vote that is taken back, once', async () => {
      const unlike = (caller: Caller) => service.send(caller, 'DELETE', `/${bicycle}/votes`)
      await Promise.all((['ada', 'ada', 'ben', 'dov'] as const).map(unlike))
      const { score, votes } = await service.read('ada', `/${bicycle}?fields=score,votes.summary(true)`)
      expect([score, idsIn(votes), votes.summary.total_count]).toEqual([1, [PEOPLE.esme], 1])
      expect(await readComments('top')).toContainEqual([bicycle, 1])
    })

    it('are paged in the order of their scores', async () => {
      const ids: string[] = []
      const options = { ...comments, order: 'top', limit: 1 } as const
      for await (const { id } of service.client.iterateEdge(tokenOf('ben'), options)) ids.push(id)
      expect(ids).toEqual([bicycle, tools, radio, kettle])
    })
  })
})
