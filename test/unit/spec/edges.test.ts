import { describe, expect, it } from 'vitest'
import {
  ADA,
  ALAN,
  createWorld,
  EDSGER,
  GRACE,
  NEWEST_FIRST,
  NEWEST_PHOTO,
  NEWEST_TEXT,
} from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const { graph, ada } = await createWorld()
const { getEdge, getNode } = graph

/** The ids of a page's entries. */
const idsOf = (page: { readonly data: readonly object[] }): unknown[] =>
  page.data.map(entry => Reflect.get(entry, 'id'))

describe('GET {base_url}/<node_id>/<edge_name>', () => {
  it('answers the connected nodes in `data`', async () => {
    const answer = await getEdge(ada, { id: ADA, edge: 'friends' })
    expect(answer.data).toEqual([
      { name: 'Alan Turing', id: ALAN },
      { name: 'Grace Hopper', id: GRACE },
    ])
  })

  it('answers photos as created_time and id by default', async () => {
    const answer = await getEdge(ada, { id: ADA, edge: 'photos', limit: 1 })
    expect(JSON.stringify(answer.data)).toBe(`[{"created_time":"${NEWEST_TEXT}","id":"${NEWEST_PHOTO}"}]`)
  })

  it('takes fields for each entry', async () => {
    const answer = await getEdge(ada, { id: ADA, edge: 'photos', limit: 2, fields: 'width,from{first_name}' })
    expect(answer.data).toEqual([
      { width: 640, from: { first_name: 'Ada', id: ADA }, id: '154' },
      { width: 640, from: { first_name: 'Ada', id: ADA }, id: '153' },
    ])
  })

  it('answers an empty edge as empty data, without cursors', async () => {
    expect(await getEdge(ada, { id: EDSGER, edge: 'photos' })).toEqual({ data: [] })
  })

  it('answers the id in its place where it was asked for', async () => {
    const answer = await getEdge(ada, { id: ADA, edge: 'friends', limit: 1, fields: 'id,name' })
    expect(JSON.stringify(answer.data)).toBe('[{"id":"3","name":"Alan Turing"}]')
  })

  it('has 25 entries where no limit is asked, and at most 100', async () => {
    expect((await getEdge(ada, { id: ADA, edge: 'photos' })).data).toHaveLength(25)
    expect((await getEdge(ada, { id: ADA, edge: 'photos', limit: 100 })).data).toHaveLength(60)
    expect((await getEdge(ada, { id: ADA, edge: 'photos', limit: 1_000_000 })).data).toHaveLength(60)
  })

  it('asks the source to be of the type that is named', async () => {
    expect((await getEdge(ada, { id: ADA, type: 'user', edge: 'likes' })).data).toHaveLength(1)
    const fault = await faultOf(getEdge(ada, { id: ADA, type: 'page', edge: 'likes' }))
    expect(fault.data.reason).toBe('node_missing')
  })

  it('begins with data, then paging, then summary', async () => {
    const answer = await loosely(getEdge, ada, { id: ADA, edge: 'photos', limit: 1, summary: true })
    expect(Object.keys(Object(answer))).toEqual(['data', 'paging', 'summary'])
  })
})

describe('the order of an edge', () => {
  it('is the newest first, and of equal times the larger number first', async () => {
    expect(idsOf(await getEdge(ada, { id: ADA, edge: 'photos', limit: 100 }))).toEqual(NEWEST_FIRST)
  })

  it('is the exact reverse when chronological', async () => {
    const answer = await getEdge(ada, { id: ADA, edge: 'photos', limit: 100, order: 'chronological' })
    expect(idsOf(answer)).toEqual(NEWEST_FIRST.toReversed())
  })

  it('is chronological for comments', async () => {
    expect(idsOf(await getEdge(ada, { id: NEWEST_PHOTO, edge: 'comments' }))).toEqual(['401', '402', '403'])
  })

  it('can be asked inside an expression', async () => {
    const fields = 'comments.order(reverse_chronological){id}'
    const answer = await loosely(getNode, ada, { id: NEWEST_PHOTO, fields })
    expect(answer).toMatchObject({ comments: { data: [{ id: '403' }, { id: '402' }, { id: '401' }] } })
  })
})

describe('a summary', () => {
  it('tells the order and the number of all edges, whatever the page', async () => {
    const answer = await loosely(getEdge, ada, { id: ADA, edge: 'photos', limit: 1, summary: true })
    expect(answer).toMatchObject({ summary: { order: 'reverse_chronological', total_count: 60 } })
    expect(JSON.stringify(Object(answer).summary)).toBe('{"order":"reverse_chronological","total_count":60}')
  })

  it('does not count by since and until', async () => {
    const answer = await loosely(getEdge, ada, { id: ADA, edge: 'photos', since: NEWEST_TEXT, summary: true })
    expect(answer).toMatchObject({ summary: { total_count: 60 } })
    expect(Object(answer).data).toHaveLength(3)
  })

  it('tells the order that was asked', async () => {
    const call = { id: ADA, edge: 'photos', order: 'chronological', summary: true }
    expect(await loosely(getEdge, ada, call)).toMatchObject({ summary: { order: 'chronological' } })
  })

  it('is 0 for an empty edge', async () => {
    const answer = await loosely(getEdge, ada, { id: EDSGER, edge: 'photos', summary: true })
    expect(answer).toEqual({ data: [], summary: { order: 'reverse_chronological', total_count: 0 } })
  })

  it('is there only where it is asked for', async () => {
    expect(await loosely(getEdge, ada, { id: ADA, edge: 'photos', summary: false })).not.toHaveProperty(
      'summary',
    )
  })

  it.each(['true', '1'])('can be asked inside an expression as %s', async word => {
    const answer = await loosely(getNode, ada, {
      id: NEWEST_PHOTO,
      fields: `likes.limit(1).summary(${word})`,
    })
    expect(answer).toMatchObject({ likes: { data: [{ id: ALAN }], summary: { total_count: 2 } } })
  })
})

describe('since and until', () => {
  const seconds = (text: string): number => Date.parse(text) / 1000
  const AT = '2014-08-03T17:41:05Z'
  const ids = ['142', '141', '140']

  it.each([
    ['unix seconds', seconds(AT)],
    ['unix seconds as text', `${seconds(AT)}`],
    ['ISO 8601', AT],
    ['ISO 8601 without a colon', '2014-08-03T17:41:05+0000'],
    ['a Date', new Date(AT)],
    ['a space in the place of T', '2014-08-03 17:41:05'],
    ['a space in the place of T, and an offset', '2014-08-03 18:41:05+01:00'],
    ['a space in the place of +, as in a URL that is not encoded', '2014-08-03T17:41:05 0000'],
    ['a space in the place of +, and another offset', '2014-08-03T19:41:05 0200'],
    ['no space in its place, as in an expression', '2014-08-03T19:41:050200'],
  ])('are inclusive: %s', async (_, at) => {
    const answer = await getEdge(ada, { id: ADA, edge: 'photos', since: at, until: at, limit: 100 })
    expect(idsOf(answer)).toEqual(ids)
  })

  it('bound a list from one side', async () => {
    const late = await getEdge(ada, { id: ADA, edge: 'photos', since: AT, limit: 100 })
    const early = await getEdge(ada, { id: ADA, edge: 'photos', until: AT, limit: 100 })
    expect(idsOf(late)).toEqual(NEWEST_FIRST.slice(0, 15))
    expect(idsOf(early)).toEqual(NEWEST_FIRST.slice(12))
  })

  it('are empty where they cross', async () => {
    expect(await getEdge(ada, { id: ADA, edge: 'photos', since: 2_000_000_000, until: 0 })).toEqual({
      data: [],
    })
  })

  it('reach to the end of the second that until names', async () => {
    const { store, graph, ada } = await createWorld()
    const time = Date.parse(AT) + 999
    store.write([{ op: 'putEdge', edge: { source: ADA, name: 'photos', target: '95', time } }])
    const within = await graph.getEdge(ada, { id: ADA, edge: 'photos', since: AT, until: seconds(AT) })
    expect(idsOf(within)).toEqual(['95', ...ids])
  })

  it.each([1_407_087_665_000, '1407087665000', -100_000_000_001, 100_000_000_001, '9'.repeat(400)])(
    'are no milliseconds: %o',
    async since => {
      const fault = await faultOf(getEdge(ada, { id: ADA, edge: 'photos', since }))
      expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'since' })
      expect(fault.message).toContain(
        'unix seconds, which are at most 100000000000 (milliseconds are not accepted)',
      )
    },
  )

  it('may be 1e11 seconds away', async () => {
    const call = { id: ADA, edge: 'photos', since: -1e11, until: '100000000000', limit: 1 } as const
    expect(idsOf(await getEdge(ada, call))).toEqual(NEWEST_FIRST.slice(0, 1))
  })

  it.each([
    'yesterday',
    'now',
    '-1 day',
    'last monday',
    '@1407087665',
    '1 January 2014',
    '2014-02-30 00:00:50',
  ])('are no words, and say which forms are accepted: %s', async until => {
    const fault = await faultOf(getEdge(ada, { id: ADA, edge: 'photos', until }))
    expect(fault.data).toMatchObject({
      reason: 'bad_parameter',
      parameter: 'until',
      came: JSON.stringify(until),
    })
    expect(fault.message).toContain(
      'expected unix seconds, a date such as 2020-01-31 or 2020-01-31T12:00:00+0000, or a Date; words such as yesterday are not accepted',
    )
  })

  it('can be asked inside an expression with spaces in them', async () => {
    const fields = 'photos.since(2014-08-03 17:41:05).until(2014-08-03T17:41:05 0000){id}'
    const answer = await loosely(getNode, ada, { id: ADA, fields })
    expect(answer).toMatchObject({ photos: { data: ids.map(id => ({ id })) } })
  })

  it('can be asked inside an expression', async () => {
    const fields = `photos.since(${seconds(AT)}).until(2014-08-03T17:41:05Z){id}`
    const answer = await loosely(getNode, ada, { id: ADA, fields })
    expect(answer).toMatchObject({ photos: { data: ids.map(id => ({ id })) } })
  })
})
