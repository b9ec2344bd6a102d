import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { loosely } from '../abuse/fault-of.ts'
import { BAD, GOOD_SIZE, itemOf, open, schema, storedAs } from './bad-items.ts'

describe('a bad value', () => {
  it.each(BAD)('is left out and reported: %s %j', async (name, stored) => {
    const { get, badValues } = open([itemOf({ [storedAs(name)]: stored }), itemOf({}, '2')])
    expect(await get(`${name},id`)).toEqual({ id: '1' })
    expect(badValues()).toEqual([{ type: 'item', field: name, count: 1 }])
  })

  it.each(BAD)('is left out over HTTP, too: %s %j', async (name, stored) => {
    const { graph, badValues } = open([itemOf({ [storedAs(name)]: stored }), itemOf({}, '2')])
    const token = await graph.tokens.issue({ viewer: '1', app: 'tests' })
    const { answer } = createHandler(graph)
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await answer({ method: 'GET', url: `/1?fields=${name},id&debug=all`, headers })
    const message = `Field ${name} of item is left out: its value is not valid`
    expect(JSON.parse(body ?? '')).toEqual({
      id: '1',
      __debug__: { messages: [{ message, type: 'warning' }] },
    })
    expect(badValues()).toEqual([{ type: 'item', field: name, count: 1 }])
  })

  it('is counted for each place in a result from which it is left out', async () => {
    const nodes = [itemOf({ size: '5' }), itemOf({ size: 1 }, '2'), itemOf({ size: '6', title: 7 }, '3')]
    const edges = ['1', '2', '3'].map(target => ({ source: '1', name: 'keeps', target }))
    const { get, badValues } = open(nodes, edges)
    expect(await get('size,size.as(again),keeps{size,title}')).toEqual({
      keeps: { data: [{ id: '3' }, { size: 1, id: '2' }, { id: '1' }], paging: expect.anything() },
      id: '1',
    })
    expect(badValues()).toEqual([
      { type: 'item', field: 'size', count: 4 },
      { type: 'item', field: 'title', count: 1 },
    ])
  })

  it('under an alias is reported by the name of its field', async () => {
    const { get, badValues } = open([itemOf({ size: '5' })])
    await get('size.as(alias)')
    expect(badValues()).toEqual([{ type: 'item', field: 'size', count: 1 }])
  })

  it.each(['picture{url}', 'frames{color}', 'frame{width}', 'even{half}'])(
    'is left out as a whole behind a selection inside of it: %s',
    async fields => {
      const { get, badValues } = open([
        itemOf({
          picture: [GOOD_SIZE, 'x'],
          frames: [{ width: 'x', color: 'red' }],
          frame: { width: 1, color: 1 },
          even: 3,
        }),
      ])
      expect(await get(fields)).toEqual({ id: '1' })
      expect(badValues()).toEqual([{ type: 'item', field: fields.split('{')[0], count: 1 }])
    },
  )

  it('in the data of an edge is left out of its entry', async () => {
    const nodes = [itemOf({}), itemOf({}, '2'), itemOf({}, '3')]
    const data = [
      { rank: '1', note: 'a' },
      { rank: 2, note: 5 },
    ]
    const edges = data.map((data, index) => ({ source: '1', name: 'keeps', target: `${index + 2}`, data }))
    const { get, badValues } = open(nodes, edges)
    expect(await get('keeps{rank,note}')).toMatchObject({
      keeps: {
        data: [
          { rank: 2, id: '3' },
          { note: 'a', id: '2' },
        ],
      },
    })
    expect(badValues()).toEqual([
      { type: 'item', field: 'note', count: 1 },
      { type: 'item', field: 'rank', count: 1 },
    ])
  })
})

describe('a bad value that would not be returned is not reported', () => {
  const fields = { size: '5', secret: '5', own: '5', title: 5 }

  it('if it is not selected', async () => {
    const { get, badValues } = open([itemOf(fields)])
    expect(await get('id')).toEqual({ id: '1' })
    expect(badValues()).toEqual([])
  })

  it('if the token lacks the scope of its field', async () => {
    const { graph, get, badValues } = open([itemOf(fields)])
    const { __debug__: debug } = Object(await get('secret', { debug: 'all' }))
    expect(debug.messages).toHaveLength(1)
    expect(badValues()).toEqual([])
    await loosely(graph.getNode, graph.session({ viewer: '1', app: 'tests', scopes: ['secrets'] }), {
      id: '1',
      fields: 'secret',
    })
    expect(badValues()).toEqual([{ type: 'item', field: 'secret', count: 1 }])
  })

  it('if the policy of its field denies it', async () => {
    const { get, badValues } = open([itemOf(fields), itemOf(fields, '2'), itemOf(fields, '3')])
    expect(await get('own', { id: '2', debug: 'all' })).toEqual({ id: '2', __debug__: { messages: [] } })
    expect(badValues()).toEqual([])
    await get('own')
    expect(badValues()).toEqual([{ type: 'item', field: 'own', count: 1 }])
  })

  it('if it is null or undefined, which is no value', async () => {
    const names = Object.keys(schema.types.item.fields)
    const none = (value: unknown) => Object.fromEntries(names.map(name => [name, value]))
    const { get, badValues } = open([itemOf(none(null)), itemOf(none(undefined), '2'), itemOf({}, '3')])
    const picture = { data: { height: 50, is_silhouette: true, url: '/none.svg', width: 50 } }
    const all = names.filter(name => name !== 'secret').join()
    for (const id of ['1', '2', '3'])
      expect(await get(all, { id })).toEqual({ picture, viewer_keeps: false, id })
    expect(badValues()).toEqual([])
  })
})

describe('a value that is valid and shows nothing is not bad', () => {
  it.each([
    ['age', { born: { date: '2999-01-01', show: 'full' } }],
    ['even', { even: 0 }],
    ['owner', { owner: '404' }],
  ])('%s %j', async (name, fields) => {
    const { get, badValues } = open([itemOf(fields)])
    expect(await get(name)).toEqual({ id: '1' })
    expect(badValues()).toEqual([])
  })

  it('a member that an object type does not declare is left out alone', async () => {
    const { get, badValues } = open([itemOf({ frame: { width: 1, depth: 'x' } })])
    expect(await get('frame')).toEqual({ frame: { width: 1 }, id: '1' })
    expect(badValues()).toEqual([])
  })

  it('the sizes of a picture of which there is none give the default picture', async () => {
    const { get, badValues } = open([itemOf({ picture: [] })])
    expect(await get('picture{url}')).toEqual({ picture: { data: { url: '/none.svg' } }, id: '1' })
    expect(badValues()).toEqual([])
  })
})

describe('what is reported of bad values', () => {
  it('has no id and no value', async () => {
    const nodes = [itemOf({ size: 'hunter2', owner: 'hunter2' }, '777001'), itemOf({}, '1')]
    const { get, events } = open(nodes)
    const answer = await get('size,owner', { id: '777001', debug: 'all' })
    const { __debug__: debug } = Object(answer)
    expect(debug.messages).toEqual([
      { message: 'Field size of item is left out: its value is not valid', type: 'warning' },
      { message: 'Field owner of item is left out: its value is not valid', type: 'warning' },
    ])
    const random = new Set(['duration', 'traceId'])
    const told = JSON.stringify([debug, events], (name, value) => (random.has(name) ? undefined : value))
    expect(told).not.toContain('hunter2')
    expect(told).not.toContain('777001')
  })

  it('is nothing in a result without debug, also of a partial one', async () => {
    const { get } = open([itemOf({ size: '5' })])
    expect(await get('size', { partial: true })).toEqual({ id: '1' })
  })
})

describe('a time of an edge that is no time', () => {
  it('is left out of its entry and reported', async () => {
    const { graph, session, badValues } = open(
      [itemOf({}), itemOf({}, '2')],
      [{ source: '1', name: 'keeps', target: '2', time: '2020-01-01' }],
    )
    const { data } = await graph.getEdge(session, { id: '1', edge: 'keeps', fields: 'since' })
    expect(data).toEqual([{ id: '2' }])
    expect(badValues()).toEqual([{ type: 'item', field: 'since', count: 1 }])
  })
})
