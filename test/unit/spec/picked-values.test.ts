import { createGraph, defineFieldType, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { createHandler } from '../../../src/http/index.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

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

const ask = (text: string, more = {}) => loosely(graph.getMe, token, { fields: text, ...more })
const handler = createHandler(graph)

/** The text that leaves over HTTP. */
const told = async (text: string): Promise<string | undefined> => {
  const url = `/me?fields=${encodeURIComponent(text)}`
  const { body } = await handler.answer({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } })
  return body
}

describe('what is inside of a value', () => {
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
    ['computed{b}', { computed: { b: 2 } }],
  ])('is selected as of a node, in the order asked: %s', async (text, expected) => {
    expect(await ask(text)).toEqual({ ...expected, id: '1' })
    expect(await told(text)).toBe(JSON.stringify({ ...expected, id: '1' }))
  })

  it('is left out with its value', async () => {
    expect(
      await loosely(graph.getNode, token, { id: '2', fields: 'picture{url},sizes{width},frame{color}' }),
    ).toEqual({
      id: '2',
    })
  })

  it('is carried by links', async () => {
    const { items } = await graph.getMe(token, { fields: 'items.limit(1){picture{url},sizes{width}}' })
    const next = new URL(items.paging?.next ?? '', 'http://graph.test')
    expect(next.searchParams.get('fields')).toBe('picture{url},sizes{width}')
  })

  it('that is not there is a fault of its name, with what may have been meant', async () => {
    expect(await faultOf(ask('frame{inner{heigt}}'))).toMatchObject({
      code: 100,
      message: '(#100) Tried accessing nonexisting field (heigt) in inner; did you mean height?',
      data: { reason: 'unknown_field', name: 'heigt', type: 'object', suggestions: ['height'] },
    })
    // A plan is kept, and says the same the next time.
    expect((await faultOf(ask('frame{inner{heigt}}'))).data.suggestions).toEqual(['height'])
  })

  it('that is not there is a message where a partial answer is asked for', async () => {
    expect(await ask('picture{url,ulr}', { partial: true })).toEqual({
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
  ])('is nothing where a value has nothing inside: %s', async (text, parameter) => {
    expect((await faultOf(ask(text))).data).toMatchObject({
      reason: 'bad_parameter',
      parameter,
      expected: 'no list of fields, since there is nothing inside',
    })
  })

  it('takes no modifier but an alias', async () => {
    expect((await faultOf(ask('picture{url.limit(1)}'))).data).toMatchObject({
      reason: 'bad_parameter',
      parameter: 'limit',
    })
  })
})
