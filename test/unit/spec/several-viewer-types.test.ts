import { createGraph, defineSchema, edge, field, node, parameter } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

/** A schema with two viewer types, whose edges of the same name lead to types with different fields. */
const schema = defineSchema(
  {
    user: node({
      fields: {
        name: field.string({ default: true }),
        size: field.int({
          parameters: { times: parameter.int() },
          resolve: (records, { parameters }) => records.map(() => Number(parameters.times ?? 1)),
        }),
      },
      edges: { items: edge('photo', { order: 'chronological' }) },
    }),
    shop: node({ fields: { size: field.int() }, edges: { items: edge('product') } }),
    photo: node({
      fields: { from: field.ref('user'), frame: field.object({ width: field.int() }) },
      edges: { tags: edge('user') },
    }),
    product: node({
      fields: { from: field.string(), tags: field.string(), frame: field.object({ depth: field.int() }) },
    }),
  },
  { viewers: ['user', 'shop'] },
)

const graph = createGraph(createMemoryStore(), { schema })
await graph.write([
  { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
  { op: 'putNode', node: { id: '2', type: 'shop', fields: { size: 7 } } },
  ...['3', '4'].map(
    id =>
      ({ op: 'putNode', node: { id, type: 'photo', fields: { from: '1', frame: { width: 3 } } } }) as const,
  ),
  ...['5', '6'].map(
    id =>
      ({
        op: 'putNode',
        node: { id, type: 'product', fields: { from: 'Ulm', frame: { depth: 4 } } },
      }) as const,
  ),
  ...['3', '4'].map(
    target =>
      ({ op: 'putEdge', edge: { source: '1', name: 'items', target, time: Number(target) } }) as const,
  ),
  ...['5', '6'].map(
    target =>
      ({ op: 'putEdge', edge: { source: '2', name: 'items', target, time: Number(target) } }) as const,
  ),
])
const user = graph.session({ viewer: '1', app: 'demo' })
const shop = graph.session({ viewer: '2', app: 'demo' })

describe('getMe in a schema with several viewer types', () => {
  it('accepts a nested selection that only one viewer type has, and returns it for that type', async () => {
    const fields = 'items.limit(1){from{name}}'
    expect((await graph.getMe(user, { fields })).items.data).toEqual([
      { from: { name: 'Ada', id: '1' }, id: '3' },
    ])
    expect((await callUntyped(graph.getMe, shop, { fields })) as object).toMatchObject({
      items: { data: [{ id: '6' }] },
    })
  })

  it('accepts a parameter that only one viewer type has, and leaves out the field for the other', async () => {
    expect(await callUntyped(graph.getMe, user, { fields: 'size.times(4)' })).toEqual({ size: 4, id: '1' })
    expect(await callUntyped(graph.getMe, shop, { fields: 'size.times(4)' })).toEqual({ id: '2' })
  })

  it('accepts the member of a field value that only one viewer type has, and rejects an unknown one', async () => {
    const fields = 'items.limit(1){frame{width}}'
    expect((await graph.getMe(user, { fields })).items.data).toEqual([{ frame: { width: 3 }, id: '3' }])
    expect((await callUntyped(graph.getMe, shop, { fields })) as object).toMatchObject({
      items: { data: [{ frame: {}, id: '6' }] },
    })
    expect(
      (await expectGraphError(callUntyped(graph.getMe, user, { fields: 'items{frame{hight}}' }))).reason,
    ).toBe('field_not_found')
  })

  it('rejects a parameter that no viewer type has', async () => {
    expect(
      (await expectGraphError(callUntyped(graph.getMe, user, { fields: 'size.often(4)' }))).toJSON().error
        .error_data,
    ).toMatchObject({
      reason: 'invalid_parameter',
      parameter: 'often',
    })
  })

  it('returns paging links with only the fields that the edge of the viewer supports', async () => {
    const { items } = await graph.getMe(shop, { fields: 'items.limit(1){from{name},tags.limit(1)}' })
    const next = new URL(items.paging?.next ?? '', 'http://graph.test')
    expect(next.searchParams.get('fields')).toBe('id')
    const after = next.searchParams.get('after') ?? ''
    const page = await graph.getEdge(shop, {
      id: '2',
      type: 'shop',
      edge: 'items',
      limit: 1,
      fields: 'id',
      after,
    })
    expect(page.data).toEqual([{ id: '5' }])
  })

  it('accepts a cursor of an edge that has another order at another viewer type', async () => {
    for (const [session, ids] of [
      [user, ['3', '4']],
      [shop, ['6', '5']],
    ] as const) {
      const first = await graph.getMe(session, { fields: 'items.limit(1)' })
      const { after = '' } = first.items.paging?.cursors ?? {}
      const second = await graph.getMe(session, { fields: `items.limit(1).after(${after})` as string })
      expect([first, second].map(({ items }) => (items as typeof first.items).data[0]?.id)).toEqual(ids)
    }
  })

  it('rejects a cursor from the edge of the same name of another viewer type', async () => {
    const { items } = await graph.getMe(shop, { fields: 'items.limit(1)' })
    const { after = '' } = items.paging?.cursors ?? {}
    const fields = `items.limit(1).after(${after})`
    expect((await expectGraphError(callUntyped(graph.getMe, user, { fields }))).data.parameter).toBe('after')
  })
})

describe('the id me in getNodes', () => {
  it('is left out with a message if partial is true and the session has no viewer', async () => {
    const nobody = graph.session({ app: 'demo' })
    expect(await graph.getNodes(nobody, { ids: ['1', 'me'], partial: true })).toEqual({
      1: { name: 'Ada', id: '1' },
      __debug__: {
        messages: [
          {
            message: expect.stringMatching(/^An active access token must be used to query information about/),
            type: 'warning',
          },
        ],
      },
    })
    expect((await expectGraphError(graph.getNodes(nobody, { ids: ['1', 'me'] }))).reason).toBe(
      'viewer_required',
    )
  })
})

describe('an unknown edge', () => {
  it.each([
    ['name', '; name is a field: request it with fields=name', []],
    ['itmes', '; did you mean items?', ['items']],
    ['nothing', '', []],
  ])(
    'gives an error, with a hint only for a field name or a misspelled edge name: edge "%s"',
    async (edge, hint, suggestions) => {
      for (const asking of [
        callUntyped(graph.getEdge, user, { id: '1', edge }),
        callUntyped(graph.hasEdge, user, { id: '1', edge, target: '3' }),
        callUntyped(async () => graph.explain({ type: 'user', edge: edge as 'items' })),
      ]) {
        expect(await expectGraphError(asking)).toMatchObject({
          message: `(#100) Tried accessing nonexisting field (${edge}) on node type (user)${hint}`,
          reason: 'field_not_found',
          data: { name: edge, type: 'user', suggestions },
        })
      }
    },
  )
})

describe('a call with options that change later', () => {
  it('uses the options as they were when it was made', async () => {
    const memory = createMemoryStore()
    const slow = createGraph(
      { ...memory, read: async (request, options) => memory.read(request, options) },
      { schema: schema.extend({}, { versions: ['v1.0', 'v2.0'] }) },
    )
    await slow.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
    const call: { partial?: boolean; fields: string } = { fields: 'name,nmae' }
    const result = callUntyped(slow.getMe, slow.session({ viewer: '1', app: 'demo' }), call)
    call.partial = true
    expect((await expectGraphError(result)).reason).toBe('field_not_found')
  })
})
