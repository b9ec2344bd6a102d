import { describe, expect, it } from 'vitest'
import { COMMENTS, EVENTS, GROUPS, PEOPLE, POSTS, VENUES } from '../../examples/events/ids.ts'
import { type EventsService, STORES, tokenOf, useEvents } from './events-service.ts'

const [ADA, BEN, CLEO, DOV] = [tokenOf('ada'), tokenOf('ben'), tokenOf('cleo'), tokenOf('dov')]
const EVENT = {
  title: 'Mend a lamp',
  start_time: new Date('2026-09-01T18:00:00Z'),
  venue: VENUES.yard,
  topics: ['repair'],
  places: 12,
}

describe.each(STORES)('an action of the example events with the store $name', ({ start }) => {
  let service: EventsService
  useEvents(started => {
    service = started
  }, start)

  const similarTo = async (id: string) => {
    const options = { id, type: 'event', edge: 'similar', parameters: { radius_km: 1 } } as const
    return (await service.client.getEdge(ADA, options)).data.map(similar => similar.id)
  }

  it('creates the draft of an event, of a group too, and returns what the caller may see of it', async () => {
    const { callAction } = service.client
    const fields = 'title,start_time,status,host{name},group{name},city,topics,places_left'
    const alone = await callAction(CLEO, { id: 'root', action: 'events.add', parameters: EVENT, fields })
    expect(alone).toEqual({
      title: 'Mend a lamp',
      start_time: '2026-09-01T18:00:00+0000',
      status: 'draft',
      host: { name: 'Cleo Fenn', id: PEOPLE.cleo },
      city: 'Port Ellery',
      topics: ['repair'],
      places_left: 12,
      id: alone.id,
    })
    const group = { type: 'group', id: GROUPS.menders, action: 'events.add' } as const
    const ofGroup = await callAction(BEN, { ...group, parameters: EVENT, fields })
    expect(ofGroup).toEqual({
      ...alone,
      host: { name: 'Ben Marrow', id: PEOPLE.ben },
      group: { name: 'Menders', id: GROUPS.menders },
      id: ofGroup.id,
    })
    const { data } = await service.client.getEdge(ADA, { type: 'group', id: GROUPS.menders, edge: 'events' })
    expect(data.map(({ id }) => id)).toEqual([ofGroup.id, EVENTS.repair])
  })

  it('publishes, changes and deletes an event, which the search follows', async () => {
    const { callAction } = service.client
    const { id } = await callAction(CLEO, { id: 'root', action: 'events.add', parameters: EVENT })
    const event = { type: 'event', id } as const
    expect(await similarTo(EVENTS.repair)).not.toContain(id)
    await callAction(CLEO, { ...event, action: 'publish' })
    expect(await similarTo(EVENTS.repair)).toContain(id)
    const parameters = { title: 'Sing', topics: ['music'] }
    const changed = await callAction(CLEO, {
      ...event,
      action: 'update',
      parameters,
      fields: 'title,topics,city',
    })
    expect(changed).toEqual({ ...parameters, city: 'Port Ellery', id })
    expect([await similarTo(EVENTS.repair), await similarTo(EVENTS.choir)]).toEqual([[EVENTS.lanterns], []])
    await callAction(CLEO, { ...event, action: 'update', parameters: { topics: ['repair'] } })
    expect(await similarTo(EVENTS.repair)).toContain(id)
    expect(await callAction(CLEO, { ...event, action: 'delete' })).toEqual({ success: true })
    expect(await similarTo(EVENTS.repair)).toEqual([EVENTS.lanterns])
    await expect(service.client.getNode(CLEO, event)).rejects.toMatchObject({ reason: 'node_not_found' })
  })

  it('of an admin deletes an event of the group, and nobody sees the comments on it any more', async () => {
    const { callAction } = service.client
    const event = { type: 'event', id: EVENTS.lanterns } as const
    const parameters = { text: 'Which glue?' }
    const comment = await callAction(CLEO, { ...event, action: 'comments.add', parameters })
    await service.graph.write([{ op: 'patchNode', id: EVENTS.lanterns, fields: { host: PEOPLE.cleo } }])
    await callAction(BEN, { ...event, action: 'delete' })
    for (const token of [BEN, CLEO])
      await expect(service.client.getNode(token, { type: 'comment', id: comment.id })).rejects.toMatchObject({
        reason: 'node_not_found',
      })
    const entry = { id: 'me', type: 'person', edge: 'events', target: event.id } as const
    expect(await service.client.hasEdge(BEN, entry)).toBe(false)
  })

  it('replies to an event, and changes the reply', async () => {
    const { callAction } = service.client
    const reply = (state: 'going' | 'maybe') =>
      callAction(CLEO, {
        type: 'event',
        id: EVENTS.lanterns,
        action: 'attendees.add',
        parameters: { state },
        fields: 'viewer_reply,places_left',
      })
    const id = EVENTS.lanterns
    expect(await reply('going')).toEqual({ viewer_reply: 'going', places_left: 0, id })
    expect(await reply('going')).toEqual({ viewer_reply: 'going', places_left: 0, id })
    expect(await reply('maybe')).toEqual({ viewer_reply: 'maybe', places_left: 1, id })
  })

  it('posts in a group, comments on the post and on an event, and likes a comment', async () => {
    const { callAction } = service.client
    const post = await callAction(DOV, {
      type: 'group',
      id: GROUPS.menders,
      action: 'posts.add',
      parameters: { text: 'Bring tools.' },
      fields: 'text,from{name},group{name}',
    })
    expect(post).toMatchObject({
      text: 'Bring tools.',
      from: { name: 'Dov Tarn' },
      group: { name: 'Menders' },
    })
    const call = {
      action: 'comments.add',
      parameters: { text: 'I do.' },
      fields: 'text,from{name},subject{id}',
    } as const
    const onPost = await callAction(CLEO, { ...call, type: 'post', id: post.id })
    const onEvent = await callAction(CLEO, { ...call, type: 'event', id: EVENTS.repair })
    const comment = { text: 'I do.', from: { name: 'Cleo Fenn' } }
    expect([onPost, onEvent]).toMatchObject([
      { ...comment, subject: { id: post.id } },
      { ...comment, subject: { id: EVENTS.repair } },
    ])
    for (const { id } of [onPost, onEvent]) {
      const like = { type: 'comment', id, fields: 'score,viewer_voted' } as const
      for (const [action, score] of [
        ['votes.add', 1],
        ['votes.remove', 0],
      ] as const)
        for (const repetition of [1, 2]) {
          const comment = await callAction(ADA, { ...like, action })
          expect([repetition, comment]).toEqual([repetition, { score, viewer_voted: score === 1, id }])
        }
    }
  })

  it('joins a group, invites, changes a role and leaves', async () => {
    const { callAction } = service.client
    const group = { type: 'group', id: GROUPS.menders, fields: 'viewer_role' } as const
    expect(await callAction(CLEO, { ...group, action: 'members.add' })).toMatchObject({
      viewer_role: 'member',
    })
    await callAction(ADA, {
      ...group,
      action: 'change_role',
      parameters: { person: PEOPLE.cleo, role: 'admin' },
    })
    const { id, type } = group
    expect((await service.client.getNode(CLEO, group)).viewer_role).toBe('admin')
    await callAction(CLEO, {
      ...group,
      action: 'change_role',
      parameters: { person: PEOPLE.ada, role: 'guest' },
    })
    expect(await callAction(ADA, { id, type, action: 'members.remove' })).toEqual({ success: true })
    await callAction(CLEO, { ...group, action: 'invite', parameters: { person: PEOPLE.ada } })
    expect((await service.client.getNode(ADA, group)).viewer_role).toBe('member')
  })

  it('hides a group with all that is in it from the next read on', async () => {
    const { callAction } = service.client
    const { id, privacy } = await callAction(ADA, {
      type: 'group',
      id: GROUPS.menders,
      action: 'update',
      parameters: { privacy: 'private' },
      fields: 'privacy',
    })
    expect(privacy).toBe('private')
    for (const hidden of [id, EVENTS.repair, POSTS.iron, COMMENTS.tools])
      await expect(service.client.getNode(CLEO, { id: hidden })).rejects.toMatchObject({
        reason: 'node_not_found',
      })
  })
})
