import { createGraph, defineFieldType, defineSchema, edge, field, type GraphEvent, node } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { createUncheckedStore } from '../helpers/unchecked-store.ts'
import { callUntyped } from '../unit/abuse/expect-graph-error.ts'

const json = defineFieldType({
  name: 'json',
  expected: 'JSON',
  parse: (value: { [name: string]: string }) => value,
  serialize: stored => stored,
})

/** A field type whose error has a secret in its message. */
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

const createCircularValue = () => {
  const list: unknown[] = []
  const object: { [name: string]: unknown } = { list, width: 'x' }
  // Each level refers to the object twice, so that the number of paths grows exponentially with their depth.
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

/** Values that no field of the schema can have, most of them not JSON. */
const HOSTILE: readonly (readonly [name: string, value: unknown])[] = [
  ['a list that contains itself', createCircularValue().list],
  ['an object that contains itself', createCircularValue().object],
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
  ['a sparse list of the maximum length', new Array(4_294_967_295)],
  ['a value of 100,000 levels', nested(100_000)],
  ['NaN', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['half of a surrogate pair', '\udc00'],
  ['a String object', Object('5')],
  ['an invalid date', new Date(Number.NaN)],
]

/** Stores a value in every field of a node, and reads all fields in-process and over HTTP. */
const readAll = async (stored: unknown) => {
  const events: GraphEvent[] = []
  const fields = Object.fromEntries(Object.keys(FIELDS).map(name => [name, stored]))
  const edges = [{ source: '1', name: 'items', target: '1', data: { rank: stored } }]
  const store = createUncheckedStore([{ id: '1', type: 'item', fields }], edges)
  const graph = createGraph(store, { schema, onEvent: event => void events.push(event) })
  const token = await graph.tokens.issue({ viewer: '1', app: 'tests' })
  const expression = Object.keys(FIELDS).join()
  const asObject = await callUntyped(graph.getMe, token, { fields: expression })
  const { respond } = createHandler(graph)
  const headers = { authorization: `Bearer ${token}` }
  const { body, status } = await respond({ method: 'GET', url: `/me?fields=${expression}`, headers })
  const queries = events.filter(event => event.kind === 'query')
  return { asObject, body, status, badValues: queries.map(({ badValues }) => badValues), graph, token }
}

const countBadValues = (names: readonly string[]) =>
  names.map(name => ({ type: 'item', field: name, count: 1 }))

describe('a result from a store with values that their field types do not allow', () => {
  it.each(HOSTILE)('omits only the fields with such values: %s', async (_, stored) => {
    const { asObject, body, status, badValues } = await readAll(stored)
    const returned = Object.keys(Object(asObject)).filter(name => name !== 'id')
    const omitted = Object.keys(FIELDS).filter(name => !returned.includes(name))
    // Only custom types may return such values, because their `parse` decides which values are valid.
    expect(['json', 'fragile']).toEqual(expect.arrayContaining(returned))
    expect(status).toBe(200)
    expect(body).toBe(JSON.stringify(asObject))
    expect(body).not.toContain('hunter2')
    expect(badValues).toEqual([countBadValues(omitted), countBadValues(omitted)])
  })

  it.each(HOSTILE)('omits only the edge fields with such values from an entry: %s', async (_, stored) => {
    const { graph, token } = await readAll(stored)
    const page = await callUntyped(graph.getEdge, token, { id: '1', edge: 'items', fields: 'rank' })
    expect(Object(page).data).toEqual([{ id: '1' }])
  })

  it.each([
    ['a Map', new Map([['note', 'x']])],
    ['a date', new Date(0)],
    ['an instance of a class', new Row()],
  ])(
    'omits an instance of a class, even for field.object without required members: %s',
    async (_, stored) => {
      const schema = defineSchema({
        item: node({ fields: { object: field.object({ note: field.string() }), whole: field.bool() } }),
      })
      const store = createUncheckedStore([{ id: '1', type: 'item', fields: { object: stored, whole: true } }])
      const graph = createGraph(store, { schema })
      const session = graph.session({ viewer: '1', app: 'tests' })
      expect(await graph.getMe(session, { fields: 'object,whole' })).toEqual({ whole: true, id: '1' })
    },
  )

  it('does not contain the error that a field type throws', async () => {
    const { asObject, body, badValues } = await readAll('xy')
    expect(asObject).toEqual({ string: 'xy', json: 'xy', id: '1' })
    expect(body).toBe(JSON.stringify(asObject))
    expect(badValues[0]?.map(({ field }) => field)).toContain('fragile')
  })
})

describe('a member called __proto__', () => {
  const hostile: unknown = JSON.parse('{"__proto__":{"width":5,"int":5,"note":"hunter2"}}')

  it('adds no member to a node or an object', async () => {
    const { asObject, badValues } = await readAll(hostile)
    expect(asObject).toEqual({ json: hostile, id: '1' })
    expect(JSON.stringify(asObject)).toBe(JSON.stringify({ json: hostile, id: '1' }))
    expect(badValues[0]?.map(({ field }) => field)).toContain('object')
    const store = createUncheckedStore([{ id: '1', type: 'item', fields: hostile }])
    const graph = createGraph(store, { schema })
    const session = graph.session({ viewer: '1', app: 'tests' })
    expect(await graph.getMe(session, { fields: 'int,object' })).toEqual({ id: '1' })
  })

  it('is an ordinary key of a map', async () => {
    const { asObject } = await readAll(JSON.parse('{"__proto__":5}'))
    expect(JSON.stringify(Object(asObject).map)).toBe('{"__proto__":5}')
    expect(Object.getPrototypeOf(Object(asObject).map)).toBe(Object.prototype)
  })
})
