import fc, { type Arbitrary } from 'fast-check'
import { createGraph, defineFieldType, defineSchema, field, node, type ReadEvent } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { expect, it } from 'vitest'
import { naiveReads } from '../helpers/naive-values.ts'
import { createRawStore } from '../helpers/raw-store.ts'
import { loosely } from '../unit/abuse/fault-of.ts'
import { settings } from './settings.ts'

const TODAY = '2014-08-04'

const money = defineFieldType({
  name: 'money',
  expected: 'an amount as "12 EUR"',
  // A pattern alone would accept a list of one such text.
  parse: (value: string) => (typeof value === 'string' && /^\d+ [A-Z]{3}$/.test(value) ? value : undefined),
  serialize: stored => ({ amount: Number(stored.slice(0, -4)), currency: stored.slice(-3) }),
})

const FIELDS = {
  string: field.string({ required: true }),
  digits: field.numericString(),
  bool: field.bool(),
  int: field.int(),
  float: field.float(),
  url: field.url(),
  datetime: field.datetime(),
  unixtime: field.unixtime(),
  birthday: field.birthday(),
  age: field.ageRange(),
  picture: field.picture(),
  word: field.enum(['calm', 'cross']),
  list: field.list(field.datetime()),
  map: field.map(field.int()),
  object: field.object({ width: field.int({ required: true }), at: field.datetime(), of: field.picture() }),
  objects: field.list(field.object({ day: field.birthday(), note: field.string({ required: true }) })),
  money: field.of(money),
}

type Name = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Name[]
const NAIVE = naiveReads(TODAY)
const schema = defineSchema({ item: node({ fields: FIELDS }) })

const size = fc.record({ url: fc.constantFrom('/a', 'b', ''), width: fc.nat(200), height: fc.nat(200) })
const day = fc.constantFrom(
  '1990-12-10',
  '2000-02-29',
  '2001-02-29',
  '1999-08-04',
  '2001-08-05',
  '1990-13-01',
)
const born = fc.oneof(day, fc.record({ date: day, show: fc.constantFrom('full', 'year', 'day', 'all') }))
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(2 ** 53 - 1, 2 ** 53, 8.64e15, 8.64e15 + 2, 8.64e12, 8.64e12 + 1, -1, 0.5),
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.webUrl(),
  fc.stringMatching(/^https?:\/\/[a-z0-9.-]{1,12}\/?[a-z]{0,3}$/),
  fc.constantFrom(
    'calm',
    'cross',
    'gone',
    '5 EUR',
    '5',
    '0'.repeat(65),
    '\ud83d',
    '2014-08-03T17:41:09+0000',
  ),
)
const scalar = fc.oneof(number, text, fc.boolean(), fc.constant(null), born, size)

/** Values near to those of the types, and any JSON. */
const stored: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.array(number, { maxLength: 3 }),
  fc.array(size, { maxLength: 3 }),
  fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), number, { maxKeys: 3 }),
  fc.record(
    {
      width: fc.oneof(number, scalar),
      at: fc.oneof(number, scalar),
      of: fc.oneof(size, scalar),
      more: scalar,
    },
    { requiredKeys: ['width'] },
  ),
  fc.array(fc.record({ day: born, note: text }, { requiredKeys: ['note'] }), { maxLength: 3 }),
  fc.jsonValue(),
)

/** A node of any stored values; of the fields that show the same stored value, one. */
const stores = fc.dictionary(fc.constantFrom(...NAMES.filter(name => name !== 'age')), stored)

/** Some nodes, read at once or one alone: many rows are read by the column. */
const worlds = fc.array(stores, { minLength: 1, maxLength: 3 })

type World = readonly { readonly [name: string]: unknown }[]

const open = async (world: World) => {
  const events: ReadEvent[] = []
  const store = createRawStore(world.map((fields, index) => ({ id: `${index + 1}`, type: 'item', fields })))
  const now = () => Date.parse(`${TODAY}T12:00:00Z`)
  const graph = createGraph(store, { schema, now, onRead: event => void events.push(event) })
  const ids = world.map((_, index) => `${index + 1}`)
  const token = await graph.tokens.issue({ viewer: '1', app: 'tests' })
  return { graph, ids, token, events }
}

/** What the naive functions return of the nodes, and how many values of each field are bad. */
const naively = (world: World) => {
  const bad = new Map<string, number>()
  const nodes = world.map((fields, index) => {
    const members = NAMES.flatMap(name => {
      const value = fields[name === 'age' ? 'birthday' : name] ?? undefined
      const read = value === undefined ? 'nothing' : (NAIVE[name]?.(value) ?? 'nothing')
      if (read === 'bad') bad.set(name, (bad.get(name) ?? 0) + 1)
      return typeof read === 'string' ? [] : [[name, read.value] as const]
    })
    return [`${index + 1}`, { ...Object.fromEntries(members), id: `${index + 1}` }] as const
  })
  return { nodes: Object.fromEntries(nodes), bad: Object.fromEntries(bad) }
}

const countsOf = (event: ReadEvent | undefined) => {
  const counts = event?.kind === 'query' ? event.badValues : []
  return Object.fromEntries(counts.map(({ field, count }) => [field, count]))
}

it('each stored value is returned as its type says, or left out and counted, whatever it is', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async world => {
      const { graph, ids, token, events } = await open(world)
      const { nodes, bad } = naively(world)
      expect(await loosely(graph.getNodes, token, { ids, fields: NAMES.join() })).toEqual(nodes)
      expect(countsOf(events.at(-1))).toEqual(bad)
    }),
    settings(500),
  )
})

it('text and objects are equal to the byte, and so is what is counted', async () => {
  await fc.assert(
    fc.asyncProperty(
      worlds,
      fc.constantFrom('picture{url}', 'objects{note}', 'object{width,of{width}}', ''),
      async (world, inner) => {
        const { graph, ids, token, events } = await open(world)
        const fields = [...NAMES.filter(name => !inner.startsWith(`${name}{`)), inner].filter(Boolean).join()
        const asObjects = await loosely(graph.getNodes, token, { ids, fields })
        const counted = countsOf(events.at(-1))
        const { answer } = createHandler(graph)
        const headers = { authorization: `Bearer ${token}` }
        const url = `/?ids=${ids.join()}&fields=${encodeURIComponent(fields)}`
        expect((await answer({ method: 'GET', url, headers })).body).toBe(JSON.stringify(asObjects))
        expect(countsOf(events.at(-1))).toEqual(counted)
        expect(counted).toEqual(naively(world).bad)
      },
    ),
    settings(200),
  )
})
