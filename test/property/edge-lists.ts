import fc, { type Arbitrary } from 'fast-check'
import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { type IdKind, idKindOf } from '../../src/base/ids.ts'
import { findListFlags } from '../../src/schema/list-flags.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { EdgeKey, EdgeRecord } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { idKinds, idOf, kindOfList } from '../helpers/id-kinds.ts'
import { comparePositions, isWithin, type Position } from '../helpers/naive-graph/positions.ts'
import type { TimeOrder } from '../helpers/naive-graph/world.ts'

/** Returns the id of the owner of the lists. */
const ownerOf = (kind: IdKind): string => toThingId(kind, '1')

/** Returns the id of a node by its digits. */
export const toThingId = (kind: IdKind, digits: string): string => idOf(kind, 'thing', digits)

const TARGETS = ['2', '10', '11', '99', '100', '9007199254740992', '9007199254740993', '9223372036854775807']

/** One of a few times, so that most entries have the same time as other entries. */
export const times = fc.constantFrom(0, 1, 999, 1000, 1999, 2000, 60_000, -1)

export const targets = fc.oneof(fc.constantFrom(...TARGETS), fc.integer({ min: 2, max: 40 }).map(String))

/** Returns entries of digits with targets of a kind. */
export const withTargets = <T extends { readonly target: string }>(
  kind: IdKind,
  entries: readonly T[],
): readonly T[] => entries.map(entry => ({ ...entry, target: toThingId(kind, entry.target) }))

/** The entries of one list, with unique targets of either kind. */
export const lists: Arbitrary<readonly Position[]> = fc
  .tuple(
    idKinds,
    fc.uniqueArray(fc.record({ time: times, target: targets }), {
      selector: ({ target }) => target,
      maxLength: 25,
      size: 'max',
    }),
  )
  .map(([kind, list]) => withTargets(kind, list))

/** The declared orders of the lists. Their keys are the opposites of the times. */
export const DECLARED_ORDERS = {
  top: { by: 'rank' },
  least: { by: 'rank', direction: 'ascending' },
  late: { by: 'at' },
  soon: { by: 'at', direction: 'ascending' },
} as const

/** The fields that order the lists. */
export const KEY_FIELDS = { rank: field.int({ required: true }), at: field.datetime({ required: true }) }

/** Returns the data of an edge, with the keys of its declared orders. */
export const keysOf = ({ time }: Pick<Position, 'time'>) => ({ rank: -time, at: -time })

export type Order = TimeOrder | keyof typeof DECLARED_ORDERS

const TIME_ORDERS: readonly TimeOrder[] = ['reverse_chronological', 'chronological']

/** All orders. */
export const orders = fc.constantFrom<Order>(...TIME_ORDERS, 'top', 'least', 'late', 'soon')

/** The orders with time windows, whose cursors are not encrypted. */
const windowOrders = fc.constantFrom<Order>(...TIME_ORDERS, 'late', 'soon')

/** The options of a page, except for its cursor. */
export type ListOptions = {
  readonly limit: number
  readonly order: Order
  readonly since: number | undefined
  readonly until: number | undefined
}

const boundary = fc.option(fc.constantFrom(0, 1, 2, -1, 60), { nil: undefined, freq: 2 })

/** Options in an order with time windows. */
export const windowOptions: Arbitrary<ListOptions> = fc.record({
  limit: fc.integer({ min: 1, max: 7 }),
  order: windowOrders,
  since: boundary,
  until: boundary,
})

export const listOptions: Arbitrary<ListOptions> = fc.oneof(
  { weight: 2, arbitrary: windowOptions },
  windowOptions.chain(options =>
    fc
      .constantFrom<Order>('top', 'least')
      .map(order => ({ ...options, order, since: undefined, until: undefined })),
  ),
)

/** Returns the position of an entry in an order, and the order by time that sorts these positions. */
const toPosition = (order: Order, { time, target }: Position): Position => {
  const key = Object.hasOwn(DECLARED_ORDERS, order) ? -time : time
  // Adding 0 changes -0 to 0.
  return { time: key + 0, target }
}

const directionOf = (order: Order): TimeOrder =>
  order === 'chronological' || order === 'least' || order === 'soon'
    ? 'chronological'
    : 'reverse_chronological'

/** Returns the targets of a whole list in the requested order and window. */
export const readWholeList = (
  list: readonly Position[],
  { order, since, until }: ListOptions,
): readonly string[] =>
  list
    .map(entry => toPosition(order, entry))
    .filter(({ time }) => isWithin(time, since, until))
    .toSorted((a, b) => comparePositions(directionOf(order), a, b))
    .map(({ target }) => target)

const types = {
  thing: node({
    fields: { title: field.string({ default: true }), count: field.int() },
    edges: {
      likes: edge('thing', { fields: KEY_FIELDS, orders: DECLARED_ORDERS }),
      parts: edge('thing', { order: 'chronological', fields: KEY_FIELDS, orders: DECLARED_ORDERS }),
      kin: edge('thing'),
    },
  }),
}

const SCHEMAS: { readonly [kind in IdKind]: Schema } = {
  digits: defineSchema(types),
  named: defineSchema(types, { ids: 'named' }),
}

export const putNode = (id: string): StoreMutation => ({
  op: 'putNode',
  node: { id, type: 'thing', fields: { title: `thing ${id}`, count: 1 } },
})

/** Returns the mutations that keep an edge in its declared orders. */
export const orderMutations = (key: EdgeKey): readonly StoreMutation[] =>
  Object.entries(DECLARED_ORDERS).map(([order, { by }]) => ({
    op: 'deriveEntry',
    entry: { ...key, name: `${key.name}#${order}`, by: { field: by, factor: 1 } },
  }))

export const putLike = ({ time, target }: Position): readonly StoreMutation[] => {
  const key = { source: ownerOf(idKindOf(target)), name: 'likes', target }
  return [{ op: 'putEdge', edge: { ...key, time, data: keysOf({ time }) } }, ...orderMutations(key)]
}

export const deleteLike = (target: string): readonly StoreMutation[] => {
  const edge = { source: ownerOf(idKindOf(target)), name: 'likes', target }
  return [{ op: 'deleteEdge', edge }, ...orderMutations(edge)]
}

/** Returns the mutations that complete the orders of a store, which tests write without a graph. */
export const completeOrders = (schema: Schema): readonly StoreMutation[] =>
  [...findListFlags(schema).values()].flatMap(({ flags }) => flags).map(flag => ({ op: 'putFlag', flag }))

/** The part of a page that the properties of pages need. */
export type Page = {
  readonly data: readonly { readonly id: string }[]
  readonly paging?: {
    readonly cursors: { readonly before?: string; readonly after?: string }
    readonly previous?: string
    readonly next?: string
  }
}

/** The cursor at which a page begins or ends. */
export type PageBoundary = { readonly after?: string | undefined; readonly before?: string | undefined }

export const printModifiers = (options: object): string =>
  Object.entries(options)
    .map(([name, value]) => (value === undefined ? '' : `.${name}(${value})`))
    .join('')

/** Opens a graph with one list, and returns several ways to read a page of it. */
export const openList = async (list: readonly Position[]) => {
  const store = createMemoryStore()
  const write = (...mutations: readonly StoreMutation[]) => store.write(mutations, { signal: undefined })
  const kind = kindOfList(list)
  const owner = ownerOf(kind)
  // A node with an edge to the owner, so that its lists can also be read one level deeper.
  const above = toThingId(kind, '9000')
  const schema = SCHEMAS[kind]
  const ids = new Set([owner, above, ...list.map(({ target }) => target)])
  const kin: EdgeRecord = { source: above, name: 'kin', target: owner, time: 0 }
  await write(
    ...[...ids].map(putNode),
    ...list.flatMap(putLike),
    { op: 'putEdge', edge: kin },
    ...completeOrders(schema),
  )
  const graph = createGraph(store, { schema })
  const session = graph.session({ viewer: owner, app: 'tests', scopes: [] })
  const call = (options: ListOptions, boundary: PageBoundary): Promise<Page> =>
    graph.getEdge(session, { id: owner, edge: 'likes', ...options, ...boundary, fields: 'title' })
  const below = async (options: ListOptions, boundary: PageBoundary): Promise<Page> => {
    const fields = `likes${printModifiers({ ...options, ...boundary })}{title}`
    return Object.assign({ likes: { data: [] } }, await graph.getNode(session, { id: owner, fields })).likes
  }
  const twiceBelow = async (options: ListOptions, boundary: PageBoundary): Promise<Page> => {
    const fields = `kin{likes${printModifiers({ ...options, ...boundary })}{title}}`
    const result = await graph.getNode(session, { id: above, fields })
    return (
      Object.assign({ kin: { data: [{ likes: { data: [] } }] } }, result).kin.data[0]?.likes ?? { data: [] }
    )
  }
  return { graph, session, write, kind, owner, ways: { call, below, twiceBelow } }
}

export type Way = 'call' | 'below' | 'twiceBelow'
export const WAYS: readonly Way[] = ['call', 'below', 'twiceBelow']

/** Reads a list from its beginning, page by page, until a page has no `next`. */
export async function* iteratePages(
  read: (boundary: PageBoundary) => Promise<Page>,
): AsyncGenerator<Page, void> {
  let where: PageBoundary = {}
  for (;;) {
    const page = await read(where)
    yield page
    if (page.paging?.next === undefined) return
    where = { after: page.paging.cursors.after }
  }
}

export const idsOf = ({ data }: Page): readonly string[] => data.map(({ id }) => id)
