import { createGraph, defineSchema, edge, field, node, parameter } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { updateEdge } from 'kithgraph/update'
import { describe, expect, it } from 'vitest'
import { countReads } from '../../../src/testing/count-reads.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'

const ranked = { rank: field.int({ required: true }), at: field.datetime({ required: true }) }

const schema = defineSchema(
  {
    post: node({
      fields: { title: field.string({ default: true }) },
      edges: {
        comments: edge('comment', {
          fields: { ...ranked, written: field.edgeTime() },
          orders: {
            newest: 'time',
            top: { by: 'rank' },
            flop: { by: 'rank', direction: 'ascending' },
            latest: { by: 'at' },
          },
          order: 'top',
          inverse: 'posts',
        }),
        parts: edge('comment', {
          fields: { rank: field.int({ required: true }) },
          orders: { top: { by: 'rank' } },
          parameters: { kind: parameter.enum(['main', 'other'], { default: 'main' }) },
          list: ({ kind }) => (kind === 'main' ? 'parts' : 'other_parts'),
        }),
      },
    }),
    comment: node({
      fields: { text: field.string({ default: true }) },
      edges: {
        posts: edge('post', { fields: ranked, orders: { top: { by: 'rank' } }, inverse: 'comments' }),
      },
    }),
    reader: node({}),
  },
  { viewers: ['reader'] },
)

const DAY = 86_400_000
/** Comments in the order of their ids: each with its rank and its day. */
const COMMENTS = [
  { id: '10', rank: 3, day: 4 },
  { id: '11', rank: -7, day: 2 },
  { id: '12', rank: 3, day: 9 },
  { id: '13', rank: 8.64e15, day: 1 },
]

const createWorld = async () => {
  const counting = countReads(createMemoryStore())
  const graph = createGraph(counting, { schema })
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'post', fields: { title: 'A' } } },
    ...COMMENTS.flatMap(
      ({ id, rank, day }, index) =>
        [
          { op: 'putNode', node: { id, type: 'comment', fields: { text: `#${id}` } } },
          {
            op: 'putEdge',
            edge: {
              source: '1',
              name: 'comments',
              target: id,
              time: index * 1000,
              data: { rank, at: day * DAY },
            },
          },
        ] as const,
    ),
  ])
  return { graph, counting, session: graph.session({ viewer: '1', app: 'demo' }) }
}

const comments = { id: '1', type: 'post', edge: 'comments' } as const
const idsOf = ({ data }: { readonly data: readonly { readonly id: string }[] }) => data.map(({ id }) => id)

describe('an order of an edge', () => {
  it.each([
    [undefined, ['13', '12', '10', '11']],
    ['top', ['13', '12', '10', '11']],
    ['flop', ['11', '10', '12', '13']],
    ['latest', ['12', '10', '11', '13']],
    ['newest', ['13', '12', '11', '10']],
    ['chronological', ['10', '11', '12', '13']],
  ] as const)('sorts the list: %s', async (order, expected) => {
    const { graph, session } = await createWorld()
    expect(idsOf(await graph.getEdge(session, { ...comments, order }))).toEqual(expected)
  })

  it('is chosen by a modifier, at any depth, with one store read for each level', async () => {
    const { graph, counting, session } = await createWorld()
    await graph.getEdge(session, comments)
    counting.clear()
    const fields = 'comments.order(flop).limit(2){id,posts.order(top){title}}'
    const result = await graph.getNode(session, { id: '1', type: 'post', fields })
    expect(idsOf(result.comments)).toEqual(['11', '10'])
    expect(result.comments.data[0]?.posts?.data).toEqual([{ title: 'A', id: '1' }])
    expect(counting.reads).toHaveLength(3)
  })

  it('has pages in both directions, the count of the whole list, and its name in the summary', async () => {
    const { graph, session } = await createWorld()
    const first = await graph.getEdge(session, { ...comments, order: 'flop', limit: 3, summary: true })
    expect(first.summary).toEqual({ order: 'flop', total_count: 4 })
    const after = first.paging?.cursors.after
    const second = await graph.getEdge(session, { ...comments, order: 'flop', limit: 3, after })
    expect([...idsOf(first), ...idsOf(second)]).toEqual(['11', '10', '12', '13'])
    const before = second.paging?.cursors.before
    expect(idsOf(await graph.getEdge(session, { ...comments, order: 'flop', before }))).toEqual([
      '11',
      '10',
      '12',
    ])
  })

  it('returns the time of the edge as the edge time, and no internal member', async () => {
    const { graph, session } = await createWorld()
    const { data } = await graph.getEdge(session, { ...comments, limit: 1, fields: 'rank,written' })
    expect(data).toEqual([{ rank: 8.64e15, written: '1970-01-01T00:00:03+0000', id: '13' }])
  })

  it('follows each change of the edge, from either side and by a recipe', async () => {
    const { graph, session } = await createWorld()
    const topIds = async () => idsOf(await graph.getEdge(session, comments))
    const at = 0
    await graph.write([
      { op: 'putEdge', edge: { source: '1', name: 'comments', target: '11', data: { rank: 4, at } } },
    ])
    expect(await topIds()).toEqual(['13', '11', '12', '10'])
    await graph.write([
      { op: 'putEdge', edge: { source: '10', name: 'posts', target: '1', data: { rank: 5, at } } },
    ])
    expect(await topIds()).toEqual(['13', '10', '11', '12'])
    await updateEdge(graph, { source: '1', name: 'comments', target: '12' }, draft => {
      draft.rank = 6
    })
    expect(await topIds()).toEqual(['13', '12', '10', '11'])
    await graph.write([{ op: 'deleteEdge', edge: { source: '13', name: 'posts', target: '1' } }])
    expect(await topIds()).toEqual(['12', '10', '11'])
    await graph.write([{ op: 'deleteNode', id: '10' }])
    expect(await topIds()).toEqual(['12', '11'])
  })

  it('belongs to each stored list', async () => {
    const { graph, session } = await createWorld()
    const put = (target: string, kind: 'main' | 'other', rank: number) =>
      ({
        op: 'putEdge',
        edge: { source: '1', name: 'parts', target, parameters: { kind }, data: { rank } },
      }) as const
    await graph.write([
      put('10', 'main', 1),
      put('11', 'main', 2),
      put('12', 'other', 3),
      put('13', 'other', 4),
    ])
    const fields = 'parts.order(top){id},parts.kind(other).order(top).as(others){id}'
    const result = await graph.getNode(session, { id: '1', type: 'post', fields })
    expect([idsOf(result.parts), idsOf(result.others)]).toEqual([
      ['11', '10'],
      ['13', '12'],
    ])
  })
})

describe('the period of a list in an order', () => {
  it('limits the dates of an order by date', async () => {
    const { graph, session } = await createWorld()
    const page = await graph.getEdge(session, {
      ...comments,
      order: 'latest',
      since: new Date(2 * DAY),
      until: new Date(4 * DAY),
    })
    expect(idsOf(page)).toEqual(['10', '11'])
  })

  it.each(['since', 'until'] as const)('is invalid for an order by a number: %s', async option => {
    const { graph, session } = await createWorld()
    const error = await expectGraphError(graph.getEdge(session, { ...comments, [option]: 5 }))
    expect(error.message).toContain(`Invalid parameter "${option}": must be left out`)
    const inExpression = await expectGraphError(
      graph.getNode(session, { id: '1', type: 'post', fields: `comments.order(top).${option}(5)` as string }),
    )
    expect(inExpression.reason).toBe('invalid_parameter')
  })
})

describe('the cursor of an order', () => {
  it('does not contain the values of an order by a number, and has one length', async () => {
    const { graph, session } = await createWorld()
    const lengths = new Set<number | undefined>()
    for (const { id } of COMMENTS) {
      const page = await graph.getEdge(session, { ...comments, limit: 1 })
      lengths.add(page.paging?.cursors.after?.length)
      await graph.write([
        { op: 'deleteEdge', edge: { source: '1', name: 'comments', target: idsOf(page)[0] ?? id } },
      ])
    }
    expect(lengths.size).toBe(1)
  })

  it('is valid for one order only', async () => {
    const { graph, session } = await createWorld()
    for (const order of ['top', 'flop', 'latest', 'newest'] as const) {
      const { paging } = await graph.getEdge(session, { ...comments, order, limit: 1 })
      for (const other of ['top', 'flop', 'latest', 'newest'] as const) {
        if (order === other) continue
        const call = graph.getEdge(session, { ...comments, order: other, after: paging?.cursors.after })
        expect((await expectGraphError(call)).reason).toBe('invalid_parameter')
      }
    }
  })

  it('is valid with and without the type of the source if types order an edge by other fields', async () => {
    const fields = { at: field.datetime({ required: true }), stamp: field.unixtime({ required: true }) }
    const graph = createGraph(createMemoryStore(), {
      schema: defineSchema(
        {
          tag: node({}),
          post: node({ edges: { tags: edge('tag', { fields, orders: { top: { by: 'at' } } }) } }),
          photo: node({ edges: { tags: edge('tag', { fields, orders: { top: { by: 'stamp' } } }) } }),
        },
        { viewers: ['tag'] },
      ),
    })
    const session = graph.session({ viewer: '3', app: 'demo' })
    await graph.write([
      { op: 'putNode', node: { id: '1', type: 'post', fields: {} } },
      { op: 'putNode', node: { id: '2', type: 'photo', fields: {} } },
      ...['3', '4', '5'].map(id => ({ op: 'putNode', node: { id, type: 'tag', fields: {} } }) as const),
      ...['1', '2'].flatMap(source =>
        ['3', '4', '5'].map((target, rank) => {
          const data = { at: rank * DAY, stamp: rank }
          return { op: 'putEdge', edge: { source, name: 'tags', target, data } } as const
        }),
      ),
    ])
    for (const [id, type] of [
      ['1', 'post'],
      ['2', 'photo'],
    ] as const) {
      const untyped = await graph.getEdge(session, { id, edge: 'tags', order: 'top', limit: 1 })
      const after = untyped.paging?.cursors.after
      expect(idsOf(await graph.getEdge(session, { id, type, edge: 'tags', order: 'top', after }))).toEqual([
        '4',
        '3',
      ])
    }
  })
})

describe('the values that order an edge', () => {
  it.each([8.64e15 + 2, -8.64e15 - 2])('are at most 8.64e15: %d', async rank => {
    const { graph } = await createWorld()
    const edge = { source: '1', name: 'comments', target: '10', data: { rank, at: 0 } } as const
    const error = await expectGraphError(graph.write([{ op: 'putEdge', edge }]))
    expect([error.reason, error.data.path]).toEqual(['invalid_mutation', 'edge.data.rank'])
  })
})

describe('an order of a store that already has edges', () => {
  it('is an error until it is complete, and other orders are not', async () => {
    const store = createMemoryStore()
    store.write([
      { op: 'putNode', node: { id: '1', type: 'post', fields: {} } },
      { op: 'putNode', node: { id: '10', type: 'comment', fields: {} } },
      {
        op: 'putEdge',
        edge: { source: '1', name: 'comments', target: '10', time: 0, data: { rank: 1, at: 0 } },
      },
    ])
    const graph = createGraph(store, { schema })
    const session = graph.session({ viewer: '1', app: 'demo' })
    const error = await expectGraphError(graph.getEdge(session, { ...comments, order: 'top' }))
    expect([error.reason, error.message]).toEqual([
      'store_error',
      '(#2) The store does not contain the order top of comments completely; to build it, run npx kithgraph collect URL --schema FILE',
    ])
    expect(idsOf(await graph.getEdge(session, { ...comments, order: 'newest' }))).toEqual(['10'])
    expect(await graph.hasEdge(session, { ...comments, target: '10' })).toBe(true)
  })

  it('is complete if the first write into the empty store had the order', async () => {
    const store = createMemoryStore()
    const writer = createGraph(store, { schema })
    await writer.write([{ op: 'putNode', node: { id: '1', type: 'post', fields: {} } }])
    const reader = createGraph(store, { schema })
    const session = reader.session({ viewer: '1', app: 'demo' })
    expect((await reader.getEdge(session, comments)).data).toEqual([])
  })
})

describe('a declaration of orders', () => {
  const declare = (options: object) => () => edge('user', options as never)
  const fields = {
    rank: field.int({ required: true }),
    note: field.string({ required: true }),
    maybe: field.int(),
  }

  it.each([
    [
      { orders: { top: { by: 'rank' } } },
      '"orders.top.by" must be a required or present int, datetime or unixtime field of the edge',
    ],
    [{ fields, orders: { top: { by: 'note' } } }, '"orders.top.by" must be a required or present int'],
    [{ fields, orders: { top: { by: 'maybe' } } }, '"orders.top.by" must be a required or present int'],
    [
      { fields, orders: { top: 'rank' } },
      '"orders.top" must be "time" or an object with "by"; received "rank"',
    ],
    [{ fields, orders: { chronological: 'time' } }, '"orders.chronological" must be named with'],
    [{ fields, orders: { 'a#b': 'time' } }, '"orders.a#b" must be named with'],
    [
      { fields, orders: { top: { by: 'rank', direction: 'up' } } },
      '"orders.top.direction" must be "descending" or "ascending"',
    ],
    [{ fields, orders: { top: { by: 'rank' } }, order: 'tops' }, '"order" must be one of "top"'],
  ])('is rejected if it is invalid: %#', (options, message) => {
    expect(declare(options)).toThrow(`edge: ${message}`)
  })

  it('needs a store that keeps orders', () => {
    const store = createMemoryStore()
    const capabilities = { ...store.capabilities, collections: false }
    expect(() => createGraph({ ...store, capabilities }, { schema })).toThrow(
      'createGraph: "store" must be a store with the capability "collections"',
    )
  })

  it('by a number needs a secret if the store is shared', () => {
    const store = createMemoryStore()
    const capabilities = { ...store.capabilities, shared: true }
    expect(() => createGraph({ ...store, capabilities }, { schema })).toThrow(
      'createGraph: "secret" must be given',
    )
  })
})
