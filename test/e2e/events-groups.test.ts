import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { COMMENTS, EVENTS, GROUPS, PEOPLE, POSTS, VENUES } from '../../examples/events/ids.ts'
import { type Caller, type EventsService, startEvents } from './events-service.ts'

const { menders, lanterns, bakers } = GROUPS
const EVERYONE = ['ada', 'ben', 'cleo', 'dov', 'esme', 'a-visitor'] as const
/** The callers who are not in the group of the menders. */
const STRANGERS = ['cleo', 'a-visitor'] as const

/** The group of the menders, with everything below it. */
const OF_MENDERS = [
  menders,
  EVENTS.repair,
  POSTS.kettle,
  POSTS.iron,
  ...Object.values(COMMENTS).filter(id => id !== COMMENTS.bubbles),
]

/** All ways to the group of the menders and to what is below it. */
const READS = [
  ...OF_MENDERS.map(id => `/${id}?fields=id`),
  '/root/groups?limit=5&fields=name,members.limit(5).summary(true){role},posts.limit(3).summary(true){text,comments.limit(3)}',
  '/root/events?summary=true&fields=title,viewer_reply,group{name},comments.order(top){text,score}',
  `/root/events?q=caf&summary=true`,
  `/${PEOPLE.ada}/groups?summary=true&fields=name,role,events{title},posts{from{name}}`,
  `/${PEOPLE.ben}/events?summary=true&fields=title,state`,
  `/${menders}/members/${PEOPLE.ada}`,
  `/${EVENTS.repair}/attendees?state=going&summary=true`,
  `/${COMMENTS.bicycle}/votes?summary=true`,
  `/${EVENTS.bread}/similar?fields=title`,
]

describe('a group of the example events', () => {
  let service: EventsService
  beforeEach(async () => {
    service = await startEvents('memory')
  })
  afterEach(() => service.stop())

  const setPrivacy = (privacy: string) => service.send('ada', 'PATCH', `/groups/${menders}`, { privacy })
  const setRole = (caller: Caller, person: string, role: string) =>
    service.send(caller, 'PUT', `/groups/${menders}/roles`, { person, role })

  /** Reads all ways, without the random ids of errors and the encrypted cursors of similar events. */
  const readAll = (caller: Caller): Promise<string[]> =>
    Promise.all(
      READS.map(async path => {
        const isRandom = (name: string): boolean => name === 'fbtrace_id' || name === 'cursors'
        const body = await service.read(caller, path)
        return JSON.stringify(body, (name, value) => (isRandom(name) ? undefined : value))
      }),
    )
  const readAllOf = (callers: readonly Caller[]) => Promise.all(callers.map(readAll))

  it('that becomes private is at once as if nothing of it existed, for all who are not in it', async () => {
    const open = await readAllOf(STRANGERS)
    expect((await setPrivacy('private')).status).toBe(200)
    const hidden = await readAllOf(STRANGERS)
    expect(READS.filter((_, index) => hidden[0]?.[index] === open[0]?.[index])).toEqual([])
    await service.graph.write(OF_MENDERS.map(id => ({ op: 'deleteNode', id }) as const))
    expect(hidden).toEqual(await readAllOf(STRANGERS))
  })

  it('that becomes private stays the same for its members, and for all others if it is opened again', async () => {
    const before = await readAllOf(EVERYONE)
    await setPrivacy('private')
    const members = ['ada', 'ben', 'dov', 'esme'] as const
    const withoutSearch = (texts: readonly string[]) => texts.slice(0, -1)
    expect((await readAllOf(members)).map(withoutSearch)).toEqual(
      members.map(name => withoutSearch(before[EVERYONE.indexOf(name)] ?? [])),
    )
    await setPrivacy('open')
    expect(await readAllOf(EVERYONE)).toEqual(before)
  })

  it('hides the comments on the draft of an event from all who do not see the draft', async () => {
    await service.graph.write([{ op: 'patchNode', id: EVENTS.repair, fields: { status: 'draft' } }])
    const readComment = async (caller: Caller) => (await service.read(caller, `/${COMMENTS.tools}`)).text
    // Ada is its host. Ben wrote the comment, but does not see the draft.
    expect([await readComment('ada'), await readComment('ben')]).toEqual(['I bring tools.', undefined])
  })

  it('disappears for a person who leaves it, who can then neither write in it nor return', async () => {
    expect((await service.read('dov', `/${POSTS.bruno}`)).text).toBe('My starter is called Bruno.')
    const leave = () => service.send('dov', 'DELETE', `/groups/${bakers}/membership`)
    expect((await leave()).body).toEqual({ left: true })
    for (const [method, path, body] of [
      ['GET', `/graph/${POSTS.bruno}`],
      ['GET', `/graph/${COMMENTS.bubbles}`],
      ['PUT', `/events/${EVENTS.starters}/attendance`, { state: 'no' }],
      ['POST', `/comments/${COMMENTS.bubbles}/votes`, {}],
      ['POST', `/groups/${bakers}/posts`, { text: 'Hello?' }],
      ['PUT', `/groups/${bakers}/membership`, {}],
      ['DELETE', `/groups/${bakers}/membership`, {}],
    ] as const) {
      const response = await service.send('dov', method, path, body)
      expect([path, response.body.error?.error_data.reason]).toEqual([path, 'node_not_found'])
    }
    // He still sees the draft of which he is the host.
    expect((await service.read('dov', `/${EVENTS.oven}`)).title).toBe('A visit to the oven')
  })

  it('can be joined if it is open, and nobody loses a role by joining', async () => {
    const join = (caller: Caller, id: string) => service.send(caller, 'PUT', `/groups/${id}/membership`, {})
    expect((await join('cleo', menders)).body).toEqual({ role: 'member' })
    expect((await join('esme', menders)).body).toEqual({ role: 'guest' })
    expect((await join('ada', menders)).body).toEqual({ role: 'admin' })
    expect([(await join('ada', lanterns)).status, (await join('ada', bakers)).status]).toEqual([403, 400])
    const { viewer_role } = await service.read('cleo', `/${menders}?fields=viewer_role`)
    expect(viewer_role).toBe('member')
  })

  it('shows the drafts of its events to those who are its admins at that moment', async () => {
    const fields = { title: 'Irons', start_time: '2026-08-01', venue: VENUES.yard, group: menders }
    const { id } = (await service.send('ben', 'POST', '/events', fields)).body
    const seenBy = async () => {
      const titles = await Promise.all(
        EVERYONE.map(async caller => (await service.read(caller, `/${id}`)).title),
      )
      return EVERYONE.filter((_, index) => titles[index] === 'Irons')
    }
    expect(await seenBy()).toEqual(['ada', 'ben'])
    await setRole('ada', PEOPLE.dov, 'admin')
    expect(await seenBy()).toEqual(['ada', 'ben', 'dov'])
    await setRole('dov', PEOPLE.ada, 'guest')
    expect(await seenBy()).toEqual(['ben', 'dov'])
  })

  it.each<[caller: Caller, method: string, path: string, body: object, status: number]>([
    ['esme', 'POST', `/groups/${menders}/posts`, { text: 'A guest' }, 403],
    ['cleo', 'POST', `/groups/${menders}/posts`, { text: 'A stranger' }, 403],
    ['ada', 'POST', `/groups/${menders}/posts`, {}, 400],
    [
      'esme',
      'POST',
      '/events',
      { title: 'A', start_time: '2026-08-01', venue: VENUES.yard, group: menders },
      403,
    ],
    [
      'ada',
      'POST',
      '/events',
      { title: 'A', start_time: '2026-08-01', venue: VENUES.yard, group: bakers },
      400,
    ],
    ['ben', 'PATCH', `/groups/${menders}`, { privacy: 'private' }, 403],
    ['ada', 'PATCH', `/groups/${menders}`, { privacy: 'secret' }, 400],
    ['ada', 'PATCH', `/groups/${bakers}`, { privacy: 'open' }, 400],
    ['ben', 'PUT', `/groups/${menders}/roles`, { person: PEOPLE.ben, role: 'admin' }, 403],
    ['ada', 'PUT', `/groups/${menders}/roles`, { person: PEOPLE.ada, role: 'guest' }, 403],
    ['ada', 'PUT', `/groups/${menders}/roles`, { person: PEOPLE.cleo, role: 'owner' }, 400],
    ['ada', 'PUT', `/groups/${menders}/roles`, { person: POSTS.iron, role: 'guest' }, 400],
    ['ada', 'DELETE', `/groups/${menders}/membership`, {}, 403],
    ['a-visitor', 'PUT', `/groups/${menders}/membership`, {}, 400],
  ])('rejects what a role does not allow, and writes nothing: %s %s %s %j', async (...request) => {
    const [caller, method, path, body, status] = request
    const { graph } = service
    const fields = 'name,privacy,members{role},posts{text},events{title}'
    const readGroups = () =>
      graph.getEdge(graph.session({ app: 'test', bypassPolicies: true }), {
        id: 'root',
        edge: 'groups',
        fields,
      })
    const before = await readGroups()
    expect(await service.send(caller, method, path, body)).toMatchObject({ status, body: { error: {} } })
    expect(await readGroups()).toEqual(before)
  })
})
