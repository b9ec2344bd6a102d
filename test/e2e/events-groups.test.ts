import { describe, expect, it } from 'vitest'
import { COMMENTS, EVENTS, GROUPS, PEOPLE, POSTS, VENUES } from '../../examples/events/ids.ts'
import { type Caller, type EventsService, useEvents, type Values } from './events-service.ts'

const { menders, lanterns, bakers } = GROUPS
const EVENT = { title: 'A', start_time: '2026-08-01', venue: VENUES.yard }
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

/** All actions on the group of the menders and on what is below it. */
const CALLS: readonly (readonly [method: string, path: string, values: Values])[] = [
  ['POST', `/${menders}`, { privacy: 'open' }],
  ['POST', `/${menders}/members`, {}],
  ['DELETE', `/${menders}/members`, {}],
  ['POST', `/${menders}/invite`, { person: PEOPLE.cleo }],
  ['POST', `/${menders}/change_role`, { person: PEOPLE.ada, role: 'guest' }],
  ['POST', `/${menders}/posts`, { text: 'A stranger' }],
  ['POST', `/${menders}/events`, EVENT],
  ['POST', `/${POSTS.iron}/comments`, { text: 'A stranger' }],
  ['POST', `/${EVENTS.repair}/comments`, { text: 'A stranger' }],
  ['POST', `/${EVENTS.repair}/attendees`, { state: 'going', fields: 'title' }],
  ['POST', `/${EVENTS.repair}/attendees`, { state: 'perhaps' }],
  ['POST', `/${EVENTS.repair}/publish`, {}],
  ['POST', `/${EVENTS.repair}`, { title: 'A stranger' }],
  ['DELETE', `/${EVENTS.repair}`, {}],
  ['POST', `/${COMMENTS.tools}/votes`, {}],
  ['DELETE', `/${COMMENTS.desk}/votes`, {}],
]

describe('a group of the example events', () => {
  let service: EventsService
  useEvents(started => {
    service = started
  })

  const setPrivacy = (privacy: string) => service.post('ada', `/${menders}`, { privacy })
  const setRole = (caller: Caller, person: string, role: string) =>
    service.post(caller, `/${menders}/change_role`, { person, role })

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

  it('that is private is the same as no group for all actions of those who are not in it', async () => {
    const callAll = (caller: Caller) =>
      Promise.all(
        CALLS.map(async ([method, path, values]) => {
          const { status, body } = await service.send(caller, method, path, values)
          const { fbtrace_id: _, ...error } = body.error
          expect([method, path, error.error_data.reason]).toEqual([method, path, 'node_not_found'])
          return JSON.stringify([status, error])
        }),
      )
    await setPrivacy('private')
    const hidden = await Promise.all(STRANGERS.map(callAll))
    await service.graph.write(OF_MENDERS.map(id => ({ op: 'deleteNode', id }) as const))
    expect(hidden).toEqual(await Promise.all(STRANGERS.map(callAll)))
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
    const leave = () => service.send('dov', 'DELETE', `/${bakers}/members`)
    expect((await leave()).body).toEqual({ success: true })
    for (const [method, path, body] of [
      ['GET', `/${POSTS.bruno}`],
      ['GET', `/${COMMENTS.bubbles}`],
      ['POST', `/${EVENTS.starters}/attendees`, { state: 'no' }],
      ['POST', `/${POSTS.bruno}/comments`, { text: 'Hello?' }],
      ['POST', `/${COMMENTS.bubbles}/votes`, {}],
      ['DELETE', `/${COMMENTS.bubbles}/votes`, {}],
      ['POST', `/${bakers}/posts`, { text: 'Hello?' }],
      ['POST', `/${bakers}/members`, {}],
      ['DELETE', `/${bakers}/members`, {}],
    ] as const) {
      const response = await service.send('dov', method, path, body)
      expect([path, response.body.error?.error_data.reason]).toEqual([path, 'node_not_found'])
    }
    // He still sees the draft of which he is the host.
    expect((await service.read('dov', `/${EVENTS.oven}`)).title).toBe('A visit to the oven')
  })

  it('can be joined if it is open, and nobody loses a role by joining', async () => {
    const join = (caller: Caller, id: string) =>
      service.post(caller, `/${id}/members`, { fields: 'viewer_role' })
    expect((await join('cleo', menders)).body).toEqual({ viewer_role: 'member', id: menders })
    for (const caller of ['cleo', 'esme', 'ada'] as const) {
      const { status, body } = await join(caller, menders)
      expect([status, body.error.error_data.failure]).toEqual([409, 'already_member'])
    }
    expect([(await join('ada', lanterns)).status, (await join('ada', bakers)).status]).toEqual([403, 400])
    const roles = (['cleo', 'esme', 'ada'] as const).map(
      async caller => (await service.read(caller, `/${menders}?fields=viewer_role`)).viewer_role,
    )
    expect(await Promise.all(roles)).toEqual(['member', 'guest', 'admin'])
  })

  it('that is private shows itself and all below it to a person who is invited by its admin', async () => {
    const invite = (person: string) => service.post('esme', `/${bakers}/invite`, { person, role: 'guest' })
    expect((await service.read('ada', `/${POSTS.bruno}`)).error.error_data.reason).toBe('node_not_found')
    expect((await invite(PEOPLE.ada)).status).toBe(200)
    expect((await service.read('ada', `/${POSTS.bruno}`)).text).toBe('My starter is called Bruno.')
    // An invitation changes no role.
    expect((await invite(PEOPLE.dov)).body.error.error_data.failure).toBe('already_member')
    expect((await service.read('dov', `/${bakers}?fields=viewer_role`)).viewer_role).toBe('member')
  })

  it('shows the drafts of its events to those who are its admins at that moment', async () => {
    const fields = { title: 'Irons', start_time: '2026-08-01', venue: VENUES.yard }
    const { id } = (await service.post('ben', `/${menders}/events`, fields)).body
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

  it.each<[caller: Caller, method: string, path: string, values: Values, status: number]>([
    ['esme', 'POST', `/${menders}/posts`, { text: 'A guest' }, 403],
    ['cleo', 'POST', `/${menders}/posts`, { text: 'A stranger' }, 403],
    ['ada', 'POST', `/${menders}/posts`, {}, 400],
    ['esme', 'POST', `/${menders}/events`, EVENT, 403],
    ['ada', 'POST', `/${bakers}/events`, EVENT, 400],
    ['ben', 'POST', `/${menders}`, { privacy: 'private' }, 403],
    ['ada', 'POST', `/${menders}`, { privacy: 'secret' }, 400],
    ['ada', 'POST', `/${bakers}`, { privacy: 'open' }, 400],
    ['ben', 'POST', `/${menders}/change_role`, { person: PEOPLE.ben, role: 'admin' }, 403],
    ['ada', 'POST', `/${menders}/change_role`, { person: PEOPLE.ada, role: 'guest' }, 403],
    ['ada', 'POST', `/${menders}/change_role`, { person: PEOPLE.ben, role: 'owner' }, 400],
    ['ada', 'POST', `/${menders}/change_role`, { person: POSTS.iron, role: 'guest' }, 400],
    ['ada', 'POST', `/${menders}/change_role`, { person: PEOPLE.cleo, role: 'guest' }, 409],
    ['ben', 'POST', `/${menders}/invite`, { person: PEOPLE.cleo }, 403],
    ['ada', 'POST', `/${menders}/invite`, { person: PEOPLE.ben }, 409],
    ['ada', 'DELETE', `/${menders}/members`, {}, 403],
    ['cleo', 'DELETE', `/${menders}/members`, {}, 403],
    ['a-visitor', 'POST', `/${menders}/members`, {}, 403],
    ['a-visitor', 'POST', `/${menders}/posts`, { text: 'A visitor' }, 403],
    ['a-visitor', 'POST', '/root/events', EVENT, 403],
    ['a-visitor', 'POST', `/${EVENTS.repair}/attendees`, { state: 'going' }, 403],
    ['a-visitor', 'POST', `/${POSTS.iron}/comments`, { text: 'A visitor' }, 403],
    ['a-visitor', 'POST', `/${COMMENTS.tools}/votes`, {}, 403],
    ['ben', 'DELETE', `/${EVENTS.repair}`, {}, 403],
  ])('rejects what a role does not allow, and writes nothing: %s %s %s %j', async (...request) => {
    const [caller, method, path, values, status] = request
    const { graph } = service
    const fields = [
      'events.limit(20){title,status,attendees.limit(9){state},comments.limit(9){score}}',
      'groups.limit(9){privacy,members.limit(9){role},posts.limit(9){text,comments.limit(9){text}},events.limit(9)}',
    ]
    const readEverything = () =>
      graph.getNode(graph.session({ app: 'test', bypassPolicies: true }), { id: 'root', fields })
    const before = await readEverything()
    expect(await service.send(caller, method, path, values)).toMatchObject({ status, body: { error: {} } })
    expect(await readEverything()).toEqual(before)
  })
})
