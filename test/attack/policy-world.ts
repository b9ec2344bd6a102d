import {
  anyOf,
  createGraph,
  defineSchema,
  edge,
  field,
  fieldEquals,
  type GraphOptions,
  hasEdgeToViewer,
  isViewer,
  node,
  not,
  viewerHasEdge,
} from 'kithgraph'
import { createHandler, type HandlerOptions, type RateLimiter } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { ScanLimitError } from '../../src/read/scan-limit.ts'
import type { Store } from '../../src/store/contract.ts'

export const VIEWER = '70001'
/** A friend of the viewer. */
export const FRIEND = '70002'
/** A person who is hidden from the viewer. */
export const STRANGER = '70003'
export const OPEN_PHOTO = '70010'
export const HIDDEN_PHOTO = '70011'
export const PLACE = '70020'
/** An id that no node has. */
export const MISSING = '70999'

/** Users and photos have policies, and the policy of users needs a check. Places have no policy. */
export const schema = defineSchema(
  {
    user: node({
      policy: [anyOf(isViewer(), viewerHasEdge('friends'))],
      fields: {
        name: field.string({ default: true }),
        exceeding: field.string({
          resolve: () => {
            throw new ScanLimitError(100)
          },
        }),
      },
      edges: { friends: edge('user', { symmetric: true }), photos: edge('photo') },
    }),
    photo: node({
      policy: [not(fieldEquals('hidden', true))],
      fields: { title: field.string({ default: true }), hidden: field.bool(), from: field.ref('user') },
      edges: { likes: edge('user') },
    }),
    place: node({
      fields: { name: field.string({ default: true }) },
      edges: {
        visitors: edge('user'),
        pictures: edge('photo'),
        guarded: edge('user', { policy: [hasEdgeToViewer('visitors')] }),
      },
    }),
  },
  { viewers: ['user'] },
)

const putEdge = <const TName extends string>(source: string, name: TName, target: string, time: number) =>
  ({ op: 'putEdge', edge: { source, name, target, time } }) as const

/** Creates a limiter that allows every charge and records it. */
export const createRecordingLimiter = (): RateLimiter & { readonly charges: number[] } => {
  const charges: number[] = []
  return {
    charges,
    async consume(_key, points = 1) {
      charges.push(points)
      const consumedPoints = charges.reduce((sum, charge) => sum + charge, 0)
      return { consumedPoints, remainingPoints: 100_000 - consumedPoints, msBeforeNext: 1000 }
    },
  }
}

export type PolicyWorldOptions = HandlerOptions & {
  readonly graph?: GraphOptions<typeof schema>
  /** The number of hidden photos of the place, newer than the visible one. */
  readonly hidden?: number
  /** Wraps the store of the graph. */
  readonly wrap?: (store: Store) => Store
}

/** Serves a viewer with one friend, and a place with visible and hidden pictures. */
export const servePolicyWorld = async ({
  graph: graphOptions,
  hidden = 0,
  wrap = store => store,
  ...options
}: PolicyWorldOptions = {}) => {
  const store = createMemoryStore()
  const graph = createGraph(wrap(store), { schema, ...graphOptions })
  const people = [VIEWER, FRIEND, STRANGER]
  const hiddenIds = Array.from({ length: hidden }, (_, index) => `${1000 + index}`)
  await graph.write([
    ...people.map(id => ({ op: 'putNode', node: { id, type: 'user', fields: { name: id } } }) as const),
    { op: 'putNode', node: { id: PLACE, type: 'place', fields: { name: 'A bridge' } } },
    { op: 'putNode', node: { id: OPEN_PHOTO, type: 'photo', fields: { title: 'open', from: FRIEND } } },
    ...[HIDDEN_PHOTO, ...hiddenIds].map(
      id =>
        ({
          op: 'putNode',
          node: { id, type: 'photo', fields: { title: 'a secret', hidden: true } },
        }) as const,
    ),
    putEdge(VIEWER, 'friends', FRIEND, 1),
    putEdge(PLACE, 'pictures', OPEN_PHOTO, 1),
    ...hiddenIds.map((id, index) => putEdge(PLACE, 'pictures', id, 2 + index)),
    ...people.flatMap(id => [putEdge(PLACE, 'visitors', id, 1), putEdge(PLACE, 'guarded', id, 1)]),
  ])
  const token = await graph.tokens.issue({ viewer: VIEWER, app: 'demo' })
  const { respond } = createHandler(graph, options)
  const sendAsViewer = (url: string, init: { readonly method?: string; readonly body?: string } = {}) =>
    respond({
      method: 'GET',
      url,
      ...init,
      headers: {
        authorization: `Bearer ${token}`,
        'kithgraph-links': 'relative',
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
  /** Sends a batch of requests as the viewer, and returns their responses. */
  const batch = async (...urls: readonly string[]): Promise<{ code: number; body: string }[]> => {
    const items = urls.map(url => ({ method: 'GET', relative_url: url.slice(1) }))
    const body = `batch=${encodeURIComponent(JSON.stringify(items))}&include_headers=false`
    return JSON.parse((await sendAsViewer('/', { method: 'POST', body })).body ?? '')
  }
  return { graph, store, sendAsViewer, batch, token }
}

/** Returns a response without its random parts, and with a placeholder for the given ids. */
export const normalizeResponse = (
  {
    status,
    headers,
    body,
  }: { status: number; headers: { readonly [name: string]: string | undefined }; body?: string | undefined },
  ...ids: readonly string[]
): unknown => {
  const { 'x-fb-trace-id': _, 'Content-Length': __, ETag: ___, ...rest } = headers
  const text = `${JSON.stringify(rest)} ${body}`.replace(/"fbtrace_id":"\w+"/, '')
  return [status, ids.reduce((text, id) => text.replaceAll(id, 'ID'), text)]
}
