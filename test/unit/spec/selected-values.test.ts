import { createGraph, defineFieldType, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { createHandler } from '../../../src/http/index.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const money = defineFieldType({
  name: 'money',
  expected: 'an amount as "12.50 EUR"',
  parse: (value: string) => value,
  serialize: stored => ({ amount: stored.slice(0, -4), currency: stored.slice(-3), parts: [{ note: 'a' }] }),
})

const size = field.object({ width: field.int({ required: true }), height: field.int() })

const schema = defineSchema({
  item: node({
    fields: {
      name: field.string(),
      born: field.birthday(),
      age: field.ageRange({ from: 'born' }),
      picture: field.picture(),
      sizes: field.list(size),
      grid: field.list(field.list(size)),
      frame: field.object({ inner: size, color: field.enum(['red', 'blue']) }),
      counts: field.map(field.int()),
      price: field.of(money),
      json: field.json(),
      computed: field.object(
        { a: field.int(), b: field.int() },
        {
          resolve: (records: readonly object[]) => records.map(() => ({ a: 1, b: 2 })),
        },
      ),
      again: field.viewerEdge('items'),
    },
    edges: { items: edge('item') },
  }),
})

const fields = {
  name: 'One',
  born: '1990-01-01',
  picture: [
    { url: '/50', width: 50, height: 50 },
    { url: '/200', width: 200, height: 200 },
  ],
  sizes: [{ width: 1, height: 2 }, { width: 3 }],
  grid: [[{ width: 1 }], [], [{ width: 2 }, { width: 3 }]],
  frame: { inner: { width: 5, height: 6 }, color: 'red' as const },
  counts: { a: 1, b: 2 },
  price: '12.50 EUR',
  json: { a: [{ b: 1, c: null }, 2, [{ b: 3 }]], d: { e: {} }, f: 'g' },
}

const graph = createGraph(createMemoryStore(), { schema })
await graph.write([
  { op: 'putNode', node: { id: '1', type: 'item', fields } },
  { op: 'putNode', node: { id: '2', type: 'item', fields: {} } },
  { op: 'putNode', node: { id: '3', type: 'item', fields: {} } },
  { op: 'putEdge', edge: { source: '1', name: 'items', target: '2', time: 1 } },
  { op: 'putEdge', edge: { source: '1', name: 'items', target: '3', time: 2 } },
])
const token = await graph.tokens.issue({ viewer: '1', app: 'demo' })

const readFields = (text: string, options = {}) =>
  callUntyped(graph.getMe, token, { fields: text, ...options })
const handler = createHandler(graph)

/** Returns the body of the response over HTTP. */
const readOverHttp = async (text: string): Promise<string | undefined> => {
  const url = `/me?fields=${encodeURIComponent(text)}`
  const { body } = await handler.respond({
    method: 'GET',
    url,
    headers: { authorization: `Bearer ${token}` },
  })
  return body
}

describe('a selection inside a field value', () => {
  it.each([
    ['picture{url}', { picture: { data: { url: '/50' } } }],
    ['picture.type(large){width,url}', { picture: { data: { width: 200, url: '/200' } } }],
    ['picture.width(60).as(large){url.as(link)}', { large: { data: { link: '/200' } } }],
    ['picture.fields(url)', { picture: { data: { url: '/50' } } }],
    ['age{min}', { age: { min: 21 } }],
    ['age{max}', { age: {} }],
    ['sizes{height}', { sizes: [{ height: 2 }, {}] }],
    ['grid{width}', { grid: [[{ width: 1 }], [], [{ width: 2 }, { width: 3 }]] }],
    ['frame{color,inner{height}}', { frame: { color: 'red', inner: { height: 6 } } }],
    ['counts{b,c,__proto__}', { counts: { b: 2 } }],
    ['price{currency,parts{note},none}', { price: { currency: 'EUR', parts: [{ note: 'a' }] } }],
    ['json{a{b.as(x),c},d{e}}', { json: { a: [{ x: 1, c: null }, [{ x: 3 }]], d: { e: {} } } }],
    ['json{f{g},d{e{h}},none{i},__proto__}', { json: { d: { e: {} } } }],
    ['computed{b}', { computed: { b: 2 } }],
  ])('returns the selected members in the requested order: %s', async (text, expected) => {
    expect(await readFields(text)).toEqual({ ...expected, id: '1' })
    expect(await readOverHttp(text)).toBe(JSON.stringify({ ...expected, id: '1' }))
  })

  it('is left out if the value is absent', async () => {
    expect(
      await callUntyped(graph.getNode, token, { id: '2', fields: 'picture{url},sizes{width},frame{color}' }),
    ).toEqual({
      id: '2',
    })
  })

  it('is kept in paging links', async () => {
    const { items } = await graph.getMe(token, { fields: 'items.limit(1){picture{url},sizes{width}}' })
    const next = new URL(items.paging?.next ?? '', 'http://graph.test')
    expect(next.searchParams.get('fields')).toBe('picture{url},sizes{width}')
  })

  it('rejects an unknown member and suggests a similar name', async () => {
    expect(await expectGraphError(readFields('frame{inner{heigt}}'))).toMatchObject({
      code: 100,
      message: '(#100) Tried accessing nonexisting field (heigt) in inner; did you mean height?',
      reason: 'field_not_found',
      data: { name: 'heigt', type: 'object', suggestions: ['height'] },
    })
    // The plan is in the cache now, and has the same suggestions.
    expect((await expectGraphError(readFields('frame{inner{heigt}}'))).data.suggestions).toEqual(['height'])
  })

  it('gives a message for an unknown member with partial: true', async () => {
    expect(await readFields('picture{url,ulr}', { partial: true })).toEqual({
      picture: { data: { url: '/50' } },
      id: '1',
      __debug__: {
        messages: [
          {
            message: '(#100) Tried accessing nonexisting field (ulr) in picture; did you mean url?',
            type: 'warning',
          },
        ],
      },
    })
  })

  it.each([
    ['name{x}', 'name'],
    ['born{x}', 'born'],
    ['id{x}', 'id'],
    ['again{x}', 'again'],
    ['picture{url{x}}', 'url'],
    ['frame{color{x}}', 'color'],
  ])('is rejected for a value without members: %s', async (text, parameter) => {
    expect((await expectGraphError(readFields(text))).toJSON().error.error_data).toMatchObject({
      reason: 'invalid_parameter',
      parameter,
      expected: 'used without fields, since its value has no fields',
    })
  })

  it('rejects the modifier limit', async () => {
    expect(
      (await expectGraphError(readFields('picture{url.limit(1)}'))).toJSON().error.error_data,
    ).toMatchObject({
      reason: 'invalid_parameter',
      parameter: 'limit',
    })
  })
})
