import { createGraph, defineSchema, edge, field, type GraphOptions, node, viewerHasEdge } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import type { Store } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { drawInTurn, overrideScan } from '../../helpers/scan-overrides.ts'
import { callUntyped } from '../abuse/expect-graph-error.ts'

/** The person who reads the lists. */
export const VIEWER = '1'
const FRIEND = '2'
const STRANGER = '3'
const FIRST_SOURCE = 100
const MAX_POSTS_PER_LIST = 10_000

/** The time of the newest edge of each list. Each further edge is one second older. */
export const NEWEST = Date.UTC(2014, 7, 3, 12)
const SECOND = 1000

/** Returns the time in milliseconds of the edge at a position from the newest. */
export const timeAt = (index: number): number => NEWEST - index * SECOND

export const sourceId = (list: number): string => `${FIRST_SOURCE + list}`

/** Returns the id of the post at a position of a list, from the newest. */
export const postId = (list: number, index: number): string => `${(list + 1) * MAX_POSTS_PER_LIST + index}`

const schema = defineSchema(
  {
    person: node({
      edges: {
        friends: edge('person'),
        follows: edge('person'),
        posts: edge('post'),
        drafts: edge('post'),
        notes: edge('note'),
      },
    }),
    post: node({
      policy: [viewerHasEdge('friends', { of: 'author' })],
      fields: { author: field.ref('person'), liked: field.viewerEdge('likes') },
      edges: { likes: edge('person'), replies: edge('post', { order: 'chronological' }) },
    }),
    note: node({}),
  },
  { viewers: ['person'] },
)

const person = (id: string): StoreMutation => ({
  op: 'putNode',
  node: { id, type: 'person', fields: {} },
})

const connect = (source: string, name: string, target: string, time: number): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data: undefined },
})

/** Whether each entry of a list is visible, from the newest. */
export type Visibility = readonly boolean[]

/** Creates a list with visible entries at the given positions. */
export const visibleAt = (length: number, ...indices: number[]): Visibility =>
  Array.from({ length }, (_, index) => indices.includes(index))

/** Creates a list with one visible entry in every `step`, beginning with the newest. */
export const visibleEvery = (step: number, length: number): Visibility =>
  Array.from({ length }, (_, index) => index % step === 0)

const createListMutations = (
  list: Visibility,
  listIndex: number,
  edges: readonly string[],
): StoreMutation[] => [
  person(sourceId(listIndex)),
  connect(VIEWER, 'follows', sourceId(listIndex), timeAt(listIndex)),
  ...list.flatMap((isVisible, index): StoreMutation[] => {
    const id = postId(listIndex, index)
    const author = isVisible ? FRIEND : STRANGER
    return [
      { op: 'putNode', node: { id, type: 'post', fields: { author } } },
      ...edges.map(edge => connect(sourceId(listIndex), edge, id, timeAt(index))),
    ]
  }),
]

/** The part of a page that these tests read. */
export type Page = {
  readonly data: readonly { readonly id: string }[]
  readonly paging?: {
    readonly cursors: { readonly before?: string; readonly after?: string }
    readonly previous?: string
    readonly next?: string
  }
  readonly summary?: { readonly order: string; readonly total_count: number }
  readonly __debug__?: { readonly messages: readonly { readonly message: string; readonly type: string }[] }
}

export const idsOf = ({ data }: Page): string[] => data.map(({ id }) => id)

type OpenListsOptions = Omit<GraphOptions, 'schema'> & {
  /** The edges to which each list is written. */
  readonly edges?: readonly string[]
  /** Wraps the store. */
  readonly wrap?: (store: Store) => Store
  /**
   * Both random numbers for the scan limit of each call. With the default 0, the drawn limit is
   * `limits.scan`.
   */
  readonly draw?: number
}

/**
 * Opens people with lists of posts. The viewer sees the posts of a friend, and follows the owner of each
 * list.
 */
export const openLists = async (
  lists: readonly Visibility[],
  { edges = ['posts'], wrap = store => store, draw = 0, ...options }: OpenListsOptions = {},
) => {
  const store = countReads(wrap(createMemoryStore()))
  await store.open()
  const people = [VIEWER, FRIEND, STRANGER].map(person)
  const posts = lists.flatMap((list, index) => createListMutations(list, index, edges))
  const followed = lists.map((_, index) => connect(sourceId(0), 'follows', sourceId(index), timeAt(index)))
  await store.write([...people, connect(VIEWER, 'friends', FRIEND, NEWEST), ...posts, ...followed], {
    signal: undefined,
  })
  const graph = createGraph(store, { ...options, schema })
  overrideScan(graph, { drawUniform: drawInTurn(draw) })
  const viewer = graph.session({ viewer: VIEWER, app: 'demo', scopes: [] })
  /** Reads a page of the first list of posts. `call` can replace the node and the edge. */
  const readPage = async (call: object = {}): Promise<Page> =>
    Object(
      await callUntyped(graph.getEdge, viewer, { id: sourceId(0), edge: 'posts', fields: 'id', ...call }),
    )
  /** Reads the page that a link leads to. */
  const follow = (link: string): Promise<Page> => {
    const { pathname, searchParams } = new URL(link, 'https://graph.example')
    const [, id, edge] = pathname.split('/')
    const { limit, summary, ...others } = Object.fromEntries(searchParams)
    return readPage({
      ...others,
      id,
      edge,
      ...(limit !== undefined && { limit: Number(limit) }),
      ...(summary !== undefined && { summary: summary === 'true' }),
    })
  }
  /** Returns the entries of a page and of all pages that its links lead to, page by page. */
  const walk = async (link: 'next' | 'previous', start: Page): Promise<string[][]> => {
    const pages = [idsOf(start)]
    for (let url = start.paging?.[link]; url !== undefined; ) {
      const page = await follow(url)
      pages.push(idsOf(page))
      url = page.paging?.[link]
    }
    return pages
  }
  return { store, graph, viewer, readPage, follow, walk }
}

/** Returns the ids of the visible posts of a list, from the newest. */
export const visiblePosts = (list: Visibility, index = 0): string[] =>
  list.flatMap((isVisible, entryIndex) => (isVisible ? [postId(index, entryIndex)] : []))
