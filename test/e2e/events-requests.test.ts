import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMENTS, EVENTS, PEOPLE, VENUES } from '../../examples/events/ids.ts'
import { type Caller, type EventsService, startEvents, type Values } from './events-service.ts'

const { repair } = EVENTS
const EVENT = { title: 'A', start_time: '2026-06-01', venue: VENUES.mill }

describe('wrong requests to the example events', () => {
  let service: EventsService
  beforeAll(async () => {
    service = await startEvents()
  })
  afterAll(() => service.stop())

  it.each<[caller: Caller, path: string, status: number, data: object]>([
    [
      'ada',
      '/root/events?town=Millbrook',
      400,
      { reason: 'invalid_parameter', expected: 'a parameter of events: city, q, venue, host' },
    ],
    ['ada', '/root/events?state=going', 400, { reason: 'invalid_parameter', parameter: 'state' }],
    ['ada', '/me/events?city=Millbrook', 400, { expected: 'a parameter of events: state' }],
    ['ada', '/root/events?since=today', 400, { reason: 'invalid_parameter', parameter: 'since' }],
    ['ada', '/root/events?order=top', 400, { reason: 'invalid_parameter', parameter: 'order' }],
    ['ada', '/root/events?venue=The%20Old%20Mill', 400, { reason: 'invalid_parameter', parameter: 'venue' }],
    ['ada', '/root/venues?since=2026-06-01', 400, { reason: 'invalid_parameter', parameter: 'since' }],
    ['ada', '/root/people', 400, { reason: 'field_not_found', type: 'root' }],
    ['ada', '/root?fields=title', 400, { reason: 'field_not_found', type: 'root' }],
    ['ada', `/${repair}/attendees?state=perhaps`, 400, { expected: 'one of "going", "maybe", "no"' }],
    ['ada', `/${repair}/comments?order=best`, 400, { reason: 'invalid_parameter', parameter: 'order' }],
    ['ada', `/${repair}/comments?order=top&since=2026-05-01`, 400, { parameter: 'since' }],
    ['ada', `/${repair}/similar?radius_km=far`, 400, { reason: 'invalid_parameter', parameter: 'radius_km' }],
    ['ada', `/${repair}/similar?before=x`, 400, { reason: 'invalid_parameter', parameter: 'before' }],
    ['ada', `/${repair}/similar/${EVENTS.bread}`, 400, { reason: 'invalid_parameter', parameter: 'edge' }],
    ['ada', '/999', 400, { reason: 'node_not_found', id: '999' }],
    ['a-visitor', '/me/events', 400, { reason: 'viewer_required' }],
    ['a-visitor', '/root/events?host=me', 400, { reason: 'viewer_required' }],
  ])('are rejected: %s reads %s', async (caller, path, status, data) => {
    const response = await service.send(caller, 'GET', path)
    expect(response).toMatchObject({ status, body: { error: { error_data: data } } })
  })

  it('are rejected without a valid token', async () => {
    const response = await fetch(`${service.url}/graph/root/events`)
    expect([response.status, JSON.parse(await response.text()).error.error_data.reason]).toEqual([
      400,
      'token_missing',
    ])
    const write = await fetch(`${service.url}/graph/${COMMENTS.kettle}/votes`, { method: 'POST' })
    expect([write.status, JSON.parse(await write.text()).error.error_data.reason]).toEqual([
      400,
      'token_missing',
    ])
  })

  it('are rejected if the cursor is one of another filter or order', async () => {
    const { paging } = await service.read('ada', '/root/events?city=Millbrook&limit=1')
    const cursor = `after=${paging.cursors.after}`
    for (const query of [cursor, `city=Port%20Ellery&${cursor}`, `city=Millbrook&host=me&${cursor}`]) {
      const { error } = await service.read('ada', `/root/events?${query}`)
      expect([query, error?.error_data]).toMatchObject([query, { reason: 'invalid_parameter' }])
    }
    const comments = await service.read('ada', `/${repair}/comments?order=top&limit=1`)
    const path = `/${repair}/comments?after=${comments.paging.cursors.after}`
    expect((await service.read('ada', path)).error.error_data.parameter).toBe('after')
    expect((await service.read('ada', `${path}&order=top`)).data[0].id).toBe(COMMENTS.tools)
    expect((await service.read('ben', `${path}&order=top`)).error.error_data.parameter).toBe('after')
  })

  it.each<[method: string, path: string, values: Values, status: number, data: object]>([
    [
      'POST',
      `/${repair}/attendees`,
      { state: 'perhaps' },
      400,
      { expected: 'one of "going", "maybe", "no"' },
    ],
    ['POST', '/999/attendees', { state: 'no' }, 400, { reason: 'node_not_found' }],
    ['POST', '/root/events', { start_time: '2026-06-01', venue: VENUES.mill }, 400, { parameter: 'title' }],
    ['POST', '/root/events', { ...EVENT, start_time: 'soon' }, 400, { parameter: 'start_time' }],
    ['POST', '/root/events', { ...EVENT, venue: repair }, 400, { parameter: 'venue' }],
    ['POST', '/root/events', { ...EVENT, places: 0 }, 400, { parameter: 'places' }],
    ['POST', '/root/events', { ...EVENT, host: PEOPLE.ben }, 400, { reason: 'invalid_parameter' }],
    ['POST', `/${EVENTS.choir}`, { start_time: '2026-06-02' }, 403, { reason: 'action_denied' }],
    ['POST', `/${repair}`, { status: 'draft' }, 400, { reason: 'invalid_parameter' }],
    ['DELETE', `/${EVENTS.choir}`, {}, 403, { reason: 'action_denied' }],
    ['POST', `/${repair}/votes`, {}, 400, { reason: 'field_not_found' }],
    ['POST', `/${repair}/similar`, {}, 400, { reason: 'method_not_supported' }],
    ['GET', `/${repair}?method=delete`, {}, 400, { reason: 'method_not_supported' }],
  ])('are rejected, and write nothing: %s %s %j', async (method, path, values, status, data) => {
    const readEvents = () =>
      service.read('ada', '/root?fields=events{title,start_time,attendees,comments{score}}')
    const before = await readEvents()
    const response = await service.send('ada', method, path, method === 'GET' ? undefined : values)
    expect(response).toMatchObject({ status, body: { error: { error_data: data } } })
    expect(await readEvents()).toEqual(before)
  })
})
