import {
  createGraph,
  defineSchema,
  edge,
  field,
  hasEdgeToViewer,
  isViewer,
  node,
  viewerHasEdge,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { IdKind } from '../../../src/base/ids.ts'
import type { ReadAhead } from '../../../src/store/contract.ts'
import { ID_KINDS, idOf } from '../../helpers/id-kinds.ts'
import { createPushingStore } from '../../helpers/pushing-store.ts'
import { createReadAheadStore } from '../../helpers/read-ahead-store.ts'

const PHOTO_COUNT = 20
const OTHER_PHOTO = 5
const FIELDS = 'photos.limit(10){comments.limit(3){author}}'

/** Returns the conditions of the lists of a hint, by name. */
const findConditions = (ahead: ReadAhead | undefined): readonly (readonly [string, number])[] =>
  [...(ahead?.values() ?? [])].flat().flatMap(step => {
    const below = findConditions(step.ahead)
    return step.kind === 'list' && step.conditions !== undefined
      ? [[step.name, step.maxExamined ?? 0] as const, ...below]
      : below
  })

/** Opens a graph of photos with comments. The friends of the viewer may be seen, and what they wrote. */
const openGraph = async (ids: IdKind, hasPolicies: boolean) => {
  const byAuthor = [viewerHasEdge('friends', { of: 'author' })]
  const schema = defineSchema(
    {
      user: node({
        ...(hasPolicies && { policy: [isViewer(), hasEdgeToViewer('friends')] }),
        edges: { photos: edge('photo'), friends: edge('user') },
      }),
      photo: node({
        ...(hasPolicies && { policy: byAuthor }),
        fields: { author: field.ref('user') },
        edges: { comments: edge('comment') },
      }),
      comment: node({ ...(hasPolicies && { policy: byAuthor }), fields: { author: field.ref('user') } }),
    },
    { viewers: ['user'], ids },
  )
  const store = createReadAheadStore(createPushingStore(createMemoryStore()))
  const graph = createGraph(store, { schema, secret: 'a secret of the test' })
  const [viewer, friend, stranger] = ['1', '2', '3'].map(digits => idOf(ids, 'user', digits))
  if (viewer === undefined || friend === undefined || stranger === undefined) throw new Error('no ids')
  const photos = Array.from({ length: PHOTO_COUNT }, (_, index) => index)
  await graph.write([
    ...[viewer, friend, stranger].map(
      id => ({ op: 'putNode', node: { id, type: 'user', fields: {} } }) as const,
    ),
    { op: 'putEdge', edge: { source: viewer, name: 'friends', target: friend, time: 0 } },
    { op: 'putEdge', edge: { source: friend, name: 'friends', target: viewer, time: 0 } },
    ...photos.flatMap(index => {
      const photo = idOf(ids, 'photo', `${100 + index}`)
      const author = index === OTHER_PHOTO ? stranger : friend
      const putPhoto = { op: 'putNode', node: { id: photo, type: 'photo', fields: { author } } } as const
      const linkPhoto = {
        op: 'putEdge',
        edge: { source: viewer, name: 'photos', target: photo, time: -index },
      } as const
      const comments = [0, 1, 2, 3].flatMap(position => {
        const id = idOf(ids, 'comment', `${1000 + 10 * index + position}`)
        const fields = { author: position === 1 ? stranger : friend }
        return [
          { op: 'putNode', node: { id, type: 'comment', fields } },
          { op: 'putEdge', edge: { source: photo, name: 'comments', target: id, time: -position } },
        ] as const
      })
      return [putPhoto, linkPhoto, ...comments]
    }),
  ])
  const token = await graph.tokens.issue({ viewer, app: 'demo', scopes: [] })
  const session = graph.session({ viewer, app: 'demo', scopes: [] })
  /** Runs a call, and returns its result and a letter for each kind of data of its reads. */
  const run = async (call: () => Promise<unknown>) => {
    const start = store.requests.length
    const result = await call()
    const requests = store.requests.slice(start)
    const reads = requests.map(
      ({ nodes, ranges, checks, tokens }) =>
        `${nodes.length ? 'N' : ''}${ranges.length ? 'R' : ''}${checks.length ? 'C' : ''}${tokens.length ? 'K' : ''}`,
    )
    return { result, requests, reads: reads.join(' ') }
  }
  return { graph, token, session, viewer, run }
}

describe.each(ID_KINDS)(
  'a store that reads ahead and filters by conditions, with ids of the kind %s',
  ids => {
    it('needs no further read for a query of four levels if every type has a policy', async () => {
      const [open, guarded] = [await openGraph(ids, false), await openGraph(ids, true)]
      const read = ({ graph, token, session, run }: typeof open) => ({
        byToken: () => run(() => graph.getMe(token, { fields: FIELDS })),
        bySession: () => run(() => graph.getMe(session, { fields: FIELDS })),
      })
      expect((await read(open).byToken()).reads).toBe('K N')
      expect((await read(open).bySession()).reads).toBe('N')
      const { result, reads } = await read(guarded).byToken()
      expect(reads).toBe('K N')
      expect((await read(guarded).bySession()).reads).toBe('N')
      const text = JSON.stringify(result)
      expect(text.match(/"id":/g)).toHaveLength(1 + 10 + 30 + 30)
      expect(text).not.toContain(idOf(ids, 'photo', `${100 + OTHER_PHOTO}`))
      expect(text).not.toContain(`"${idOf(ids, 'user', '3')}"`)
    })

    it('needs one read after the token for an edge of me and the levels below, with or without policies', async () => {
      const [open, guarded] = [await openGraph(ids, false), await openGraph(ids, true)]
      const call = { id: 'me', edge: 'photos', limit: 10, fields: 'comments.limit(3){author}' } as const
      expect((await open.run(() => open.graph.getEdge(open.token, call))).reads).toBe('K NR')
      expect((await guarded.run(() => guarded.graph.getEdge(guarded.token, call))).reads).toBe('K NR')
      expect((await open.run(() => open.graph.getEdge(open.session, call))).reads).toBe('NR')
    })

    it('receives the conditions with at most the rows of one read, for all records together', async () => {
      const { graph, session, run } = await openGraph(ids, true)
      const { requests } = await run(() => graph.getMe(session, { fields: FIELDS }))
      const lists = requests.flatMap(({ nodesAhead = [] }) => nodesAhead.flatMap(findConditions))
      expect(lists.map(([name]) => name)).toEqual(['photos', 'comments'])
      // One list of photos, and the comments of 11 photos.
      const [[, photoRows = 0] = [], [, commentRows = 0] = []] = lists
      expect(photoRows).toBeGreaterThan(0)
      expect(photoRows + 11 * commentRows).toBeLessThanOrEqual(1_000_000)
    })
  },
)

describe('a root that is given by a named id', () => {
  it('is read with the levels below without the option type', async () => {
    const { graph, session, viewer, run } = await openGraph('named', true)
    const expected = await run(() => graph.getNode(session, { id: viewer, type: 'user', fields: FIELDS }))
    const fields: string = FIELDS
    const { result, reads } = await run(() => graph.getNode(session, { id: viewer, fields }))
    expect(reads).toBe('N')
    expect(result).toEqual(expected.result)
    const photos = await run(() =>
      graph.getEdge(session, { id: viewer, edge: 'photos', limit: 10, fields: 'comments.limit(3){author}' }),
    )
    expect(photos.reads).toBe('NR')
  })

  it('is read with the levels below, also if its prefix is the idPrefix of its type', async () => {
    const schema = defineSchema(
      { user: node({ idPrefix: 'u', edges: { friends: edge('user') } }) },
      { viewers: ['user'], ids: 'named' },
    )
    const store = createReadAheadStore(createMemoryStore())
    const graph = createGraph(store, { schema })
    await graph.write([{ op: 'putNode', node: { id: 'u-1', type: 'user', fields: {} } }])
    const session = graph.session({ viewer: 'u-1', app: 'demo', scopes: [] })
    const start = store.requests.length
    await graph.getNode(session, { id: 'u-1', fields: 'friends' })
    expect(store.requests.slice(start)).toHaveLength(1)
    expect(store.requests.at(-1)?.nodesAhead?.[0]?.has('user')).toBe(true)
  })
})
