import { describe, expect, it } from 'vitest'
import {
  ADA,
  ALAN,
  createWorld,
  EDSGER,
  GRACE,
  NEWEST_FIRST,
  NEWEST_PHOTO,
  NEWEST_TIME_TEXT,
} from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const { graph, ada } = await createWorld()
const { getEdge, getNode } = graph

/** Returns the ids of the entries of a page. */
const idsOf = (page: { readonly data: readonly object[] }): unknown[] =>
  page.data.map(entry => Reflect.get(entry, 'id'))

describe('getEdge', () => {
  it('returns the connected nodes in `data`', async () => {
    const result = await getEdge(ada, { id: ADA, edge: 'friends' })
    expect(result.data).toEqual([
      { name: 'Alan Turing', id: ALAN },
      { name: 'Grace Hopper', id: GRACE },
    ])
  })

  it('returns created_time and id of photos by default', async () => {
    const result = await getEdge(ada, { id: ADA, edge: 'photos', limit: 1 })
    expect(JSON.stringify(result.data)).toBe(
      `[{"created_time":"${NEWEST_TIME_TEXT}","id":"${NEWEST_PHOTO}"}]`,
    )
  })

  it('returns the requested fields of each entry', async () => {
    const result = await getEdge(ada, { id: ADA, edge: 'photos', limit: 2, fields: 'width,from{first_name}' })
    expect(result.data).toEqual([
      { width: 640, from: { first_name: 'Ada', id: ADA }, id: '154' },
      { width: 640, from: { first_name: 'Ada', id: ADA }, id: '153' },
    ])
  })

  it('returns empty data without cursors if the edge has no entries', async () => {
    expect(await getEdge(ada, { id: EDSGER, edge: 'photos' })).toEqual({ data: [] })
  })

  it('returns the id in the requested position', async () => {
    const result = await getEdge(ada, { id: ADA, edge: 'friends', limit: 1, fields: 'id,name' })
    expect(JSON.stringify(result.data)).toBe('[{"id":"3","name":"Alan Turing"}]')
  })

  it('returns 25 entries by default, and all 60 at a limit of 100 or above', async () => {
    expect((await getEdge(ada, { id: ADA, edge: 'photos' })).data).toHaveLength(25)
    expect((await getEdge(ada, { id: ADA, edge: 'photos', limit: 100 })).data).toHaveLength(60)
    expect((await getEdge(ada, { id: ADA, edge: 'photos', limit: 1_000_000 })).data).toHaveLength(60)
  })

  it('rejects a source of another type than the given type', async () => {
    expect((await getEdge(ada, { id: ADA, type: 'user', edge: 'likes' })).data).toHaveLength(1)
    const error = await expectGraphError(getEdge(ada, { id: ADA, type: 'page', edge: 'likes' }))
    expect(error.reason).toBe('node_not_found')
  })

  it('returns data, paging and summary in this order', async () => {
    const result = await callUntyped(getEdge, ada, { id: ADA, edge: 'photos', limit: 1, summary: true })
    expect(Object.keys(Object(result))).toEqual(['data', 'paging', 'summary'])
  })
})

describe('the order of an edge', () => {
  it('is newest first by default, with the larger id first at equal times', async () => {
    expect(idsOf(await getEdge(ada, { id: ADA, edge: 'photos', limit: 100 }))).toEqual(NEWEST_FIRST)
  })

  it('is exactly reversed if chronological is requested', async () => {
    const result = await getEdge(ada, { id: ADA, edge: 'photos', limit: 100, order: 'chronological' })
    expect(idsOf(result)).toEqual(NEWEST_FIRST.toReversed())
  })

  it('is chronological by default for comments', async () => {
    expect(idsOf(await getEdge(ada, { id: NEWEST_PHOTO, edge: 'comments' }))).toEqual(['401', '402', '403'])
  })

  it('is accepted inside an expression', async () => {
    const fields = 'comments.order(reverse_chronological){id}'
    const result = await callUntyped(getNode, ada, { id: NEWEST_PHOTO, fields })
    expect(result).toMatchObject({ comments: { data: [{ id: '403' }, { id: '402' }, { id: '401' }] } })
  })
})

describe('a summary', () => {
  it('returns the order and the count of all edges, whatever the page', async () => {
    const result = await callUntyped(getEdge, ada, { id: ADA, edge: 'photos', limit: 1, summary: true })
    expect(result).toMatchObject({ summary: { order: 'reverse_chronological', total_count: 60 } })
    expect(JSON.stringify(Object(result).summary)).toBe('{"order":"reverse_chronological","total_count":60}')
  })

  it('ignores since and until in its count', async () => {
    const result = await callUntyped(getEdge, ada, {
      id: ADA,
      edge: 'photos',
      since: NEWEST_TIME_TEXT,
      summary: true,
    })
    expect(result).toMatchObject({ summary: { total_count: 60 } })
    expect(Object(result).data).toHaveLength(3)
  })

  it('returns the requested order', async () => {
    const call = { id: ADA, edge: 'photos', order: 'chronological', summary: true }
    expect(await callUntyped(getEdge, ada, call)).toMatchObject({ summary: { order: 'chronological' } })
  })

  it('counts 0 for an edge without entries', async () => {
    const result = await callUntyped(getEdge, ada, { id: EDSGER, edge: 'photos', summary: true })
    expect(result).toEqual({ data: [], summary: { order: 'reverse_chronological', total_count: 0 } })
  })

  it('is returned only on request', async () => {
    expect(await callUntyped(getEdge, ada, { id: ADA, edge: 'photos', summary: false })).not.toHaveProperty(
      'summary',
    )
  })

  it.each(['true', '1'])('is accepted inside an expression with the value %s', async word => {
    const result = await callUntyped(getNode, ada, {
      id: NEWEST_PHOTO,
      fields: `likes.limit(1).summary(${word})`,
    })
    expect(result).toMatchObject({ likes: { data: [{ id: ALAN }], summary: { total_count: 2 } } })
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
    ['a space in place of T', '2014-08-03 17:41:05'],
    ['a space in place of T, and an offset', '2014-08-03 18:41:05+01:00'],
    ['a space in place of +, as in a URL that is not encoded', '2014-08-03T17:41:05 0000'],
    ['a space in place of +, and another offset', '2014-08-03T19:41:05 0200'],
    ['nothing in place of +, as in an expression', '2014-08-03T19:41:050200'],
  ])('are inclusive: %s', async (_, at) => {
    const result = await getEdge(ada, { id: ADA, edge: 'photos', since: at, until: at, limit: 100 })
    expect(idsOf(result)).toEqual(ids)
  })

  it('limit a list on one side if only one of them is given', async () => {
    const late = await getEdge(ada, { id: ADA, edge: 'photos', since: AT, limit: 100 })
    const early = await getEdge(ada, { id: ADA, edge: 'photos', until: AT, limit: 100 })
    expect(idsOf(late)).toEqual(NEWEST_FIRST.slice(0, 15))
    expect(idsOf(early)).toEqual(NEWEST_FIRST.slice(12))
  })

  it('return no entries if since is after until', async () => {
    expect(await getEdge(ada, { id: ADA, edge: 'photos', since: 2_000_000_000, until: 0 })).toEqual({
      data: [],
    })
  })

  it('include all edges within the second that until names', async () => {
    const { store, graph, ada } = await createWorld()
    const time = Date.parse(AT) + 999
    store.write([{ op: 'putEdge', edge: { source: ADA, name: 'photos', target: '95', time } }])
    const within = await graph.getEdge(ada, { id: ADA, edge: 'photos', since: AT, until: seconds(AT) })
    expect(idsOf(within)).toEqual(['95', ...ids])
  })

  it.each([1_407_087_665_000, '1407087665000', -100_000_000_001, 100_000_000_001, '9'.repeat(400)])(
    'reject milliseconds and other numbers beyond 1e11 seconds: %o',
    async since => {
      const error = await expectGraphError(getEdge(ada, { id: ADA, edge: 'photos', since }))
      expect(error.toJSON().error.error_data).toMatchObject({
        reason: 'invalid_parameter',
        parameter: 'since',
      })
      expect(error.message).toContain(
        '(#100) Invalid parameter "since": must be unix seconds, at most 100000000000 (milliseconds are not accepted); received ',
      )
    },
  )

  it('accept 1e11 seconds before and after the epoch', async () => {
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
  ])('reject words and invalid dates with a message that lists the accepted forms: %s', async until => {
    const error = await expectGraphError(getEdge(ada, { id: ADA, edge: 'photos', until }))
    expect(error.toJSON().error.error_data).toMatchObject({
      reason: 'invalid_parameter',
      parameter: 'until',
      received: JSON.stringify(until),
    })
    expect(error.message).toContain(
      '(#100) Invalid parameter "until": must be unix seconds, a date such as 2020-01-31 or 2020-01-31T12:00:00+0000, or a Date; words such as yesterday are not accepted; received ',
    )
  })

  it('are accepted inside an expression, with spaces in them', async () => {
    const fields = 'photos.since(2014-08-03 17:41:05).until(2014-08-03T17:41:05 0000){id}'
    const result = await callUntyped(getNode, ada, { id: ADA, fields })
    expect(result).toMatchObject({ photos: { data: ids.map(id => ({ id })) } })
  })

  it('are accepted inside an expression', async () => {
    const fields = `photos.since(${seconds(AT)}).until(2014-08-03T17:41:05Z){id}`
    const result = await callUntyped(getNode, ada, { id: ADA, fields })
    expect(result).toMatchObject({ photos: { data: ids.map(id => ({ id })) } })
  })
})
