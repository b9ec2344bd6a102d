import fc from 'fast-check'
import {
  createGraph,
  defineSchema,
  edge,
  field,
  fieldEquals,
  type GraphOptions,
  hasEdgeToViewer,
  node,
  parameter,
  viewerHasEdge,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { type IdKind, idKindOf } from '../../src/base/ids.ts'
import type { DrawUniform } from '../../src/read/scan-limit.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { EdgeRecord, Store } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { idOf, kindOfList } from '../helpers/id-kinds.ts'
import { parseLink } from '../helpers/links.ts'
import { overrideScan } from '../helpers/scan-overrides.ts'
import {
  completeOrders,
  DECLARED_ORDERS,
  KEY_FIELDS,
  keysOf,
  orderMutations,
  type Page,
  type PageBoundary,
  printModifiers,
} from './edge-lists.ts'
import { type Entry, type PolicyListOptions, typeOf } from './policy-entries.ts'

/** Returns the ids of a kind of the nodes that are not in the list. */
const createNodeIds = (kind: IdKind) => ({
  /** The owner of the list. */
  owner: idOf(kind, 'shelf', '7001'),
  /** A node with every second entry of the list. */
  half: idOf(kind, 'shelf', '7002'),
  /** A node with an empty list. */
  none: idOf(kind, 'shelf', '7003'),
  /** A node with edges to the three nodes above. */
  above: idOf(kind, 'shelf', '7000'),
  viewer: idOf(kind, 'thing', '5000'),
})

const NODE_IDS: { readonly [kind in IdKind]: ReturnType<typeof createNodeIds> } = {
  digits: createNodeIds('digits'),
  named: createNodeIds('named'),
}

const likes = edge(['thing', 'soul', 'stone'], {
  fields: { mark: field.string(), ...KEY_FIELDS },
  orders: DECLARED_ORDERS,
  parameters: { mark: parameter.string() },
  where: ({ data }, { mark }) => data.mark === mark,
})

const types = {
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
}

const SCHEMAS: { readonly [kind in IdKind]: Schema } = {
  digits: defineSchema(types),
  named: defineSchema(types, { ids: 'named' }),
}

const putThing = (id: string, open: boolean): StoreMutation => ({
  op: 'putNode',
  node: { id, type: 'thing', fields: { title: `thing ${id}`, open } },
})

const putEdge = (
  source: string,
  name: string,
  target: string,
  time = 0,
  data?: EdgeRecord['data'],
): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data },
})

/** Puts or deletes the edge that makes a node visible to the viewer. */
const setFriendEdge = (source: string, name: string, target: string, exists: boolean): StoreMutation =>
  exists ? putEdge(source, name, target) : { op: 'deleteEdge', edge: { source, name, target } }

/** Creates the mutations that write the target of an entry in its state. */
const putTarget = ({ target, state }: Entry): readonly StoreMutation[] => {
  const type = typeOf(target) ?? 'stone'
  const { viewer } = NODE_IDS[idKindOf(target)]
  if (type === 'thing')
    return [
      putThing(target, state === 'open'),
      setFriendEdge(viewer, 'friends', target, state === 'befriended'),
    ]
  const put: StoreMutation = {
    op: 'putNode',
    node: { id: target, type, fields: { title: `${type} ${target}` } },
  }
  return type === 'stone' ? [put] : [put, setFriendEdge(target, 'knows', viewer, state !== 'closed')]
}

/** Creates the mutations that put an entry into the list of a node. */
const putLike = (source: string, { target, time, mark }: Entry): readonly StoreMutation[] => [
  putEdge(source, 'likes', target, time, { mark, ...keysOf({ time }) }),
  ...orderMutations({ source, name: 'likes', target }),
]

/** Creates the mutations that write an entry and its target. */
export const putEntry = (entry: Entry): readonly StoreMutation[] => [
  ...putTarget(entry),
  ...putLike(NODE_IDS[idKindOf(entry.target)].owner, entry),
]

export const deleteEntry = ({ target }: Entry): readonly StoreMutation[] => {
  const edge = { source: NODE_IDS[idKindOf(target)].owner, name: 'likes', target }
  return [{ op: 'deleteEdge', edge }, ...orderMutations(edge)]
}

const createMutations = (kind: IdKind, list: readonly Entry[]): readonly StoreMutation[] => {
  const { viewer, above, owner, half, none } = NODE_IDS[kind]
  return [
    putThing(viewer, true),
    ...[above, owner, half, none].map(
      (id): StoreMutation => ({ op: 'putNode', node: { id, type: 'shelf', fields: {} } }),
    ),
    ...list.flatMap(putEntry),
    ...list.flatMap((entry, index) => (index % 2 === 0 ? putLike(half, entry) : [])),
    ...[owner, half, none].map(id => putEdge(above, 'kin', id)),
  ]
}

type OpenListOptions = {
  readonly limits?: { readonly scan?: number | undefined } | undefined
  /** Whether each page has a count. The default is true. */
  readonly summary?: boolean
  readonly drawUniform?: DrawUniform
  readonly onEvent?: GraphOptions['onEvent']
  readonly wrap?: ((store: Store) => Store) | undefined
}

/**
 * The ways to read a page: by a call, by the link of a neighbouring page, below its owner, or below several
 * owners.
 */
const WAYS = ['call', 'link', 'below', 'belowSeveral'] as const

export const ways = fc.constantFrom(...WAYS)

export type PolicyListPage = Page & { readonly summary?: { readonly total_count: number } }

/** Opens a graph with one list under a policy, and returns several ways to read a page of it. */
export const openPolicyList = async (
  list: readonly Entry[],
  { limits, summary = true, drawUniform, onEvent, wrap = store => store }: OpenListOptions = {},
) => {
  const kind = kindOfList(list)
  const { viewer, owner, above } = NODE_IDS[kind]
  const schema = SCHEMAS[kind]
  const store = createMemoryStore()
  const write = (...mutations: readonly StoreMutation[]) => store.write(mutations, { signal: undefined })
  await write(...createMutations(kind, list), ...completeOrders(schema))
  const graph = createGraph(wrap(store), { schema, limits, onEvent, secret: 'the secret of the tests' })
  if (drawUniform !== undefined) overrideScan(graph, { drawUniform })
  const session = graph.session({ viewer, app: 'tests', scopes: [] })
  const call = (options: PolicyListOptions, where: PageBoundary): Promise<PolicyListPage> =>
    graph.getEdge(session, { id: owner, edge: 'likes', ...options, ...where, summary, fields: 'title' })
  const likesOf = ({ parameters, ...options }: PolicyListOptions, where: PageBoundary) =>
    `likes${printModifiers({ ...options, ...parameters, ...where, summary })}{title}`
  const below = async (options: PolicyListOptions, where: PageBoundary): Promise<PolicyListPage> => {
    const result = await graph.getNode(session, { id: owner, fields: likesOf(options, where) })
    return Object.assign({ likes: { data: [] } }, result).likes
  }
  const belowSeveral = async (options: PolicyListOptions, where: PageBoundary): Promise<PolicyListPage> => {
    // An encrypted cursor is valid for only one list, so that it cannot be used for several lists.
    if (isEncrypted(where.after ?? where.before)) return below(options, where)
    const result = await graph.getNode(session, { id: above, fields: `kin{${likesOf(options, where)}}` })
    const sisters: readonly { id: string; likes: PolicyListPage }[] = Object(result).kin.data
    return sisters.find(({ id }) => id === owner)?.likes ?? { data: [] }
  }
  const link = async (
    options: PolicyListOptions,
    where: PageBoundary,
    from: PolicyListPage | undefined,
  ): Promise<PolicyListPage> => {
    const next = where.after === undefined ? from?.paging?.previous : from?.paging?.next
    return next === undefined ? call(options, where) : graph.getEdge(session, parseLink(next))
  }
  const iterate = async (options: PolicyListOptions): Promise<readonly string[]> => {
    const ids: string[] = []
    for await (const entry of graph.iterateEdge(session, { id: owner, edge: 'likes', ...options }))
      ids.push(`${entry.id}`)
    return ids
  }
  return { graph, session, write, iterate, ids: NODE_IDS[kind], ways: { call, link, below, belowSeveral } }
}

/** Whether a cursor is encrypted, so that it does not show its position. */
export const isEncrypted = (cursor: string | undefined): boolean => cursor?.includes('.') ?? false

type OpenedList = Awaited<ReturnType<typeof openPolicyList>>
export type PolicyListWay = keyof OpenedList['ways']

/** Reads all pages of a list: forwards from its beginning, or backwards from a cursor. */
export async function* walkPages(
  { ways }: OpenedList,
  way: PolicyListWay,
  options: PolicyListOptions,
  start: PageBoundary,
): AsyncGenerator<PolicyListPage, void> {
  let where: PageBoundary | undefined = start
  let page: PolicyListPage | undefined
  while (where !== undefined) {
    const read: PolicyListPage = await ways[way](options, where, page)
    yield read
    page = read
    const { next, previous, cursors } = read.paging ?? {}
    const isForward = start.before === undefined
    where =
      (isForward ? next : previous) === undefined
        ? undefined
        : isForward
          ? { after: cursors?.after }
          : { before: cursors?.before }
  }
}

/** Collects all pages of a walk. */
export const collectPages = async (
  pagesToRead: AsyncGenerator<PolicyListPage, void>,
): Promise<PolicyListPage[]> => {
  const pages: PolicyListPage[] = []
  for await (const page of pagesToRead) pages.push(page)
  return pages
}

/** Small scan limits, so that calls end within or between pages, and seeds of the random numbers. */
export const scanLimits = fc.record({ scan: fc.integer({ min: 1, max: 20 }), seed: fc.nat() })

/** Returns the cursor of the last entry of a list. All other entries are before it. */
export const findEndCursor = async (
  list: readonly Entry[],
  options: PolicyListOptions,
): Promise<string | undefined> => {
  const page = await (await openPolicyList(list)).ways.call({ ...options, limit: 100 }, {})
  return page.paging?.cursors.after
}
