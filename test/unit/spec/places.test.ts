import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { faultOf, loosely } from '../abuse/fault-of.ts'

/** Two kinds of viewers, whose edges of one name lead to types that mean other things by their names. */
const schema = defineSchema(
  {
    user: node({
      fields: {
        name: field.string({ default: true }),
        size: field.int({
          parameters: { times: field.int() },
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

describe('what is asked of me, whoever that is', () => {
  it('is asked where one place takes it, and left out where another does not', async () => {
    const fields = 'items.limit(1){from{name}}'
    expect((await graph.getMe(user, { fields })).items.data).toEqual([
      { from: { name: 'Ada', id: '1' }, id: '3' },
    ])
    expect((await loosely(graph.getMe, shop, { fields })) as object).toMatchObject({
      items: { data: [{ id: '6' }] },
    })
  })

  it('may have parameters that only one of them takes', async () => {
    expect(await loosely(graph.getMe, user, { fields: 'size.times(4)' })).toEqual({ size: 4, id: '1' })
    expect(await loosely(graph.getMe, shop, { fields: 'size.times(4)' })).toEqual({ id: '2' })
  })

  it('may be inside of a value that only one of them has', async () => {
    const fields = 'items.limit(1){frame{width}}'
    expect((await graph.getMe(user, { fields })).items.data).toEqual([{ frame: { width: 3 }, id: '3' }])
    expect((await loosely(graph.getMe, shop, { fields })) as object).toMatchObject({
      items: { data: [{ frame: {}, id: '6' }] },
    })
    expect((await faultOf(loosely(graph.getMe, user, { fields: 'items{frame{hight}}' }))).data.reason).toBe(
      'unknown_field',
    )
  })

  it('is at fault where none of them takes it', async () => {
    expect((await faultOf(loosely(graph.getMe, user, { fields: 'size.often(4)' }))).data).toMatchObject({
      reason: 'bad_parameter',
      parameter: 'often',
    })
  })

  it('has links that carry what their own edge takes', async () => {
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

  it('goes on by a cursor of its own edge, though another has another order', async () => {
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

  it('goes on by no cursor of the edge of another', async () => {
    const { items } = await graph.getMe(shop, { fields: 'items.limit(1)' })
    const { after = '' } = items.paging?.cursors ?? {}
    const fields = `items.limit(1).after(${after})`
    expect((await faultOf(loosely(graph.getMe, user, { fields }))).data.parameter).toBe('after')
  })

  it('is a message of several where the token stands for nobody', async () => {
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
    expect((await faultOf(graph.getNodes(nobody, { ids: ['1', 'me'] }))).data.reason).toBe('viewer_missing')
  })
})

describe('an edge that there is not', () => {
  it.each([
    ['name', '; name is a field, which fields=name of the node asks for', []],
    ['itmes', '; did you mean items?', ['items']],
    ['nothing', '', []],
  ])('is told from fields: %s', async (edge, hint, suggestions) => {
    for (const asking of [
      loosely(graph.getEdge, user, { id: '1', edge }),
      loosely(graph.hasEdge, user, { id: '1', edge, target: '3' }),
      loosely(async () => graph.explain({ type: 'user', edge: edge as 'items' })),
    ]) {
      expect(await faultOf(asking)).toMatchObject({
        message: `(#100) Tried accessing nonexisting field (${edge}) on node type (user)${hint}`,
        data: { reason: 'unknown_field', name: edge, type: 'user', suggestions },
      })
    }
  })
})

describe('a call', () => {
  it('answers what was asked, whatever becomes of its options meanwhile', async () => {
    const memory = createMemoryStore()
    const slow = createGraph(
      { ...memory, read: async (wave, options) => memory.read(wave, options) },
      { schema: schema.extend({}, { versions: ['v1.0', 'v2.0'] }) },
    )
    await slow.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
    const call: { partial?: boolean; fields: string } = { fields: 'name,nmae' }
    const answer = loosely(slow.getMe, slow.session({ viewer: '1', app: 'demo' }), call)
    call.partial = true
    expect((await faultOf(answer)).data.reason).toBe('unknown_field')
  })
})
