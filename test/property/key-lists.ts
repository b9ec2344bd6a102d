import fc, { type Arbitrary } from 'fast-check'
import { createGraph, defineSchema, edge, field, fieldEquals, type IdKind, node } from 'kithgraph'
import { compareIds } from '../../src/base/ids.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { EdgeRecord, Store } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { createKeyStore, type KeyOrder, MICROSECONDS, TEXTS } from '../helpers/key-store.ts'
import type { Page, PageBoundary } from './edge-lists.ts'
import { printModifiers } from './edge-lists.ts'

/** An entry of a list whose positions have keys. */
export type KeyEntry = { readonly number: number; readonly value: number; readonly isHidden: boolean }

/** The order of a world by its kind. */
export const ORDERS: { readonly [kind in KeyOrder['kind']]: KeyOrder } = { time: MICROSECONDS, text: TEXTS }

/** What a world with one keyed list is made of. */
export type KeyWorld = {
  readonly ids: IdKind
  readonly kind: KeyOrder['kind']
  readonly entries: readonly KeyEntry[]
  /** Whether the targets have a policy that hides some of them. */
  readonly hasPolicy: boolean
  /** Whether a field of the targets shows the keys, so that cursors are not encrypted. */
  readonly isPublic: boolean
  /** The maximum number of entries that the store returns for a range. */
  readonly maxEntries: number
}

const OWNER = 1
const ABOVE = 9000

export const idOf = (ids: IdKind, number: number): string =>
  ids === 'digits' ? `${number}` : `thing-${number}`

/** Texts with blanks, points and characters of several bytes, in the order of their indexes. */
const labelOf = (value: number): string =>
  [' ', ' a b', '. 1', '1', 'a', 'a ', 'a  b', 'zoe', 'zoé ~', '\u{1F600}'][value % 10] ?? ''

/** One microsecond apart, around a change of the millisecond and around 0. */
const microsOf = (value: number): number => value - 5

/** Entries whose values are mostly one microsecond apart, or equal. */
export const keyEntries: Arbitrary<readonly KeyEntry[]> = fc.uniqueArray(
  fc.record({
    number: fc.oneof(fc.constantFrom(9, 10, 99, 100), fc.integer({ min: 2, max: 40 })),
    value: fc.integer({ min: 0, max: 9 }),
    isHidden: fc.boolean(),
  }),
  { selector: ({ number }) => number, maxLength: 15, size: 'max' },
)

export const keyWorlds = (ids: IdKind, kind: KeyOrder['kind']): Arbitrary<KeyWorld> =>
  fc.record({
    ids: fc.constant(ids),
    kind: fc.constant(kind),
    entries: keyEntries,
    hasPolicy: fc.boolean(),
    isPublic: fc.boolean(),
    maxEntries: fc.constantFrom(1, 3, 1000),
  })

export const dataOf = ({ value }: KeyEntry) => ({ micros: microsOf(value), label: labelOf(value) })

const createSchema = ({ ids, kind, hasPolicy, isPublic }: KeyWorld): Schema =>
  defineSchema(
    {
      thing: node({
        fields: { shown: field.string(), hidden: field.bool({ required: true }) },
        policy: hasPolicy ? [fieldEquals('hidden', false)] : undefined,
        edges: {
          likes: edge('thing', { positionKey: { kind, field: isPublic ? 'shown' : undefined } }),
          kin: edge('thing', { positionKey: { kind } }),
        },
      }),
    },
    { ids },
  )

/** The mutations that add an entry and its target. */
export const addEntry = (ids: IdKind, entry: KeyEntry): readonly StoreMutation[] => {
  const target = idOf(ids, entry.number)
  const likes: EdgeRecord = { source: idOf(ids, OWNER), name: 'likes', target, time: 0, data: dataOf(entry) }
  return [putThing(ids, entry.number, entry.isHidden), { op: 'putEdge', edge: likes }]
}

const putThing = (ids: IdKind, number: number, hidden: boolean): StoreMutation => ({
  op: 'putNode',
  node: { id: idOf(ids, number), type: 'thing', fields: { hidden } },
})

/** Returns the visible ids of a list, the largest key first. */
export const listIds = ({
  ids,
  kind,
  entries,
  hasPolicy,
}: Omit<KeyWorld, 'maxEntries' | 'isPublic'>): readonly string[] => {
  const keyOf = (entry: KeyEntry) => (kind === 'time' ? dataOf(entry).micros : dataOf(entry).label)
  const ascending = (a: KeyEntry, b: KeyEntry): number => {
    const [first, second] = [keyOf(a), keyOf(b)]
    if (first !== second) return first < second ? -1 : 1
    return compareIds(idOf(ids, a.number), idOf(ids, b.number))
  }
  return entries
    .filter(({ isHidden }) => !hasPolicy || !isHidden)
    .toSorted((a, b) => ascending(b, a))
    .map(({ number }) => idOf(ids, number))
}

/** The options of a page. */
export type KeyPageOptions = {
  readonly limit: number
  readonly order: 'chronological' | 'reverse_chronological'
}

/** Opens a world, and returns several ways to read a page of its list. */
export const openKeyWorld = async (
  world: KeyWorld,
  { store, scan }: { readonly store?: Store | undefined; readonly scan?: number | undefined } = {},
) => {
  const { ids, kind, entries, maxEntries } = world
  const keyStore = store ?? createKeyStore(ORDERS[kind], { maxEntries })
  const write = (...mutations: readonly StoreMutation[]) => keyStore.write(mutations, { signal: undefined })
  await write(
    putThing(ids, OWNER, false),
    putThing(ids, ABOVE, false),
    ...entries.flatMap(entry => addEntry(ids, entry)),
    { op: 'putEdge', edge: { source: idOf(ids, ABOVE), name: 'kin', target: idOf(ids, OWNER), time: 0 } },
  )
  const graph = createGraph(keyStore, {
    schema: createSchema(world),
    secret: 'a secret of the cursors',
    ...(scan !== undefined && { limits: { scan } }),
  })
  const session = graph.session({ viewer: idOf(ids, OWNER), app: 'tests', scopes: [] })
  const call = (options: KeyPageOptions, boundary: PageBoundary): Promise<Page> =>
    graph.getEdge(session, { id: idOf(ids, OWNER), edge: 'likes', ...options, ...boundary, fields: 'id' })
  const twiceBelow = async (options: KeyPageOptions, boundary: PageBoundary): Promise<Page> => {
    const fields = `kin{likes${printModifiers({ ...options, ...boundary })}{id}}`
    const result = await graph.getNode(session, { id: idOf(ids, ABOVE), fields })
    return (
      Object.assign({ kin: { data: [{ likes: { data: [] } }] } }, result).kin.data[0]?.likes ?? { data: [] }
    )
  }
  return { graph, session, write, owner: idOf(ids, OWNER), ways: { call, twiceBelow } }
}
