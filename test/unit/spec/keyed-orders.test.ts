import {
  collection,
  createGraph,
  defineSchema,
  type EdgeType,
  edge,
  field,
  isGraphError,
  node,
} from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { toSchemaView } from '../../../src/explorer/schema-view.ts'
import { type KeyedOrders, withKeyedOrders } from '../../../src/schema/keyed-orders.ts'
import { findListFlags } from '../../../src/schema/list-flags.ts'
import { createKeyStore, MICROSECONDS, TEXTS } from '../../helpers/key-store.ts'
import { callUntyped } from '../abuse/expect-graph-error.ts'

const BY_TEXT = { key: 'text', isSecret: false, fingerprint: 'label' } as const
const ORDERS: KeyedOrders = {
  list: BY_TEXT,
  orders: {
    top: { ...BY_TEXT, fingerprint: 'rank', isDescending: true },
    low: { ...BY_TEXT, isSecret: true, fingerprint: 'size', isDescending: false },
  },
}

const defineWith = (orders: KeyedOrders) =>
  defineSchema(
    {
      thing: node({
        fields: { name: field.string() },
        edges: { likes: withKeyedOrders<EdgeType>(edge('thing'), orders) },
      }),
    },
    { viewers: ['thing'], collections: { things: withKeyedOrders<EdgeType>(collection('thing'), orders) } },
  )

const LABELS: { readonly [list: string]: readonly (readonly [target: string, label: string])[] } = {
  likes: [
    ['2', 'a'],
    ['3', 'b'],
    ['4', 'c'],
  ],
  'likes#top': [
    ['2', 'b'],
    ['3', 'c'],
    ['4', 'a'],
  ],
  'likes#low': [
    ['4', 'x'],
    ['2', 'y'],
  ],
}

/** Opens a graph whose store keeps one list for each order, with keys that are texts or microseconds. */
const open = async (orders: KeyedOrders = ORDERS, keys = TEXTS) => {
  const store = createKeyStore(keys)
  await store.write(
    [
      ...['1', '2', '3', '4'].map(
        id => ({ op: 'putNode', node: { id, type: 'thing', fields: {} } }) as const,
      ),
      ...Object.entries(LABELS).flatMap(([name, entries]) =>
        entries.map(
          ([target, label], index) =>
            ({
              op: 'putEdge',
              edge: { source: '1', name, target, time: 0, data: { label, micros: index } },
            }) as const,
        ),
      ),
    ],
    { signal: undefined },
  )
  const graph = createGraph(store, { schema: defineWith(orders), secret: 'the secret of the cursors' })
  const session = graph.session({ viewer: '1', app: 'tests' })
  const page = (options: object) =>
    callUntyped(graph.getEdge, session, {
      id: '1',
      type: 'thing',
      edge: 'likes',
      fields: 'id',
      ...options,
    }) as Promise<{
      data: { id: string }[]
      paging?: { cursors: { before?: string; after?: string }; next?: string }
    }>
  return { graph, session, page }
}

const idsOf = ({ data }: { readonly data: readonly { readonly id: string }[] }) => data.map(({ id }) => id)

const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => isGraphError(error) && error.reason,
  )

describe('an edge with keyed orders', () => {
  it.each([
    [undefined, ['4', '3', '2']],
    ['reverse_chronological', ['4', '3', '2']],
    ['chronological', ['2', '3', '4']],
    ['top', ['3', '2', '4']],
    ['low', ['4', '2']],
  ])('reads the list of the order %s in its direction, forwards and backwards', async (order, expected) => {
    const { page } = await open()
    expect(idsOf(await page({ order }))).toEqual(expected)
    const ids: string[] = []
    let after: string | undefined
    do {
      const { data, paging } = await page({ order, limit: 1, ...(after !== undefined && { after }) })
      ids.push(...data.map(({ id }) => id))
      const { cursors = {}, next } = paging ?? {}
      if (ids.length > 1)
        expect(idsOf(await page({ order, limit: 1, before: cursors.before }))).toEqual([ids.at(-2)])
      after = next === undefined ? undefined : cursors.after
    } while (after !== undefined)
    expect(ids).toEqual(expected)
  })

  it('below a node reads the same lists, ahead too', async () => {
    const { graph, session } = await open()
    const fields = 'likes.order(top){id},likes.order(low).as(low){id}'
    const result = await callUntyped(graph.getMe, session, { fields })
    expect(result).toMatchObject({
      likes: { data: [{ id: '3' }, { id: '2' }, { id: '4' }] },
      low: { data: [{ id: '4' }, { id: '2' }] },
    })
  })

  it('has encrypted cursors only in the orders whose keys are secret', async () => {
    const { page } = await open()
    const isEncrypted = async (order: string) =>
      (await page({ order, limit: 1 })).paging?.cursors.after?.[8] === '.'
    expect(await isEncrypted('top')).toBe(false)
    expect(await isEncrypted('low')).toBe(true)
  })

  it('rejects the cursors of an order whose keys have become others', async () => {
    const { page } = await open()
    const after = (await page({ order: 'top', limit: 1 })).paging?.cursors.after
    const { page: later } = await open({
      ...ORDERS,
      orders: { top: { ...BY_TEXT, fingerprint: 'rank, nulls at the end', isDescending: true } },
    })
    expect(await reasonOf(page({ order: 'top', after }))).toBeUndefined()
    expect(await reasonOf(later({ order: 'top', after }))).toBe('invalid_parameter')
    expect(await reasonOf(page({ after }))).toBe('invalid_parameter')
  })

  it('accepts since and until only in an order by time', async () => {
    const { page } = await open()
    expect(await reasonOf(page({ since: 0 }))).toBe('invalid_parameter')
    expect(await reasonOf(page({ order: 'top', until: 0 }))).toBe('invalid_parameter')
    const byTime = { ...BY_TEXT, key: 'time' } as const
    const timed = await open({ ...ORDERS, list: byTime }, MICROSECONDS)
    expect(idsOf(await timed.page({ since: 0 }))).toEqual(['4', '3', '2'])
    expect(await reasonOf(timed.page({ order: 'top', since: 0 }))).toBe('invalid_parameter')
  })

  it('may have one of its orders by default', async () => {
    const { page } = await open({ ...ORDERS, order: 'top' })
    expect(idsOf(await page({}))).toEqual(['3', '2', '4'])
  })

  it('has its orders in explain, the Explorer and over HTTP', async () => {
    const { graph } = await open()
    expect(() => graph.explain({ type: 'thing', fields: 'likes.order(top){id}' })).not.toThrow()
    expect(() => graph.explain({ type: 'thing', fields: 'likes.order(rank){id}' })).toThrow('"top", "low"')
    const thing = toSchemaView(defineWith(ORDERS), 'v1.0').types.find(({ name }) => name === 'thing')
    expect(thing?.edges[0]).toMatchObject({
      orders: ['chronological', 'reverse_chronological', 'top', 'low'],
      untimedOrders: ['chronological', 'reverse_chronological', 'top', 'low'],
    })
    const token = await graph.tokens.issue({ viewer: '1', app: 'tests' })
    const headers = { authorization: `Bearer ${token}` }
    const url = '/me/likes?order=low&fields=id&limit=1'
    const { body } = await createHandler(graph).respond({ method: 'GET', url, headers })
    expect(JSON.parse(`${body}`)).toMatchObject({ data: [{ id: '4' }] })
  })
})

describe('a collection with keyed orders', () => {
  it('keeps them in a schema, without completion flags', () => {
    const schema = defineWith(ORDERS)
    expect(findListFlags(schema).size).toBe(0)
    expect([...(schema.types.root?.edges.things?.orders.keys() ?? [])]).toEqual([
      'chronological',
      'reverse_chronological',
      'top',
      'low',
    ])
  })
})
