import fc from 'fast-check'
import { createGraph, defineSchema, edge, field, node, parameter } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { Schema } from '../../src/schema/schema.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { captureOutcome } from '../helpers/call-graph.ts'
import { createFixedPassSizes, overrideScan } from '../helpers/scan-overrides.ts'
import { propertySettings } from './property-settings.ts'

const SHELF = '1'
const BOOKS = ['2', '3', '4', '5', '6', '7']

/** The words `old` and `ancient` choose the same stored list. */
const listNameOf = (kind: unknown, signed: unknown): string =>
  `books${kind === 'new' ? '' : '_old'}${signed === true ? '_signed' : ''}`

/** Each list has all books. */
const LISTS = ['books', 'books_old', 'books_signed', 'books_old_signed']

const schema: Schema = defineSchema({
  shelf: node({
    edges: {
      books: edge('book', {
        fields: { mark: field.string() },
        parameters: {
          kind: parameter.enum(['new', 'old', 'ancient'], { default: 'new' }),
          signed: parameter.bool(),
          mark: parameter.string(),
          from: parameter.int({ default: 0 }),
        },
        list: ({ kind, signed }) => listNameOf(kind, signed),
        where: ({ data, time }, { mark, from }) => (mark ?? data.mark) === data.mark && time >= from,
      }),
    },
  }),
  book: node({ fields: { title: field.string({ default: true }) } }),
})

const mutations: readonly StoreMutation[] = [
  { op: 'putNode', node: { id: SHELF, type: 'shelf', fields: {} } },
  ...BOOKS.flatMap((id, index): StoreMutation[] => [
    { op: 'putNode', node: { id, type: 'book', fields: { title: `book ${id}` } } },
    ...LISTS.map((name): StoreMutation => {
      const data = { mark: index < 2 ? 'red' : 'blue' }
      return { op: 'putEdge', edge: { source: SHELF, name, target: id, time: index, data } }
    }),
  ]),
]

const values = fc.record({
  kind: fc.constantFrom(undefined, 'new', 'old', 'ancient'),
  signed: fc.constantFrom(undefined, true, false),
  mark: fc.constantFrom(undefined, undefined, 'red', 'blue'),
  from: fc.constantFrom(undefined, 0, 1),
})

type Values = typeof values extends fc.Arbitrary<infer T> ? T : never

/** Values that differ in at most one parameter from the first ones. */
const pairs = fc
  .tuple(values, values, fc.constantFrom('kind', 'signed', 'mark', 'from', undefined))
  .map(([one, other, name]) => [one, name === undefined ? other : { ...one, [name]: other[name] }] as const)

/** Returns a text that is equal only for the same values. A given value may equal a default. */
const identify = ({ kind = 'new', signed, mark, from = 0 }: Values): string =>
  JSON.stringify([kind, signed ?? 'none', mark ?? 'none', from])

const printParameters = (given: Values): string =>
  Object.entries(given)
    .map(([name, value]) => (value === undefined ? '' : `.${name}(${value})`))
    .join('')

/** Opens a graph. With `scan`, calls may examine only this many edges, so that pages have encrypted cursors. */
const openShelf = async (scan: number | undefined) => {
  const store = createMemoryStore()
  await store.write(mutations, { signal: undefined })
  const graph = createGraph(store, { schema, limits: { scan }, secret: 'the secret of the tests' })
  overrideScan(graph, { drawUniform: () => 0, passSizes: createFixedPassSizes(1) })
  return { graph, session: graph.session({ viewer: SHELF, app: 'tests', scopes: [] }) }
}

describe('a cursor of a list with parameters', () => {
  it('is valid exactly for the same values of an edge with a filter, given or by default', async () => {
    const seen = { valid: 0, invalid: 0, encrypted: 0 }
    const sides = fc.constantFrom('after', 'before')
    const scans = fc.constantFrom(undefined, undefined, 1)
    await fc.assert(
      fc.asyncProperty(pairs, sides, scans, async ([one, other], side, scan) => {
        const { graph, session } = await openShelf(scan)
        const call = { id: SHELF, edge: 'books', limit: 1 }
        const { paging } = await graph.getEdge(session, { ...call, parameters: one })
        const cursors = paging?.cursors ?? {}
        const cursor = side === 'before' ? (cursors.before ?? cursors.after) : cursors.after
        if (cursor === undefined) return
        const isEqual = identify(one) === identify(other)
        const reads = [
          () => graph.getEdge(session, { ...call, parameters: other, [side]: cursor }),
          () =>
            graph.getNode(session, {
              id: SHELF,
              fields: `books${printParameters(other)}.limit(1).${side}(${cursor})`,
            }),
        ]
        for (const read of reads) {
          const outcome = await captureOutcome(read)
          const isRejected = 'reason' in outcome && outcome.reason === 'invalid_parameter'
          expect(isRejected).toBe(!isEqual)
        }
        seen[isEqual ? 'valid' : 'invalid']++
        if (cursor.includes('.')) seen.encrypted++
      }),
      propertySettings(150),
    )
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(5)
  })
})
