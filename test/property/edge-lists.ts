import fc, { type Arbitrary } from 'fast-check'
import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { Schema } from '../../src/schema/schema.ts'
import type { EdgeRecord, Mutation } from '../../src/store/contract.ts'
import { comparePlaces, isWithin, type Position } from '../helpers/naive-graph/positions.ts'
import type { Order } from '../helpers/naive-graph/world.ts'

/** The owner of the lists, and a node that leads to it, so that its lists can be asked for a level further down. */
export const OWNER = '1'
export const ABOVE = '9000'

const TARGETS = ['2', '10', '11', '99', '100', '9007199254740992', '9007199254740993', '9223372036854775807']

/** Few times for many entries, so that most tie. */
export const times = fc.constantFrom(0, 1, 999, 1000, 1999, 2000, 60_000, -1)

export const targets = fc.oneof(fc.constantFrom(...TARGETS), fc.integer({ min: 2, max: 40 }).map(String))

/** The entries of one list, each target once. */
export const lists: Arbitrary<readonly Position[]> = fc.uniqueArray(
  fc.record({ time: times, target: targets }),
  {
    selector: ({ target }) => target,
    maxLength: 25,
    size: 'max',
  },
)

export const orders = fc.constantFrom<Order>('reverse_chronological', 'chronological')

/** How a list is asked for, apart from where in it. */
export type Asked = {
  readonly limit: number
  readonly order: Order
  readonly since: number | undefined
  readonly until: number | undefined
}

const boundary = fc.option(fc.constantFrom(0, 1, 2, -1, 60), { nil: undefined, freq: 2 })

export const asked: Arbitrary<Asked> = fc.record({
  limit: fc.integer({ min: 1, max: 7 }),
  order: orders,
  since: boundary,
  until: boundary,
})

/** The targets of a whole list as it is asked for, by looking at all of it. */
export const wholeOf = (list: readonly Position[], { order, since, until }: Asked): readonly string[] =>
  list
    .filter(({ time }) => isWithin(time, since, until))
    .toSorted((a, b) => comparePlaces(order, a, b))
    .map(({ target }) => target)

const schema: Schema = defineSchema({
  thing: node({
    fields: { title: field.string({ default: true }), count: field.int() },
    edges: { likes: edge('thing'), parts: edge('thing', { order: 'chronological' }), kin: edge('thing') },
  }),
})

export const putNode = (id: string): Mutation => ({
  op: 'putNode',
  node: { id, type: 'thing', fields: { title: `thing ${id}`, count: 1 } },
})

export const putLike = ({ time, target }: Position): Mutation => {
  const edge: EdgeRecord = { source: OWNER, name: 'likes', target, time }
  return { op: 'putEdge', edge }
}

export const deleteLike = (target: string): Mutation => ({
  op: 'deleteEdge',
  edge: { source: OWNER, name: 'likes', target },
})

/** A page, as far as the laws of pages go. */
export type Page = {
  readonly data: readonly { readonly id: string }[]
  readonly paging?: {
    readonly cursors: { readonly before?: string; readonly after?: string }
    readonly previous?: string
    readonly next?: string
  }
}

/** Where in a list a page is. */
export type Where = { readonly after?: string | undefined; readonly before?: string | undefined }

export const modifiersOf = (asked: object): string =>
  Object.entries(asked)
    .map(([name, value]) => (value === undefined ? '' : `.${name}(${value})`))
    .join('')

/** A graph with one list, and the ways to ask for a page of it. */
export const openList = async (list: readonly Position[]) => {
  const store = createMemoryStore()
  const write = (...mutations: readonly Mutation[]) => store.write(mutations, { signal: undefined })
  const ids = new Set([OWNER, ABOVE, ...list.map(({ target }) => target)])
  const kin: EdgeRecord = { source: ABOVE, name: 'kin', target: OWNER, time: 0 }
  await write(...[...ids].map(putNode), ...list.map(putLike), { op: 'putEdge', edge: kin })
  const graph = createGraph(store, { schema })
  const session = graph.session({ viewer: OWNER, app: 'tests', scopes: [] })
  const call = (asked: Asked, where: Where): Promise<Page> =>
    graph.getEdge(session, { id: OWNER, edge: 'likes', ...asked, ...where, fields: 'title' })
  const below = async (asked: Asked, where: Where): Promise<Page> => {
    const fields = `likes${modifiersOf({ ...asked, ...where })}{title}`
    return Object.assign({ likes: { data: [] } }, await graph.getNode(session, { id: OWNER, fields })).likes
  }
  const twiceBelow = async (asked: Asked, where: Where): Promise<Page> => {
    const fields = `kin{likes${modifiersOf({ ...asked, ...where })}{title}}`
    const answer = await graph.getNode(session, { id: ABOVE, fields })
    return (
      Object.assign({ kin: { data: [{ likes: { data: [] } }] } }, answer).kin.data[0]?.likes ?? { data: [] }
    )
  }
  return { graph, session, write, ways: { call, below, twiceBelow } }
}

export type Way = 'call' | 'below' | 'twiceBelow'
export const WAYS: readonly Way[] = ['call', 'below', 'twiceBelow']

/** Walks a list from its beginning: one page after another, until there is no `next`. */
export async function* pagesFrom(read: (where: Where) => Promise<Page>): AsyncGenerator<Page, void> {
  let where: Where = {}
  for (;;) {
    const page = await read(where)
    yield page
    if (page.paging?.next === undefined) return
    where = { after: page.paging.cursors.after }
  }
}

export const idsOf = ({ data }: Page): readonly string[] => data.map(({ id }) => id)
