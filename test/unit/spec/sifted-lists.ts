import { createGraph, defineSchema, edge, field, type GraphOptions, node, viewerHasEdge } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import type { Mutation, Store } from '../../../src/store/contract.ts'
import { drawing, replaceSeams } from '../../helpers/scan-seams.ts'
import { loosely } from '../abuse/fault-of.ts'

/** Whose eyes the lists are seen with. */
export const VIEWER = '1'
const FRIEND = '2'
const STRANGER = '3'
const FIRST_SOURCE = 100
const PER_LIST = 10_000

/** When the newest edge of each list was made. The others are a second apart. */
export const NEWEST = Date.UTC(2014, 7, 3, 12)
const SECOND = 1000

/** Milliseconds at which the edge at a place from the newest was made. */
export const timeAt = (place: number): number => NEWEST - place * SECOND

export const sourceId = (list: number): string => `${FIRST_SOURCE + list}`

/** The post at a place of a list, from the newest. */
export const postId = (list: number, place: number): string => `${(list + 1) * PER_LIST + place}`

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

const person = (id: string): Mutation => ({ op: 'putNode', node: { id, type: 'person', fields: {} } })

const connect = (source: string, name: string, target: string, time: number): Mutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data: undefined },
})

/** Which entries of a list may be seen, from the newest. */
export type List = readonly boolean[]

/** A list as long as asked of which the entries at some places may be seen. */
export const seenAt = (length: number, ...places: number[]): List =>
  Array.from({ length }, (_, place) => places.includes(place))

/** A list of which one entry in so many may be seen, beginning with the newest. */
export const oneIn = (many: number, length: number): List =>
  Array.from({ length }, (_, place) => place % many === 0)

const listOf = (list: List, index: number, edges: readonly string[]): Mutation[] => [
  person(sourceId(index)),
  connect(VIEWER, 'follows', sourceId(index), timeAt(index)),
  ...list.flatMap((isSeen, place): Mutation[] => {
    const id = postId(index, place)
    const author = isSeen ? FRIEND : STRANGER
    return [
      { op: 'putNode', node: { id, type: 'post', fields: { author } } },
      ...edges.map(edge => connect(sourceId(index), edge, id, timeAt(place))),
    ]
  }),
]

/** A page as far as paging is concerned. */
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

type Opening = Omit<GraphOptions, 'schema'> & {
  /** The edges that have the lists. */
  readonly edges?: readonly string[]
  /** What stands before the store. */
  readonly wrap?: (store: Store) => Store
  /** What is drawn twice for the scan limit of each call; 0, unless something else is said, so that it is `limits.scan`. */
  readonly draw?: number
}

/** People with lists of posts, of which the viewer may see those that a friend wrote. He and the first follow them all. */
export const openLists = async (
  lists: readonly List[],
  { edges = ['posts'], wrap = store => store, draw = 0, ...options }: Opening = {},
) => {
  const store = countReads(wrap(createMemoryStore()))
  await store.open()
  const people = [VIEWER, FRIEND, STRANGER].map(person)
  const posts = lists.flatMap((list, index) => listOf(list, index, edges))
  const followed = lists.map((_, index) => connect(sourceId(0), 'follows', sourceId(index), timeAt(index)))
  await store.write([...people, connect(VIEWER, 'friends', FRIEND, NEWEST), ...posts, ...followed], {
    signal: undefined,
  })
  const graph = createGraph(store, { ...options, schema })
  replaceSeams(graph, { drawUniform: drawing(draw) })
  const viewer = graph.session({ viewer: VIEWER, app: 'demo', scopes: [] })
  /** A page of the posts of the first list, or of what the call names instead. */
  const askPage = async (call: object = {}): Promise<Page> =>
    Object(await loosely(graph.getEdge, viewer, { id: sourceId(0), edge: 'posts', fields: 'id', ...call }))
  /** What a link leads to. */
  const follow = (link: string): Promise<Page> => {
    const { pathname, searchParams } = new URL(link, 'https://graph.example')
    const [, id, edge] = pathname.split('/')
    const { limit, summary, ...others } = Object.fromEntries(searchParams)
    return askPage({
      ...others,
      id,
      edge,
      ...(limit !== undefined && { limit: Number(limit) }),
      ...(summary !== undefined && { summary: summary === 'true' }),
    })
  }
  /** The entries of a page and of all that its links lead to, page by page. */
  const walk = async (link: 'next' | 'previous', start: Page): Promise<string[][]> => {
    const pages = [idsOf(start)]
    for (let url = start.paging?.[link]; url !== undefined; ) {
      const page = await follow(url)
      pages.push(idsOf(page))
      url = page.paging?.[link]
    }
    return pages
  }
  return { store, graph, viewer, askPage, follow, walk }
}

/** The posts of a list that may be seen, the newest first. */
export const seenOf = (list: List, index = 0): string[] =>
  list.flatMap((isSeen, place) => (isSeen ? [postId(index, place)] : []))
