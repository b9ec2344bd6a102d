import fc, { type Arbitrary } from 'fast-check'
import {
  createGraph,
  defineSchema,
  edge,
  field,
  fieldEquals,
  type GraphOptions,
  hasEdgeToViewer,
  node,
  viewerHasEdge,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { DrawUniform } from '../../src/execute/scan-limit.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { Mutation, Store } from '../../src/store/contract.ts'
import { callOf } from '../helpers/links.ts'
import { replaceSeams } from '../helpers/scan-seams.ts'
import { type Asked, modifiersOf, type Page, targets, times, type Where, wholeOf } from './edge-lists.ts'

/** The owner of the list, two whose lists are parts of it, one above all three, and who looks at them. */
export const OWNER = '7001'
export const HALF = '7002'
const NONE = '7003'
const ABOVE = '7000'
const VIEWER = '5000'

/** An entry of the list. What may be seen of a stone all may see; what else is there must be open or befriended. */
export type Entry = {
  readonly time: number
  readonly target: string
  readonly state: 'open' | 'befriended' | 'closed'
}

const typeOf = (target: string) => (['stone', 'soul', 'thing', 'thing'] as const)[Number(BigInt(target) % 4n)]

const isVisible = ({ target, state }: Entry): boolean => typeOf(target) === 'stone' || state !== 'closed'

export const entries: Arbitrary<Entry> = fc.record({
  time: times,
  target: fc.oneof(targets, fc.integer({ min: 2, max: 80 }).map(String)),
  state: fc.constantFrom('open', 'befriended', 'closed', 'closed', 'closed'),
})

/** The entries of one list, most of them hidden. */
export const policedLists: Arbitrary<readonly Entry[]> = fc.uniqueArray(entries, {
  selector: ({ target }) => target,
  maxLength: 50,
  size: 'max',
})

export const visibleIn = (list: readonly Entry[]): readonly Entry[] => list.filter(isVisible)

/** The targets of what may be seen of a list, as it is asked for. */
export const visibleWholeOf = (list: readonly Entry[], asked: Asked): readonly string[] =>
  wholeOf(visibleIn(list), asked)

const likes = edge(['thing', 'soul', 'stone'])

const schema: Schema = defineSchema({
  thing: node({
    policy: [fieldEquals('open', true), viewerHasEdge('friends')],
    fields: { title: field.string({ default: true }), open: field.bool() },
    edges: { friends: edge('thing') },
  }),
  soul: node({
    policy: [hasEdgeToViewer('knows')],
    fields: { title: field.string({ default: true }) },
    edges: { knows: edge('thing') },
  }),
  stone: node({ fields: { title: field.string({ default: true }) } }),
  shelf: node({ edges: { likes, kin: edge('shelf') } }),
})

const putThing = (id: string, open: boolean): Mutation => ({
  op: 'putNode',
  node: { id, type: 'thing', fields: { title: `thing ${id}`, open } },
})

const putEdge = (source: string, name: string, target: string, time = 0): Mutation => ({
  op: 'putEdge',
  edge: { source, name, target, time },
})

/** Sets or takes away the edge that lets the viewer see a node. */
const befriend = (source: string, name: string, target: string, isThere: boolean): Mutation =>
  isThere ? putEdge(source, name, target) : { op: 'deleteEdge', edge: { source, name, target } }

/** Writes the target of an entry, and makes its state what it is to be. */
const putTarget = ({ target, state }: Entry): readonly Mutation[] => {
  const type = typeOf(target) ?? 'stone'
  if (type === 'thing')
    return [putThing(target, state === 'open'), befriend(VIEWER, 'friends', target, state === 'befriended')]
  const put: Mutation = { op: 'putNode', node: { id: target, type, fields: { title: `${type} ${target}` } } }
  return type === 'stone' ? [put] : [put, befriend(target, 'knows', VIEWER, state !== 'closed')]
}

/** Writes an entry with its target. */
export const putEntry = (entry: Entry): readonly Mutation[] => [
  ...putTarget(entry),
  putEdge(OWNER, 'likes', entry.target, entry.time),
]

export const deleteEntry = ({ target }: Entry): Mutation => ({
  op: 'deleteEdge',
  edge: { source: OWNER, name: 'likes', target },
})

const seed = (list: readonly Entry[]): readonly Mutation[] => [
  putThing(VIEWER, true),
  ...[ABOVE, OWNER, HALF, NONE].map(
    (id): Mutation => ({ op: 'putNode', node: { id, type: 'shelf', fields: {} } }),
  ),
  ...list.flatMap(putEntry),
  ...list.flatMap(({ target, time }, index) =>
    index % 2 === 0 ? [putEdge(HALF, 'likes', target, time)] : [],
  ),
  ...[OWNER, HALF, NONE].map(id => putEdge(ABOVE, 'kin', id)),
]

type Opening = {
  readonly limits?: { readonly scan?: number | undefined } | undefined
  /** Whether each page is asked for with its count, as it is unless something else is said. */
  readonly summary?: boolean
  readonly drawUniform?: DrawUniform
  readonly onRead?: GraphOptions['onRead']
  readonly wrap?: ((store: Store) => Store) | undefined
}

/** How a page is asked for: by a call, by the link of the page next to it, or inside of what is asked of other nodes. */
const WAYS = ['call', 'link', 'below', 'beside'] as const

export const ways = fc.constantFrom(...WAYS)

export type PolicedPage = Page & { readonly summary?: { readonly total_count: number } }

/** A graph with one policed list, and the ways to ask for a page of it. */
export const openPolicedList = async (
  list: readonly Entry[],
  { limits, summary = true, drawUniform, onRead, wrap = store => store }: Opening = {},
) => {
  const store = createMemoryStore()
  const write = (...mutations: readonly Mutation[]) => store.write(mutations, { signal: undefined })
  await write(...seed(list))
  const graph = createGraph(wrap(store), { schema, limits, onRead, secret: 'the secret of the tests' })
  if (drawUniform !== undefined) replaceSeams(graph, { drawUniform })
  const session = graph.session({ viewer: VIEWER, app: 'tests', scopes: [] })
  const call = (asked: Asked, where: Where): Promise<PolicedPage> =>
    graph.getEdge(session, { id: OWNER, edge: 'likes', ...asked, ...where, summary, fields: 'title' })
  const likesOf = (asked: Asked, where: Where) =>
    `likes${modifiersOf({ ...asked, ...where, summary })}{title}`
  const below = async (asked: Asked, where: Where): Promise<PolicedPage> => {
    const answer = await graph.getNode(session, { id: OWNER, fields: likesOf(asked, where) })
    return Object.assign({ likes: { data: [] } }, answer).likes
  }
  const beside = async (asked: Asked, where: Where): Promise<PolicedPage> => {
    // A sealed cursor holds for one list alone, so that it cannot be asked of several.
    if (isSealed(where.after ?? where.before)) return below(asked, where)
    const answer = await graph.getNode(session, { id: ABOVE, fields: `kin{${likesOf(asked, where)}}` })
    const sisters: readonly { id: string; likes: PolicedPage }[] = Object(answer).kin.data
    return sisters.find(({ id }) => id === OWNER)?.likes ?? { data: [] }
  }
  const link = async (asked: Asked, where: Where, from: PolicedPage | undefined): Promise<PolicedPage> => {
    const next = where.after === undefined ? from?.paging?.previous : from?.paging?.next
    return next === undefined ? call(asked, where) : graph.getEdge(session, callOf(next))
  }
  const iterate = async (asked: Asked): Promise<readonly string[]> => {
    const ids: string[] = []
    for await (const entry of graph.iterateEdge(session, { id: OWNER, edge: 'likes', ...asked }))
      ids.push(`${entry.id}`)
    return ids
  }
  return { graph, session, write, iterate, ways: { call, link, below, beside } }
}

/** Whether a cursor tells nothing of the place that it stands for. */
export const isSealed = (cursor: string | undefined): boolean => cursor?.includes('.') ?? false

type Opened = Awaited<ReturnType<typeof openPolicedList>>
export type PolicedWay = keyof Opened['ways']

/** Walks a list to its end, from its beginning or from a cursor backwards. */
export async function* walk(
  { ways }: Opened,
  way: PolicedWay,
  asked: Asked,
  from: Where,
): AsyncGenerator<PolicedPage, void> {
  let where: Where | undefined = from
  let page: PolicedPage | undefined
  while (where !== undefined) {
    const read: PolicedPage = await ways[way](asked, where, page)
    yield read
    page = read
    const { next, previous, cursors } = read.paging ?? {}
    const isForward = from.before === undefined
    where =
      (isForward ? next : previous) === undefined
        ? undefined
        : isForward
          ? { after: cursors?.after }
          : { before: cursors?.before }
  }
}

/** All pages of a walk. */
export const pagesOf = async (walked: AsyncGenerator<PolicedPage, void>): Promise<PolicedPage[]> => {
  const pages: PolicedPage[] = []
  for await (const page of walked) pages.push(page)
  return pages
}

/** Scan limits that end within a page or between two, and seeds for what is drawn of them. */
export const scanLimits = fc.record({ scan: fc.integer({ min: 1, max: 20 }), seed: fc.nat() })

/** Where a list is walked from so that all of it is in front, but for its last entry. */
export const endOf = async (list: readonly Entry[], asked: Asked): Promise<string | undefined> => {
  const page = await (await openPolicedList(list)).ways.call({ ...asked, limit: 100 }, {})
  return page.paging?.cursors.after
}
