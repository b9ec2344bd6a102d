import { createGraph, defineFieldType, defineSchema, edge, field, node, type ReadEvent } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { createRawStore } from '../helpers/raw-store.ts'
import { loosely } from '../unit/abuse/fault-of.ts'

const json = defineFieldType({
  name: 'json',
  expected: 'JSON',
  parse: (value: { [name: string]: string }) => value,
  serialize: stored => stored,
})

/** Throws what nobody may see. */
const fragile = defineFieldType({
  name: 'fragile',
  expected: 'text',
  parse: (value: string) => value.toLowerCase(),
  serialize: stored => {
    if (stored.startsWith('x')) throw new Error(`hunter2 ${stored}`)
    return stored
  },
})

const FIELDS = {
  string: field.string(),
  numericstring: field.numericString(),
  bool: field.bool(),
  int: field.int(),
  float: field.float(),
  url: field.url(),
  datetime: field.datetime(),
  unixtime: field.unixtime(),
  birthday: field.birthday(),
  age: field.ageRange({ from: 'birthday' }),
  picture: field.picture(),
  enum: field.enum(['red', 'green']),
  list: field.list(field.int()),
  map: field.map(field.int()),
  object: field.object({ width: field.int({ required: true }), note: field.string() }),
  json: field.of(json),
  fragile: field.of(fragile),
  jsons: field.list(field.of(json)),
  ref: field.ref('item'),
}

const schema = defineSchema({
  item: node({
    fields: FIELDS,
    edges: { items: edge('item', { fields: { rank: field.int() } }) },
  }),
})

const holdingItself = () => {
  const list: unknown[] = []
  const object: { [name: string]: unknown } = { list, width: 'x' }
  // Two ways back at each level: what follows all ways to some depth never ends.
  object.again = object
  object.more = object
  list.push(list, object)
  return { list, object }
}

const nested = (levels: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { inner: value }
  return value
}

class Row {
  width = 'x'
}

/** What no field of the schema can have, and what is not even JSON. */
const HOSTILE: readonly (readonly [name: string, value: unknown])[] = [
  ['a list that holds itself', holdingItself().list],
  ['an object that holds itself', holdingItself().object],
  ['a BigInt', 5n],
  ['a list of BigInt', [5n]],
  ['an object of BigInt', { width: 5n, rank: 5n }],
  ['a function', () => 1],
  ['a list of functions', [() => 1]],
  ['an object with toJSON', { toJSON: () => 'hunter2' }],
  ['a symbol', Symbol('hunter2')],
  ['an instance of a class', new Row()],
  ['an instance without members', new (class {})()],
  ['a Map', new Map([['width', 5]])],
  ['a Set', new Set([5])],
  ['a date', new Date(0)],
  ['a list of holes, as long as there can be', new Array(4_294_967_295)],
  ['a value of 100,000 levels', nested(100_000)],
  ['NaN', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['half of a surrogate pair', '\udc00'],
  ['an object of a text', Object('5')],
  ['a date that is none', new Date(Number.NaN)],
]

/** Reads every field of a node in which each of them is stored so, in this process and over HTTP. */
const readAll = async (stored: unknown) => {
  const events: ReadEvent[] = []
  const fields = Object.fromEntries(Object.keys(FIELDS).map(name => [name, stored]))
  const edges = [{ source: '1', name: 'items', target: '1', data: { rank: stored } }]
  const store = createRawStore([{ id: '1', type: 'item', fields }], edges)
  const graph = createGraph(store, { schema, onRead: event => void events.push(event) })
  const token = await graph.tokens.issue({ viewer: '1', app: 'tests' })
  const expression = Object.keys(FIELDS).join()
  const asObject = await loosely(graph.getMe, token, { fields: expression })
  const { answer } = createHandler(graph)
  const headers = { authorization: `Bearer ${token}` }
  const { body, status } = await answer({ method: 'GET', url: `/me?fields=${expression}`, headers })
  const queries = events.filter(event => event.kind === 'query')
  return { asObject, body, status, badValues: queries.map(({ badValues }) => badValues), graph, token }
}

const named = (names: readonly string[]) => names.map(name => ({ type: 'item', field: name, count: 1 }))

describe('a store that returns what no field can have', () => {
  it.each(HOSTILE)('loses nothing but these fields: %s', async (_, stored) => {
    const { asObject, body, status, badValues } = await readAll(stored)
    const returned = Object.keys(Object(asObject)).filter(name => name !== 'id')
    const left = Object.keys(FIELDS).filter(name => !returned.includes(name))
    // A type of the author has what its `parse` accepts.
    expect(['json', 'fragile']).toEqual(expect.arrayContaining(returned))
    expect(status).toBe(200)
    expect(body).toBe(JSON.stringify(asObject))
    expect(body).not.toContain('hunter2')
    expect(badValues).toEqual([named(left), named(left)])
  })

  it.each(HOSTILE)('loses nothing but these fields of an entry: %s', async (_, stored) => {
    const { graph, token } = await readAll(stored)
    const page = await loosely(graph.getEdge, token, { id: '1', edge: 'items', fields: 'rank' })
    expect(Object(page).data).toEqual([{ id: '1' }])
  })

  it.each([
    ['a Map', new Map([['note', 'x']])],
    ['a date', new Date(0)],
    ['an instance of a class', new Row()],
  ])('loses an object without required members: %s', async (_, stored) => {
    const schema = defineSchema({
      item: node({ fields: { object: field.object({ note: field.string() }), whole: field.bool() } }),
    })
    const store = createRawStore([{ id: '1', type: 'item', fields: { object: stored, whole: true } }])
    const graph = createGraph(store, { schema })
    const session = graph.session({ viewer: '1', app: 'tests' })
    expect(await graph.getMe(session, { fields: 'object,whole' })).toEqual({ whole: true, id: '1' })
  })

  it('shows nothing of what the author of a type throws', async () => {
    const { asObject, body, badValues } = await readAll('xy')
    expect(asObject).toEqual({ string: 'xy', json: 'xy', id: '1' })
    expect(body).toBe(JSON.stringify(asObject))
    expect(badValues[0]?.map(({ field }) => field)).toContain('fragile')
  })
})

describe('a member called __proto__', () => {
  const hostile: unknown = JSON.parse('{"__proto__":{"width":5,"int":5,"note":"hunter2"}}')

  it('gives a node and an object no members', async () => {
    const { asObject, badValues } = await readAll(hostile)
    expect(asObject).toEqual({ json: hostile, id: '1' })
    expect(JSON.stringify(asObject)).toBe(JSON.stringify({ json: hostile, id: '1' }))
    expect(badValues[0]?.map(({ field }) => field)).toContain('object')
    const store = createRawStore([{ id: '1', type: 'item', fields: hostile }])
    const graph = createGraph(store, { schema })
    const session = graph.session({ viewer: '1', app: 'tests' })
    expect(await graph.getMe(session, { fields: 'int,object' })).toEqual({ id: '1' })
  })

  it('is a name like any other in a map', async () => {
    const { asObject } = await readAll(JSON.parse('{"__proto__":5}'))
    expect(JSON.stringify(Object(asObject).map)).toBe('{"__proto__":5}')
    expect(Object.getPrototypeOf(Object(asObject).map)).toBe(Object.prototype)
  })
})
