import { setTimeout } from 'node:timers/promises'
import type { Store } from 'kithgraph'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMENTS, EVENTS, GROUPS, PEOPLE, VENUES } from '../../examples/events/ids.ts'
import { startExample } from '../helpers/start-example.ts'
import type { StoreServer } from '../helpers/store-servers.ts'
import { type Caller, type EventsService, STORES, tokenOf, useEvents } from './events-service.ts'

const PEOPLE_NAMES = ['ada', 'ben', 'cleo', 'dov', 'esme'] as const
const EVENT = { title: 'Mend a lamp', start_time: '2026-09-01', venue: VENUES.yard, topics: ['repair'] }
const ROUNDS = 10

/** Delays each read for a random time. So calls overlap in a store that never waits too. */
const delayReads = (store: Store): Store => ({
  ...store,
  read: async (request, options) => {
    await setTimeout(Math.random() * 5)
    return store.read(request, options)
  },
})

type Response = { readonly status: number; readonly body: { readonly error?: unknown } }

const FULL = { reason: 'action_failed', failure: 'event_full' }
const isFull = ({ status, body }: Response): boolean => {
  if (status === 200) return false
  expect([status, body]).toMatchObject([409, { error: { message: 'No place is left', error_data: FULL } }])
  return true
}

describe.each(STORES)('callers at the same time of the example events with the store $name', ({ start }) => {
  let service: EventsService
  useEvents(
    started => {
      service = started
    },
    start,
    delayReads,
  )

  const createEvent = async (places?: number): Promise<string> => {
    const { id } = (await service.post('ada', '/root/events', { ...EVENT, places })).body
    await service.post('ada', `/${id}/publish`)
    return id
  }
  const reply = (caller: Caller, id: string, state = 'going') =>
    service.post(caller, `/${id}/attendees`, { state })
  const countGoing = async (id: string): Promise<readonly unknown[]> => {
    const fields = 'places_left,attendees.state(going).summary(true)'
    const { places_left, attendees } = await service.read('ada', `/${id}?fields=${fields}`)
    return [places_left, attendees.summary.total_count]
  }

  it('get the last place of an event once: the other one fails, and may still say "maybe"', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await createEvent(1)
      const [ben, cleo] = await Promise.all([reply('ben', id), reply('cleo', id)])
      expect([isFull(ben), isFull(cleo)].sort()).toEqual([false, true])
      expect(await countGoing(id)).toEqual([0, 1])
      expect((await reply(isFull(ben) ? 'ben' : 'cleo', id, 'maybe')).status).toBe(200)
    }
  })

  it('get all places of an event and no more, and a place becomes free when its owner stays away', async () => {
    const id = await createEvent(3)
    const replies = await Promise.all(PEOPLE_NAMES.map(caller => reply(caller, id)))
    expect(replies.filter(isFull)).toHaveLength(2)
    expect(await countGoing(id)).toEqual([0, 3])
    const [owner = 'ada', loser = 'ada'] = [false, true].map(
      full => PEOPLE_NAMES[replies.findIndex(response => isFull(response) === full)],
    )
    expect((await reply(owner, id, 'no')).status).toBe(200)
    expect((await reply(loser, id)).status).toBe(200)
    expect(await countGoing(id)).toEqual([0, 3])
  })

  it('take one place for each person, however often and with whatever state they reply', async () => {
    const id = await createEvent(5)
    const states = ['going', 'maybe', 'no', 'going', 'going'] as const
    const replies = states.flatMap(state => PEOPLE_NAMES.map(caller => reply(caller, id, state)))
    const statuses = (await Promise.all(replies)).map(({ status }) => status)
    // A call that loses ten times is a conflict.
    expect(statuses.filter(status => status !== 200 && status !== 409)).toEqual([])
    const [left, going] = await countGoing(id)
    expect(left).toBe(5 - Number(going))
  })

  it('write once with one idempotency key: one event, one place, one vote', async () => {
    const repeat = async (caller: Caller, path: string, values: object, key: string) => {
      const calls = Array.from({ length: 5 }, () => service.post(caller, path, { ...values }, key))
      return (await Promise.all(calls)).map(({ status, body }) => `${status} ${body.id}`)
    }
    const created = await repeat('cleo', '/root/events', { ...EVENT, places: 2 }, 'create')
    expect(new Set(created).size).toBe(1)
    const { data } = await service.read('cleo', '/root/events?host=me&q=lamp')
    expect(data).toHaveLength(1)
    const [{ id }] = data
    expect(new Set(await repeat('cleo', `/${id}/attendees`, { state: 'going' }, 'reply')).size).toBe(1)
    const { places_left } = await service.read('cleo', `/${id}?fields=places_left`)
    expect(places_left).toBe(1)
    expect(new Set(await repeat('cleo', `/${COMMENTS.kettle}/votes`, {}, 'like')).size).toBe(1)
    expect((await service.read('cleo', `/${COMMENTS.kettle}?fields=score`)).score).toBe(1)
    const other = await service.post('cleo', '/root/events', { ...EVENT, title: 'Other' }, 'create')
    expect([other.status, other.body.error.error_data.failure]).toEqual([409, 'key_reused'])
  })

  it('keep an admin in a group if two admins take the role from each other', async () => {
    const group = `/${GROUPS.menders}`
    const setRole = (caller: Caller, person: string, role: string) =>
      service.post(caller, `${group}/change_role`, { person, role })
    await setRole('ada', PEOPLE.ben, 'admin')
    for (let round = 0; round < ROUNDS; round++) {
      const [byAda, byBen] = await Promise.all([
        setRole('ada', PEOPLE.ben, 'guest'),
        setRole('ben', PEOPLE.ada, 'guest'),
      ])
      expect([byAda, byBen].filter(({ status }) => status === 200)).toHaveLength(1)
      await (byAda.status === 200 ? setRole('ada', PEOPLE.ben, 'admin') : setRole('ben', PEOPLE.ada, 'admin'))
    }
  })
})

const SHARED_STORES = STORES.filter(({ name }) => name !== 'memory')

describe.each(SHARED_STORES)('two processes of the example events with the store $name', ({ start }) => {
  let server: StoreServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  it('give the last place of an event to one of two people who want it at the same time', async () => {
    const startProcess = () => startExample('events/main.ts', /Ctrl-C stops\.\n/, [server.url])
    // The first one writes the sample data.
    const processes = [await startProcess(), await startProcess()]
    const [first = '', second = ''] = processes.map(({ printed }) => /http:\S+:\d+/.exec(printed)?.[0])
    const post = async (url: string, caller: Caller, path: string, values: object) => {
      const headers = { authorization: `Bearer ${tokenOf(caller)}`, 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(values) }
      const response = await fetch(`${url}/graph${path}`, request)
      return { status: response.status, body: JSON.parse(await response.text()) }
    }
    const path = `/${EVENTS.lanterns}/attendees`
    for (let round = 0; round < ROUNDS; round++) {
      const replies = await Promise.all([
        post(first, 'ada', path, { state: 'going' }),
        post(second, 'cleo', path, { state: 'going' }),
      ])
      expect(replies.map(isFull).sort()).toEqual([false, true])
      for (const caller of ['ada', 'cleo'] as const) await post(first, caller, path, { state: 'no' })
    }
    for (const process of processes) expect(await process.stop()).toEqual({ code: 0, errors: '' })
  })
})
