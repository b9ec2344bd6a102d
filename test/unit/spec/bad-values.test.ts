import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { callUntyped } from '../abuse/expect-graph-error.ts'
import { BAD_VALUES, createItem, GOOD_SIZE, openItems, schema, storedFieldOf } from './bad-items.ts'

describe('a stored value that does not fit the type of its field', () => {
  it.each(BAD_VALUES)('is left out and reported as a bad value: %s %j', async (name, stored) => {
    const { get, badValues } = openItems([createItem({ [storedFieldOf(name)]: stored }), createItem({}, '2')])
    expect(await get(`${name},id`)).toEqual({ id: '1' })
    expect(badValues()).toEqual([{ type: 'item', field: name, count: 1 }])
  })

  it.each(BAD_VALUES)('is left out over HTTP too, with a debug message: %s %j', async (name, stored) => {
    const { graph, badValues } = openItems([
      createItem({ [storedFieldOf(name)]: stored }),
      createItem({}, '2'),
    ])
    const token = await graph.tokens.issue({ viewer: '1', app: 'tests' })
    const { respond } = createHandler(graph)
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await respond({ method: 'GET', url: `/1?fields=${name},id&debug=all`, headers })
    const message = `Field ${name} of item is left out: its value is not valid`
    expect(JSON.parse(body ?? '')).toEqual({
      id: '1',
      __debug__: { messages: [{ message, type: 'warning' }] },
    })
    expect(badValues()).toEqual([{ type: 'item', field: name, count: 1 }])
  })

  it('is counted once for each place where a result leaves it out', async () => {
    const nodes = [
      createItem({ size: '5' }),
      createItem({ size: 1 }, '2'),
      createItem({ size: '6', title: 7 }, '3'),
    ]
    const edges = ['1', '2', '3'].map(target => ({ source: '1', name: 'keeps', target }))
    const { get, badValues } = openItems(nodes, edges)
    expect(await get('size,size.as(again),keeps{size,title}')).toEqual({
      keeps: { data: [{ id: '3' }, { size: 1, id: '2' }, { id: '1' }], paging: expect.anything() },
      id: '1',
    })
    expect(badValues()).toEqual([
      { type: 'item', field: 'size', count: 4 },
      { type: 'item', field: 'title', count: 1 },
    ])
  })

  it('is reported by the name of its field, not by its alias', async () => {
    const { get, badValues } = openItems([createItem({ size: '5' })])
    await get('size.as(alias)')
    expect(badValues()).toEqual([{ type: 'item', field: 'size', count: 1 }])
  })

  it.each(['picture{url}', 'frames{color}', 'frame{width}', 'even{half}'])(
    'is left out as a whole even if only one member is selected: %s',
    async fields => {
      const { get, badValues } = openItems([
        createItem({
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

  it('is left out of its list entry if it is a field of the edge', async () => {
    const nodes = [createItem({}), createItem({}, '2'), createItem({}, '3')]
    const data = [
      { rank: '1', note: 'a' },
      { rank: 2, note: 5 },
    ]
    const edges = data.map((data, index) => ({ source: '1', name: 'keeps', target: `${index + 2}`, data }))
    const { get, badValues } = openItems(nodes, edges)
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

describe('a stored value that is not returned', () => {
  const fields = { size: '5', secret: '5', own: '5', title: 5 }

  it('is not reported as a bad value if it is not selected', async () => {
    const { get, badValues } = openItems([createItem(fields)])
    expect(await get('id')).toEqual({ id: '1' })
    expect(badValues()).toEqual([])
  })

  it('is not reported as a bad value if the token lacks the scope of its field', async () => {
    const { graph, get, badValues } = openItems([createItem(fields)])
    const { __debug__: debug } = Object(await get('secret', { debug: 'all' }))
    expect(debug.messages).toHaveLength(1)
    expect(badValues()).toEqual([])
    await callUntyped(graph.getNode, graph.session({ viewer: '1', app: 'tests', scopes: ['secrets'] }), {
      id: '1',
      fields: 'secret',
    })
    expect(badValues()).toEqual([{ type: 'item', field: 'secret', count: 1 }])
  })

  it('is not reported as a bad value if the policy of its field denies it', async () => {
    const { get, badValues } = openItems([
      createItem(fields),
      createItem(fields, '2'),
      createItem(fields, '3'),
    ])
    expect(await get('own', { id: '2', debug: 'all' })).toEqual({ id: '2', __debug__: { messages: [] } })
    expect(badValues()).toEqual([])
    await get('own')
    expect(badValues()).toEqual([{ type: 'item', field: 'own', count: 1 }])
  })

  it('is not reported as a bad value if it is null or undefined', async () => {
    const names = Object.keys(schema.types.item.fields)
    const none = (value: unknown) => Object.fromEntries(names.map(name => [name, value]))
    const { get, badValues } = openItems([
      createItem(none(null)),
      createItem(none(undefined), '2'),
      createItem({}, '3'),
    ])
    const picture = { data: { height: 50, is_silhouette: true, url: '/none.svg', width: 50 } }
    const all = names.filter(name => name !== 'secret').join()
    for (const id of ['1', '2', '3'])
      expect(await get(all, { id })).toEqual({ picture, viewer_keeps: false, id })
    expect(badValues()).toEqual([])
  })
})

describe('a valid stored value', () => {
  it.each([
    ['age', { born: { date: '2999-01-01', show: 'full' } }],
    ['even', { even: 0 }],
    ['owner', { owner: '404' }],
  ])('is not reported as a bad value if the result leaves it out: %s %j', async (name, fields) => {
    const { get, badValues } = openItems([createItem(fields)])
    expect(await get(name)).toEqual({ id: '1' })
    expect(badValues()).toEqual([])
  })

  it('is returned without the members that its object type does not declare', async () => {
    const { get, badValues } = openItems([createItem({ frame: { width: 1, depth: 'x' } })])
    expect(await get('frame')).toEqual({ frame: { width: 1 }, id: '1' })
    expect(badValues()).toEqual([])
  })

  it('is returned as the default picture if it is a picture without sizes', async () => {
    const { get, badValues } = openItems([createItem({ picture: [] })])
    expect(await get('picture{url}')).toEqual({ picture: { data: { url: '/none.svg' } }, id: '1' })
    expect(badValues()).toEqual([])
  })
})

describe('the report of a bad value', () => {
  it('contains neither the id of the node nor the stored value', async () => {
    const nodes = [createItem({ size: 'hunter2', owner: 'hunter2' }, '777001'), createItem({}, '1')]
    const { get, events } = openItems(nodes)
    const result = await get('size,owner', { id: '777001', debug: 'all' })
    const { __debug__: debug } = Object(result)
    expect(debug.messages).toEqual([
      { message: 'Field size of item is left out: its value is not valid', type: 'warning' },
      { message: 'Field owner of item is left out: its value is not valid', type: 'warning' },
    ])
    const random = new Set(['durationMs', 'traceId'])
    const serialized = JSON.stringify([debug, events], (name, value) =>
      random.has(name) ? undefined : value,
    )
    expect(serialized).not.toContain('hunter2')
    expect(serialized).not.toContain('777001')
  })

  it('is not in a result without debug, even with partial', async () => {
    const { get } = openItems([createItem({ size: '5' })])
    expect(await get('size', { partial: true })).toEqual({ id: '1' })
  })
})

describe('an invalid stored time of an edge', () => {
  it('is left out of its list entry and reported as a bad value', async () => {
    const { graph, session, badValues } = openItems(
      [createItem({}), createItem({}, '2')],
      [{ source: '1', name: 'keeps', target: '2', time: '2020-01-01' }],
    )
    const { data } = await graph.getEdge(session, { id: '1', edge: 'keeps', fields: 'since' })
    expect(data).toEqual([{ id: '2' }])
    expect(badValues()).toEqual([{ type: 'item', field: 'since', count: 1 }])
  })
})
