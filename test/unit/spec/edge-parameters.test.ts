import { createGraph, defineSchema, edge, field, node, parameter } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { countReads } from '../../../src/testing/count-reads.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const schema = defineSchema({
  person: node({
    fields: { name: field.string({ default: true }) },
    edges: {
      photos: edge('photo', {
        parameters: { type: parameter.enum(['tagged', 'uploaded'], { default: 'tagged' }) },
        list: ({ type }) => (type === 'tagged' ? 'photos' : `photos_${type}`),
      }),
      inbox: edge('note', {
        parameters: { unread: parameter.bool(), box: parameter.enum(['in', 'out'], { required: true }) },
        list: ({ unread, box }) => `${box}${unread === undefined ? '' : unread ? '_unread' : '_read'}`,
      }),
      notes: edge('note', {
        fields: { state: field.enum(['open', 'done']), secret: field.string({ scope: 'secrets' }) },
        reads: ['stars'],
        parameters: {
          state: parameter.enum(['open', 'done']),
          stars: parameter.int(),
          since_day: parameter.datetime(),
          author: parameter.id(),
          text: parameter.string(),
        },
        where: ({ data, time, target }, { state, stars, since_day, author, text }) =>
          (state === undefined || data.state === state) &&
          (stars === undefined || Number(target.fields.stars ?? 0) >= stars) &&
          (since_day === undefined || time >= since_day) &&
          (author === undefined || target.id === author) &&
          (text === undefined || JSON.stringify([data, target]).includes(text)),
      }),
    },
  }),
  team: node({
    fields: { name: field.string() },
    edges: { photos: edge('photo'), notes: edge('note', { parameters: { stars: parameter.int() } }) },
  }),
  photo: node({ fields: { name: field.string({ default: true }) } }),
  note: node({ fields: { text: field.string({ default: true }), stars: field.int() } }),
})

const put = (source: string, name: string, target: string, time: number, data?: object): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, ...(data === undefined ? {} : { data: { ...data } }) },
})

const createWorld = () => {
  const store = createMemoryStore()
  store.write([
    { op: 'putNode', node: { id: '1', type: 'person', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: '2', type: 'team', fields: {} } },
    { op: 'putNode', node: { id: '10', type: 'photo', fields: { name: 'Tagged' } } },
    { op: 'putNode', node: { id: '11', type: 'photo', fields: { name: 'Uploaded' } } },
    put('1', 'photos', '10', 1),
    put('1', 'photos_uploaded', '11', 2),
    put('2', 'photos', '11', 3),
    ...Array.from({ length: 10 }, (_, index): StoreMutation[] => [
      {
        op: 'putNode',
        node: { id: `${20 + index}`, type: 'note', fields: { text: `Note ${index}`, stars: index } },
      },
      put('1', 'notes', `${20 + index}`, index * 1000, {
        state: index % 2 === 0 ? 'open' : 'done',
        secret: 'hidden word',
      }),
    ]).flat(),
    put('1', 'in', '20', 1),
    put('1', 'in_unread', '21', 1),
  ])
  const counted = countReads(store)
  const graph = createGraph(counted, { schema })
  return { graph, session: graph.session({ viewer: '1', app: 'demo' }), counted }
}

const { graph, session } = createWorld()
const ada = { id: '1', type: 'person' } as const

const idsOf = (page: { readonly data: readonly { readonly id: string }[] }): readonly string[] =>
  page.data.map(({ id }) => id)

describe('a stored list for each value of a parameter', () => {
  it('is chosen in a call, in an expression and by default', async () => {
    const call = { ...ada, edge: 'photos' } as const
    expect(idsOf(await graph.getEdge(session, call))).toEqual(['10'])
    expect(idsOf(await graph.getEdge(session, { ...call, parameters: { type: 'uploaded' } }))).toEqual(['11'])
    expect(idsOf(await graph.getEdge(session, { ...call, parameters: { type: undefined } }))).toEqual(['10'])
    const { uploaded, photos } = Object(
      await graph.getNode(session, { ...ada, fields: 'photos,photos.type(uploaded).as(uploaded)' }),
    )
    expect([idsOf(photos), idsOf(uploaded)]).toEqual([['10'], ['11']])
  })

  it('is chosen by several parameters, of which one may have no value', async () => {
    const call = { ...ada, edge: 'inbox' } as const
    expect(idsOf(await graph.getEdge(session, { ...call, parameters: { box: 'in' } }))).toEqual(['20'])
    const unread = await graph.getEdge(session, { ...call, parameters: { box: 'in', unread: true } })
    expect(idsOf(unread)).toEqual(['21'])
    const read = await graph.getEdge(session, { ...call, parameters: { box: 'in', unread: false } })
    expect(idsOf(read)).toEqual([])
  })

  it('has its own count, which is read together with the page', async () => {
    const { graph, session, counted } = createWorld()
    const page = await graph.getEdge(session, {
      ...ada,
      edge: 'photos',
      parameters: { type: 'uploaded' },
      summary: true,
    })
    expect(page.summary?.total_count).toBe(1)
    expect(counted.reads.length).toBe(1)
  })

  it('is the list that hasEdge checks', async () => {
    const call = { ...ada, edge: 'photos', target: '11' } as const
    expect(await graph.hasEdge(session, call)).toBe(false)
    expect(await graph.hasEdge(session, { ...call, parameters: { type: 'uploaded' } })).toBe(true)
  })

  it('is read after the source if the lists of several types differ', async () => {
    const read = (id: string) => callUntyped(graph.getEdge, session, { id, edge: 'photos' })
    expect(idsOf(Object(await read('1')))).toEqual(['10'])
    expect(idsOf(Object(await read('2')))).toEqual(['11'])
  })

  it('rejects a parameter that only the edge of another type has', async () => {
    const call = { edge: 'photos', parameters: { type: 'uploaded' } }
    expect(idsOf(Object(await callUntyped(graph.getEdge, session, { ...call, id: '1' })))).toEqual(['11'])
    const error = await expectGraphError(callUntyped(graph.getEdge, session, { ...call, id: '2' }))
    expect(error.data).toMatchObject({
      parameter: 'type',
      expected: 'left out, since photos has no parameters',
    })
  })
})

describe('a filter', () => {
  it.each([
    ['state', { state: 'open' }, ['28', '26', '24', '22', '20']],
    ['a field that reads names', { stars: 7 }, ['29', '28', '27']],
    ['the time of the edge', { since_day: new Date(7500) }, ['29', '28']],
    ['the id of a node', { author: '25' }, ['25']],
    ['several parameters', { state: 'open', stars: 5 }, ['28', '26']],
    ['the data of the edge without fields that have a scope', { text: 'hidden word' }, []],
    ['the target without fields that reads does not name', { text: 'Note' }, []],
  ] as const)('passes entries by %s', async (_, parameters, expected) => {
    expect(idsOf(await graph.getEdge(session, { ...ada, edge: 'notes', parameters }))).toEqual(expected)
  })

  it('does not run without a value, so that the count needs no pass', async () => {
    const { graph, session, counted } = createWorld()
    const page = await graph.getEdge(session, { ...ada, edge: 'notes', summary: true, limit: 2 })
    expect([idsOf(page), page.summary?.total_count]).toEqual([['29', '28'], 10])
    expect(counted.reads.length).toBe(1)
  })

  it('applies to counts, pages in both directions and links', async () => {
    const call = { ...ada, edge: 'notes', limit: 2, summary: true, parameters: { state: 'open' } } as const
    const first = await graph.getEdge(session, call)
    expect([idsOf(first), first.summary?.total_count]).toEqual([['28', '26'], 5])
    expect(first.paging?.next).toMatch(/^\/1\/notes\?limit=2&summary=true&state=open&after=/)
    const { after = '' } = first.paging?.cursors ?? {}
    const second = await graph.getEdge(session, { ...call, after })
    expect(idsOf(second)).toEqual(['24', '22'])
    const { before = '' } = second.paging?.cursors ?? {}
    expect(idsOf(await graph.getEdge(session, { ...call, before }))).toEqual(['28', '26'])
  })

  it.each([0, 3, 9])(
    'fills a page of 25 in at most 3 passes if one entry in ten passes: remainder %i',
    async remainder => {
      const store = createMemoryStore()
      const ids = Array.from({ length: 5000 }, (_, index) => `${index + 100}`)
      store.write([
        { op: 'putNode', node: { id: '1', type: 'person', fields: {} } },
        ...ids.flatMap((id): StoreMutation[] => [
          {
            op: 'putNode',
            node: { id, type: 'note', fields: { stars: Number(id) % 10 === remainder ? 1 : 0 } },
          },
          put('1', 'notes', id, Number(id)),
        ]),
      ])
      const counted = countReads(store)
      const graph = createGraph(counted, { schema })
      const viewer = graph.session({ app: 'demo' })
      const page = await graph.getEdge(viewer, { ...ada, edge: 'notes', parameters: { stars: 1 } })
      expect(page.data).toHaveLength(25)
      expect(counted.reads.length).toBeLessThanOrEqual(3)
    },
  )

  it('applies to hasEdge', async () => {
    const call = { ...ada, edge: 'notes', target: '25' } as const
    expect(await graph.hasEdge(session, { ...call, parameters: { stars: 5 } })).toBe(true)
    expect(await graph.hasEdge(session, { ...call, parameters: { stars: 6 } })).toBe(false)
  })

  it('shares one plan for all values of text, numbers, dates and ids', async () => {
    const fields = (author: string, stars: number) =>
      `notes.author(${author}).stars(${stars}).since_day(1970-01-01){id}`
    for (const [author, stars] of [
      ['25', 1],
      ['26', 2],
    ] as const) {
      const { notes } = Object(
        await callUntyped(graph.getNode, session, { ...ada, fields: fields(author, stars) }),
      )
      expect(idsOf(notes)).toEqual([author])
      expect(notes.paging.next).toBeUndefined()
    }
  })

  it('leaves out and reports an entry for which it throws or returns no boolean', async () => {
    const events: unknown[] = []
    const broken = defineSchema({
      person: node({
        fields: { name: field.string() },
        edges: {
          notes: edge('note', {
            parameters: { kind: parameter.enum(['throws', 'promise'], { default: 'throws' }) },
            where: ({ target }, { kind }) => {
              if (target.id !== '25') return target.id === '24'
              if (kind === 'promise') return Object(Promise.reject(new Error('late')))
              throw new Error('the word is hunter2')
            },
          }),
        },
      }),
      note: node({ fields: { text: field.string() } }),
    })
    const store = createMemoryStore()
    store.write([
      { op: 'putNode', node: { id: '1', type: 'person', fields: {} } },
      ...['24', '25'].flatMap((id): StoreMutation[] => [
        { op: 'putNode', node: { id, type: 'note', fields: {} } },
        put('1', 'notes', id, 1),
      ]),
    ])
    const graph = createGraph(store, { schema: broken, onEvent: event => events.push(event) })
    const viewer = graph.session({ app: 'demo' })
    for (const kind of ['throws', 'promise'] as const) {
      events.length = 0
      const page = await graph.getEdge(viewer, { ...ada, edge: 'notes', parameters: { kind } })
      expect(idsOf(page)).toEqual(['24'])
      expect(events).toContainEqual({
        kind: 'filter',
        method: 'getEdge',
        type: 'person',
        edge: 'notes',
        error: expect.any(Error),
      })
    }
  })
})

describe('a parameter of an edge', () => {
  it.each([
    [{ stat: 'open' }, 'stat', 'a parameter of notes: state, stars, since_day, author, text'],
    [{ state: 'opened' }, 'state', 'one of "open", "done"'],
    [{ stars: '5' }, 'stars', 'an integer of at most 2^53 - 1'],
    [{ author: 'ada' }, 'author', 'a string of at most 19 digits, or "me"'],
    [{ since_day: 'soon' }, 'since_day', 'integer milliseconds, a Date or an ISO 8601 date'],
    [
      JSON.parse('{"__proto__":1}'),
      '__proto__',
      'a parameter of notes: state, stars, since_day, author, text',
    ],
    [{ constructor: 1 }, 'constructor', 'a parameter of notes: state, stars, since_day, author, text'],
  ])('is rejected if it is wrong in a call: %j', async (parameters, parameterName, expected) => {
    const call = callUntyped(graph.getEdge, session, { ...ada, edge: 'notes', parameters })
    const { reason, data } = await expectGraphError(call)
    expect([reason, data.parameter, data.expected]).toEqual(['invalid_parameter', parameterName, expected])
  })

  it.each(['notes.stat(open)', 'notes.stars(x)', 'notes.state(opened)', 'notes.author(ada)', 'inbox'])(
    'is rejected if it is wrong or missing in an expression: %s',
    async fields => {
      const error = await expectGraphError(callUntyped(graph.getNode, session, { ...ada, fields }))
      expect(error.reason).toBe('invalid_parameter')
    },
  )

  it('that is required must be given', async () => {
    const error = await expectGraphError(callUntyped(graph.getEdge, session, { ...ada, edge: 'inbox' }))
    expect(error.data).toMatchObject({ parameter: 'box', expected: 'given, since it is required' })
  })

  it('that is an id is the viewer for me, and an error without a viewer', async () => {
    const call = { ...ada, edge: 'notes', parameters: { author: 'me' } } as const
    const viewer = graph.session({ viewer: '1', app: 'demo' })
    expect(idsOf(await graph.getEdge(viewer, call))).toEqual([])
    const error = await expectGraphError(graph.getEdge(graph.session({ app: 'demo' }), call))
    expect(error.reason).toBe('viewer_required')
  })

  it('makes cursors of other values invalid', async () => {
    const call = { ...ada, edge: 'notes', limit: 2 } as const
    const page = await graph.getEdge(session, { ...call, parameters: { stars: 3 } })
    const { after = '' } = page.paging?.cursors ?? {}
    expect(idsOf(await graph.getEdge(session, { ...call, after, parameters: { stars: 3 } }))).toEqual([
      '27',
      '26',
    ])
    for (const parameters of [{ stars: 4 }, {}, { stars: 3, state: 'open' }] as const) {
      const error = await expectGraphError(graph.getEdge(session, { ...call, after, parameters }))
      expect(error.data).toMatchObject({ parameter: 'after' })
    }
  })
})
