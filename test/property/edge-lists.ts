import fc, { type Arbitrary } from 'fast-check'
import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { Schema } from '../../src/schema/schema.ts'
import type { EdgeRecord, StoreMutation } from '../../src/store/contract.ts'
import { comparePositions, isWithin, type Position } from '../helpers/naive-graph/positions.ts'
import type { Order } from '../helpers/naive-graph/world.ts'

/**
 * The owner of the lists, and a node with an edge to it, so that its lists can also be read one level deeper.
 */
export const OWNER = '1'
export const ABOVE = '9000'

const TARGETS = ['2', '10', '11', '99', '100', '9007199254740992', '9007199254740993', '9223372036854775807']

/** One of a few times, so that most entries have the same time as other entries. */
export const times = fc.constantFrom(0, 1, 999, 1000, 1999, 2000, 60_000, -1)

export const targets = fc.oneof(fc.constantFrom(...TARGETS), fc.integer({ min: 2, max: 40 }).map(String))

/** The entries of one list, with unique targets. */
export const lists: Arbitrary<readonly Position[]> = fc.uniqueArray(
  fc.record({ time: times, target: targets }),
  {
    selector: ({ target }) => target,
    maxLength: 25,
    size: 'max',
  },
)

export const orders = fc.constantFrom<Order>('reverse_chronological', 'chronological')

/** The options of a page, except for its cursor. */
export type ListOptions = {
  readonly limit: number
  readonly order: Order
  readonly since: number | undefined
  readonly until: number | undefined
}

const boundary = fc.option(fc.constantFrom(0, 1, 2, -1, 60), { nil: undefined, freq: 2 })

export const listOptions: Arbitrary<ListOptions> = fc.record({
  limit: fc.integer({ min: 1, max: 7 }),
  order: orders,
  since: boundary,
  until: boundary,
})

/** Returns the targets of a whole list in the requested order and window. */
export const readWholeList = (
  list: readonly Position[],
  { order, since, until }: ListOptions,
): readonly string[] =>
  list
    .filter(({ time }) => isWithin(time, since, until))
    .toSorted((a, b) => comparePositions(order, a, b))
    .map(({ target }) => target)

const schema: Schema = defineSchema({
  thing: node({
    fields: { title: field.string({ default: true }), count: field.int() },
    edges: { likes: edge('thing'), parts: edge('thing', { order: 'chronological' }), kin: edge('thing') },
  }),
})

export const putNode = (id: string): StoreMutation => ({
  op: 'putNode',
  node: { id, type: 'thing', fields: { title: `thing ${id}`, count: 1 } },
})

export const putLike = ({ time, target }: Position): StoreMutation => {
  const edge: EdgeRecord = { source: OWNER, name: 'likes', target, time }
  return { op: 'putEdge', edge }
}

export const deleteLike = (target: string): StoreMutation => ({
  op: 'deleteEdge',
  edge: { source: OWNER, name: 'likes', target },
})

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
  const ids = new Set([OWNER, ABOVE, ...list.map(({ target }) => target)])
  const kin: EdgeRecord = { source: ABOVE, name: 'kin', target: OWNER, time: 0 }
  await write(...[...ids].map(putNode), ...list.map(putLike), { op: 'putEdge', edge: kin })
  const graph = createGraph(store, { schema })
  const session = graph.session({ viewer: OWNER, app: 'tests', scopes: [] })
  const call = (options: ListOptions, boundary: PageBoundary): Promise<Page> =>
    graph.getEdge(session, { id: OWNER, edge: 'likes', ...options, ...boundary, fields: 'title' })
  const below = async (options: ListOptions, boundary: PageBoundary): Promise<Page> => {
    const fields = `likes${printModifiers({ ...options, ...boundary })}{title}`
    return Object.assign({ likes: { data: [] } }, await graph.getNode(session, { id: OWNER, fields })).likes
  }
  const twiceBelow = async (options: ListOptions, boundary: PageBoundary): Promise<Page> => {
    const fields = `kin{likes${printModifiers({ ...options, ...boundary })}{title}}`
    const result = await graph.getNode(session, { id: ABOVE, fields })
    return (
      Object.assign({ kin: { data: [{ likes: { data: [] } }] } }, result).kin.data[0]?.likes ?? { data: [] }
    )
  }
  return { graph, session, write, ways: { call, below, twiceBelow } }
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
