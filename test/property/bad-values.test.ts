import fc, { type Arbitrary } from 'fast-check'
import { createGraph, defineFieldType, defineSchema, field, type GraphEvent, node } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { expect, it } from 'vitest'
import type { IdKind } from '../../src/base/ids.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { idKinds, idOf } from '../helpers/id-kinds.ts'
import { createNaiveParsers } from '../helpers/naive-values.ts'
import { createUncheckedStore } from '../helpers/unchecked-store.ts'
import { callUntyped } from '../unit/abuse/expect-graph-error.ts'
import { propertySettings } from './property-settings.ts'

const TODAY = '2014-08-04'

const money = defineFieldType({
  name: 'money',
  expected: 'an amount as "12 EUR"',
  // The pattern alone would also accept a list with one such text.
  parse: (value: string) => (typeof value === 'string' && /^\d+ [A-Z]{3}$/.test(value) ? value : undefined),
  serialize: stored => ({ amount: Number(stored.slice(0, -4)), currency: stored.slice(-3) }),
})

const FIELDS = {
  string: field.string({ required: true }),
  word_of_all: field.enum(['calm', 'cross'], { present: true }),
  time_of_all: field.datetime({ present: true }),
  digits: field.numericString(),
  bool: field.bool(),
  int: field.int(),
  float: field.float(),
  url: field.url(),
  datetime: field.datetime(),
  unixtime: field.unixtime(),
  day: field.date(),
  json: field.json(),
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

const PRESENT = ['word_of_all', 'time_of_all']
type Name = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Name[]
const NAIVE = createNaiveParsers(TODAY)
const types = { item: node({ fields: FIELDS }) }
const SCHEMAS = { digits: defineSchema(types), named: defineSchema(types, { ids: 'named' }) }

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
    '-5.50',
    '5.',
    '0000-01-01',
    '0'.repeat(65),
    '\ud83d',
    '2014-08-03T17:41:09+0000',
  ),
)
const scalar = fc.oneof(number, text, fc.boolean(), fc.constant(null), born, size)

/** Values that are similar to valid values of the types, and any other JSON. */
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
      extra: scalar,
    },
    { requiredKeys: ['width'] },
  ),
  fc.array(fc.record({ day: born, note: text }, { requiredKeys: ['note'] }), { maxLength: 3 }),
  fc.jsonValue(),
)

/** Stored fields with any values. `age` has no stored value, because it shows the stored birthday. */
const stores = fc.dictionary(fc.constantFrom(...NAMES.filter(name => name !== 'age')), stored)

/** One node, or several nodes that are read together, because several rows are formatted column by column. */
const worlds = fc.record({
  nodes: fc.array(stores, { minLength: 1, maxLength: 3 }),
  /** Whether other programs write the nodes, so that a required field may have no value. */
  isReadOnly: fc.boolean(),
})

type World = {
  readonly nodes: readonly { readonly [name: string]: unknown }[]
  readonly isReadOnly: boolean
}

const itemIdOf = (kind: IdKind, index: number): string => idOf(kind, 'item', `${index + 1}`)

const open = async (kind: IdKind, { nodes, isReadOnly }: World) => {
  const events: GraphEvent[] = []
  const unchecked = createUncheckedStore(
    nodes.map((fields, index) => ({ id: itemIdOf(kind, index), type: 'item', fields })),
  )
  const capabilities = { ...unchecked.capabilities, writes: isReadOnly ? ('tokens' as const) : undefined }
  const store = delegateStore(unchecked, { capabilities })
  const now = () => Date.parse(`${TODAY}T12:00:00Z`)
  const graph = createGraph(store, { schema: SCHEMAS[kind], now, onEvent: event => void events.push(event) })
  const ids = nodes.map((_, index) => itemIdOf(kind, index))
  const token = await graph.tokens.issue({ viewer: itemIdOf(kind, 0), app: 'tests' })
  return { graph, ids, token, events }
}

/** Reads the nodes with the naive parsers, and counts the bad values of each field. */
const readNaively = (kind: IdKind, world: World) => {
  const bad = new Map<string, number>()
  const promised = world.isReadOnly ? [...PRESENT, 'string'] : PRESENT
  const nodes = world.nodes.map((fields, index) => {
    const members = NAMES.flatMap(name => {
      const value = fields[name === 'age' ? 'birthday' : name] ?? undefined
      const without = promised.includes(name) ? 'bad' : 'nothing'
      const read = value === undefined ? without : (NAIVE[name]?.(value) ?? 'nothing')
      if (read === 'bad') bad.set(name, (bad.get(name) ?? 0) + 1)
      return typeof read === 'string' ? [] : [[name, read.value] as const]
    })
    const id = itemIdOf(kind, index)
    return [id, { ...Object.fromEntries(members), id }] as const
  })
  return { nodes: Object.fromEntries(nodes), bad: Object.fromEntries(bad) }
}

const countBadValues = (event: GraphEvent | undefined) => {
  const counts = event?.kind === 'query' ? event.badValues : []
  return Object.fromEntries(counts.map(({ field, count }) => [field, count]))
}

it('a stored value is returned if its type allows it, and otherwise omitted and counted', async () => {
  await fc.assert(
    fc.asyncProperty(idKinds, worlds, async (kind, world) => {
      const { graph, ids, token, events } = await open(kind, world)
      const { nodes, bad } = readNaively(kind, world)
      expect(await callUntyped(graph.getNodes, token, { ids, fields: NAMES.join() })).toEqual(nodes)
      expect(countBadValues(events.at(-1))).toEqual(bad)
    }),
    propertySettings(500),
  )
})

it('bad values have the same result and the same counts over HTTP and in-process', async () => {
  await fc.assert(
    fc.asyncProperty(
      idKinds,
      worlds,
      fc.constantFrom('picture{url}', 'objects{note}', 'object{width,of{width}}', ''),
      async (kind, world, inner) => {
        const { graph, ids, token, events } = await open(kind, world)
        const fields = [...NAMES.filter(name => !inner.startsWith(`${name}{`)), inner].filter(Boolean).join()
        const asObjects = await callUntyped(graph.getNodes, token, { ids, fields })
        const counted = countBadValues(events.at(-1))
        const { respond } = createHandler(graph)
        const headers = { authorization: `Bearer ${token}` }
        const url = `/?ids=${ids.join()}&fields=${encodeURIComponent(fields)}`
        expect((await respond({ method: 'GET', url, headers })).body).toBe(JSON.stringify(asObjects))
        expect(countBadValues(events.at(-1))).toEqual(counted)
        expect(counted).toEqual(readNaively(kind, world).bad)
      },
    ),
    propertySettings(200),
  )
})
