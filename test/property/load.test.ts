import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineFieldType } from '../../src/schema/define-field-type.ts'
import type { Field } from '../../src/schema/field.ts'
import { field } from '../../src/schema/field-builders.ts'
import { socialSchema } from '../../src/schema/social/social-schema.ts'
import { createWrittenGraph, faultOf } from '../unit/write/written-graph.ts'
import { settings } from './settings.ts'

type Values = { readonly [name: string]: unknown }
type NodeInput = { readonly id: string; readonly type: string; readonly fields: Values }
type EdgeInput = {
  readonly source: string
  readonly name: string
  readonly target: string
  readonly time: number | string
}
type Line = { readonly node: NodeInput } | { readonly edge: EdgeInput }

const record = <T extends object>(members: { [K in keyof T]: Arbitrary<T[K]> }) =>
  fc.record<T>(members, { noNullPrototype: true })

const time = fc.integer({ min: -8.64e15, max: 8.64e15 })
const datetime = fc.oneof(
  time,
  fc.date({ noInvalidDate: true }).map(date => date.toISOString()),
)
const text = fc.string({ unit: 'binary', maxLength: 12 })
const url = fc.constantFrom('/', '/a?b=c', 'https://example.com/ü', 'mailto:ada@example.com')
const length = fc.integer({ min: 1, max: 4000 })
const size = record({ url, width: length, height: length })
const picture = fc.oneof(size, fc.array(size, { minLength: 1, maxLength: 3 }))
const date = fc
  .date({ min: new Date('1800-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 10))
const birthday = fc.oneof(date, record({ date, show: fc.constantFrom('full', 'year', 'day') }))
const image = record({ source: url, width: length, height: length })

/** Not 1, so that there always is an id without a node. */
const id = fc.bigInt({ min: 2n, max: 2n ** 63n - 1n }).map(String)
const ABSENT = '1'

/** Some of the fields; `name` always, since some types require it. */
const values = (members: { readonly [name: string]: Arbitrary<unknown> }): Arbitrary<Values> =>
  fc.record(
    { name: text, ...members },
    { requiredKeys: 'name' in members ? ['name'] : [], noNullPrototype: true },
  )

const published = { created_time: datetime, from: id, updated_time: datetime, link: url, picture }
const fieldsOf: { readonly [type: string]: Arbitrary<Values> } = {
  user: values({ name: text, email: text, birthday, picture, link: url, updated_time: datetime }),
  page: values({ name: text, about: text, created_time: datetime }),
  group: values({ name: text, description: text, picture }),
  post: fc.record(
    { ...published, message: text, to: id, type: text },
    { requiredKeys: [], noNullPrototype: true },
  ),
  photo: fc.record(
    { ...published, height: length, width: length, images: fc.array(image, { maxLength: 3 }) },
    { requiredKeys: [], noNullPrototype: true },
  ),
  comment: fc.record(
    { created_time: datetime, message: text, from: id, parent: id },
    { requiredKeys: [], noNullPrototype: true },
  ),
}

const node: Arbitrary<NodeInput> = fc
  .constantFrom(...Object.keys(fieldsOf))
  .chain(type => record({ id, type: fc.constant(type), fields: fieldsOf[type] ?? fc.constant({}) }))

/** Every edge that the schema allows between some nodes. */
const edgesAmong = (nodes: readonly NodeInput[]): readonly Omit<EdgeInput, 'time'>[] =>
  nodes.flatMap(({ id: source, type }) =>
    Object.entries(edgesOf(type)).flatMap(([name, { targets }]) =>
      nodes.filter(node => targets.includes(node.type)).map(({ id: target }) => ({ source, name, target })),
    ),
  )

type EdgeOfSchema = {
  readonly targets: readonly string[]
  readonly symmetric: boolean
  readonly inverse: string | undefined
}

const edgesOf = (type: string): { readonly [name: string]: EdgeOfSchema } => {
  const found = Object.entries(socialSchema.types).find(([name]) => name === type)
  if (found === undefined) throw new TypeError(`no type ${type}`)
  return found[1].edges
}

/** Nodes of the social schema and edges among them: all good, nodes first. */
const graph: Arbitrary<readonly Line[]> = fc
  .uniqueArray(node, { minLength: 1, maxLength: 12, selector: ({ id }) => id })
  .chain(nodes => {
    const possible = edgesAmong(nodes)
    const edges =
      possible.length === 0
        ? fc.constant([])
        : fc.array(fc.tuple(fc.constantFrom(...possible), datetime), { maxLength: 20 })
    return edges.map(edges => [
      ...nodes.map(node => ({ node })),
      ...edges.map(([edge, time]) => ({ edge: { ...edge, time } })),
    ])
  })

const linesOf = (lines: readonly unknown[]): string => lines.map(line => `${JSON.stringify(line)}\n`).join('')

const loaded = async (source: Parameters<ReturnType<typeof createWrittenGraph>['load']>[0]) => {
  const { load, store } = createWrittenGraph()
  await load(source, { batch: 5 })
  return [...store.dump()].sort()
}

/** Cuts a text or bytes at the given places, given as shares of its length. */
const cut = <T extends { readonly length: number; slice(start: number, end: number): T }>(
  whole: T,
  shares: readonly number[],
): readonly T[] => {
  const places = [0, ...shares.map(share => Math.floor(share * whole.length)), whole.length].sort(
    (a, b) => a - b,
  )
  return places.slice(1).map((end, index) => whole.slice(places[index] ?? 0, end))
}

describe('a good graph', () => {
  it('loads, and every record of it is counted', () =>
    fc.assert(
      fc.asyncProperty(graph, fc.integer({ min: 1, max: 7 }), async (lines, batch) => {
        const { load, records } = createWrittenGraph()
        const nodes = lines.filter(line => 'node' in line).length
        const counts = await load(lines, { batch })
        expect(counts).toEqual({ nodes, edges: lines.length - nodes, skipped: 0 })
        expect(records().length).toBeGreaterThanOrEqual(nodes)
      }),
      settings(),
    ))

  it('has the mirror of every edge, at the same time', () =>
    fc.assert(
      fc.asyncProperty(graph, async lines => {
        const types = new Map(lines.flatMap(line => ('node' in line ? [[line.node.id, line.node.type]] : [])))
        const dump = await loaded(lines)
        for (const text of dump) {
          const { edge } = JSON.parse(text)
          const spec = edge && edgesOf(types.get(edge.source) ?? '')[edge.name]
          const mirror = spec?.symmetric ? edge.name : spec?.inverse
          if (mirror === undefined) continue
          const mirrored = { source: edge.target, name: mirror, target: edge.source, time: edge.time }
          expect(dump).toContain(`${JSON.stringify({ edge: mirrored })}\n`)
        }
      }),
      settings(),
    ))

  it('is the same loaded again from its dump, and loading the dump where it came from changes nothing', () =>
    fc.assert(
      fc.asyncProperty(graph, async lines => {
        const { load, store } = createWrittenGraph()
        await load(lines)
        const dump = [...store.dump()]
        expect(await loaded(dump)).toEqual(dump.toSorted())
        await load(dump)
        expect([...store.dump()]).toEqual(dump)
      }),
      settings(),
    ))

  it('is the same however its text or its bytes are cut', () =>
    fc.assert(
      fc.asyncProperty(
        graph,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
        async (lines, shares) => {
          const text = linesOf(lines)
          const whole = await loaded(lines)
          expect(await loaded(cut(text, shares))).toEqual(whole)
          expect(await loaded(cut(new TextEncoder().encode(text), shares))).toEqual(whole)
        },
      ),
      settings(),
    ))
})

type Corruption = (line: Line) => unknown

const ofNode =
  (change: (node: NodeInput) => object): Corruption =>
  line =>
    'node' in line ? { node: { ...line.node, ...change(line.node) } } : undefined
const ofEdge =
  (change: object): Corruption =>
  line =>
    'edge' in line ? { edge: { ...line.edge, ...change } } : undefined

/** What makes a good record a bad one; undefined where it does not apply to the record. */
const CORRUPTIONS: readonly Corruption[] = [
  () => null,
  line => ({ ...line, more: 1 }),
  line => ({ ...line, node: {}, edge: {} }),
  ofNode(({ id }) => ({ id: Number(id) })),
  ofNode(({ id }) => ({ id: `0${id}` })),
  ofNode(({ type }) => ({ type: `${type}s` })),
  ofNode(() => ({ type: '__proto__' })),
  ofNode(() => ({ fields: null })),
  ofNode(({ fields }) => ({ fields: { ...fields, colour: 'red' } })),
  ofNode(({ fields }) => ({ fields: { ...fields, picture: { url: '/', width: 0, height: 1 } } })),
  ofNode(({ fields }) => ({ fields: { ...fields, name: '\udfff', message: '\udfff', images: '\udfff' } })),
  ofNode(({ fields }) => ({ fields: { ...fields, name: null, from: null } })),
  ofNode(({ fields }) => ({ fields: { ...fields, age_range: { min: 21 }, viewer_likes: true } })),
  ofEdge({ source: ABSENT }),
  ofEdge({ target: ABSENT }),
  ofEdge({ target: 7 }),
  ofEdge({ name: 'shares' }),
  ofEdge({ name: 'constructor' }),
  ofEdge({ time: undefined }),
  ofEdge({ time: 0.5 }),
  ofEdge({ time: 'soon' }),
  ofEdge({ data: { note: 'x' } }),
]

describe('a graph with one corrupted record', () => {
  it('is refused with its line, and the store is left as it was', () =>
    fc.assert(
      fc.asyncProperty(
        graph,
        graph,
        fc.nat(),
        fc.constantFrom(...CORRUPTIONS.keys()),
        async (before, lines, place, kind) => {
          const at = place % lines.length
          const good = lines[at]
          const bad = good && CORRUPTIONS[kind]?.(good)
          fc.pre(bad !== undefined)
          const { load, store } = createWrittenGraph()
          await load(before)
          const dump = [...store.dump()]
          const isFresh = lines.every(line => !('node' in line) || !linesOf(before).includes(line.node.id))
          fc.pre(isFresh)
          const error = await faultOf(load(lines.with(at, bad as Line)))
          expect(error.data).toMatchObject({ reason: 'invalid_mutation', line: at + 1 })
          expect([...store.dump()]).toEqual(dump)
        },
      ),
      settings(300),
    ))

  it('loads without that record, and those that need it, where faults are skipped', () =>
    fc.assert(
      fc.asyncProperty(graph, fc.nat(), async (lines, place) => {
        const at = place % lines.length
        const bad = lines.with(at, { node: { id: '0', type: 'user', fields: {} } })
        const { load } = createWrittenGraph()
        const { nodes, edges, skipped } = await load(bad, { onFault: () => 'skip' })
        expect(skipped).toBeGreaterThanOrEqual(1)
        expect(nodes + edges + skipped).toBe(lines.length)
      }),
      settings(),
    ))
})

const money = defineFieldType({
  name: 'money',
  expected: 'cents',
  parse: (value: number | string) => (typeof value === 'number' ? `${value}` : value),
  serialize: stored => stored,
})

/** Each type of value, with all that may be written to it. */
const TYPES: readonly (readonly [string, Field, Arbitrary<unknown>])[] = [
  ['string', field.string(), text],
  ['numeric string', field.numericString(), fc.stringMatching(/^[0-9]{1,64}$/)],
  ['bool', field.bool(), fc.boolean()],
  ['int', field.int(), fc.maxSafeInteger()],
  ['float', field.float(), fc.double({ noNaN: true, noDefaultInfinity: true })],
  ['url', field.url(), fc.oneof(url, fc.webUrl())],
  ['datetime', field.datetime(), fc.oneof(datetime, fc.date({ noInvalidDate: true }))],
  ['unixtime', field.unixtime(), time.map(time => Math.trunc(time / 1000))],
  ['birthday', field.birthday(), birthday],
  ['picture', field.picture(), picture],
  ['enum', field.enum(['calm', 'cross']), fc.constantFrom('calm', 'cross')],
  ['list', field.list(field.birthday()), fc.array(birthday)],
  ['map', field.map(field.datetime()), fc.dictionary(text, datetime)],
  [
    'object',
    field.object({ at: field.datetime(), of: field.picture() }),
    fc.record({ at: datetime, of: picture }, { requiredKeys: [] }),
  ],
  ['a type of the author', field.of(money), fc.oneof(fc.integer(), fc.string())],
]

describe('a stored value', () => {
  it.each(TYPES)('may be written again, unchanged: %s', (_, declared, written) => {
    if (declared.kind !== 'value') throw new TypeError('expected a field with a value')
    const { type } = declared
    fc.assert(
      fc.property(written, value => {
        const stored = type.parse(value)
        expect(type.parse(stored)).toEqual(stored)
        expect(type.parse(JSON.parse(JSON.stringify(stored)))).toEqual(JSON.parse(JSON.stringify(stored)))
      }),
      settings(),
    )
  })
})
