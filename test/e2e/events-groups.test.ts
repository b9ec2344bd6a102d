import type { GraphEvent } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEvents } from '../../examples/events/graph.ts'
import { createGroupWrites } from '../../examples/events/group-writes.ts'
import { COMMENTS, EVENTS, GROUPS, PEOPLE, POSTS, VENUES } from '../../examples/events/ids.ts'
import { type Caller, type EventsService, startEvents, tokenOf } from './events-service.ts'

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

describe("the viewer's own reply in the example events", () => {
  let service: EventsService
  beforeEach(async () => {
    service = await startEvents('memory')
  })
  afterEach(() => service.stop())

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
    await service.send('cleo', 'PUT', `/events/${repair}/attendance`, { state: 'no' })
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
    return { store, ...(await openEvents(store, event => events.push(event))) }
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

  it('of a group makes it private with a change of one record', async () => {
    const { graph, search, store } = await open()
    const dump = async () => {
      const records: string[] = []
      for await (const record of store.dump()) records.push(JSON.stringify(record))
      return records
    }
    const before = await dump()
    const { changeGroup } = createGroupWrites(graph, search)
    await changeGroup({ token: tokenOf('ada'), id: menders, body: { privacy: 'private' } })
    const after = await dump()
    expect(after.filter(record => !before.includes(record))).toHaveLength(1)
    expect(after).toHaveLength(before.length)
    await graph.close()
  })
})
