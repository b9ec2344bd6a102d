import {
  createGraph,
  edge,
  field,
  hasEdgeToViewer,
  isViewer,
  type Rule,
  socialSchema,
  viewerHasEdge,
} from 'kithgraph'
import { type CountedStore, countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../src/store/mutations.ts'
import {
  ADA,
  COMPILERS,
  createWorldStore,
  ENGINE,
  GRACE,
  NEWEST_PHOTO,
  SCOPES,
  STATUS,
} from '../helpers/world.ts'
import { callUntyped } from './abuse/expect-graph-error.ts'
import {
  createIds,
  createPeople,
  createRandom,
  openStore,
  pickAuthor,
  putEdge,
  putNode,
  viewers,
} from './policy-albums.ts'

const SEED = 1

/**
 * Returns one word for each read, with a letter for each kind of data: N for nodes, R for ranges, C for
 * checks, K for tokens.
 */
const summarizeReads = ({ reads }: CountedStore): string =>
  reads
    .map(
      ({ requested }) =>
        `${requested.nodes ? 'N' : ''}${requested.ranges ? 'R' : ''}${requested.checks ? 'C' : ''}${requested.tokens ? 'K' : ''}`,
    )
    .join(' ')

describe('a page of 25 from a list with one visible entry in four', async () => {
  const ALBUMS = 100
  const PHOTOS = 400
  const FIRST_ALBUM = 30_000
  const random = createRandom(SEED)
  const albums = createIds(ALBUMS, FIRST_ALBUM)
  const { store, graph, sessionOf } = await openStore([
    ...createPeople(random),
    ...albums.flatMap((album, index) => [
      putNode(album, 'album', viewers[0]),
      ...createIds(PHOTOS, (index + FIRST_ALBUM) * 10_000).flatMap((photo, position) => [
        putNode(photo, 'photo', pickAuthor(random)),
        putEdge(album, 'photos', photo, -position),
      ]),
    ]),
  ])
  // Every viewer sees the albums, because every viewer is a friend of their author, the first viewer.
  await store.write(
    viewers.map(viewer => putEdge(viewer, 'friends', viewers[0] ?? '', 0)),
    { signal: undefined },
  )

  it.each([1, 10, 100])(
    'takes at most three passes for %d lists, each with one read of ranges and one of checks',
    async parents => {
      let worst = ''
      for (const viewer of viewers) {
        for (let first = 0; first < ALBUMS; first += Math.max(parents, 20)) {
          store.clear()
          const ids = albums.slice(first, first + parents)
          const pages = await graph.getEdges(sessionOf(viewer), {
            ids,
            type: 'album',
            edge: 'photos',
            fields: 'id',
          })
          expect(ids.map(id => pages[id]?.data.length)).toEqual(ids.map(() => 25))
          const letters = summarizeReads(store)
          if (letters.length > worst.length) worst = letters
          expect(letters, viewer).toMatch(/^NR C( C)?( R( C)?){0,2}$/)
        }
      }
      console.log(`worst of seed ${SEED}, ${parents} lists: ${worst}`)
    },
  )
})

describe('a query of three levels under policies', async () => {
  const random = createRandom(SEED)
  const OWNER = '1'
  const list = (source: string, name: string, type: string, ids: readonly string[]): StoreMutation[] =>
    ids.flatMap((id, position) => [
      putNode(id, type, pickAuthor(random)),
      putEdge(source, name, id, -position),
    ])
  const albums = createIds(40, 100)
  const photosOf = (album: string) => createIds(20, Number(album) * 100)
  const commentsOf = (photo: string) => createIds(12, Number(photo) * 100)
  const { store, graph, sessionOf } = await openStore([
    ...createPeople(random),
    putNode(OWNER, 'person'),
    ...list(OWNER, 'albums', 'album', albums),
    ...albums.flatMap(album => list(album, 'photos', 'photo', photosOf(album))),
    ...albums.flatMap(photosOf).flatMap(photo => list(photo, 'comments', 'comment', commentsOf(photo))),
  ])

  it('takes as many passes per level as the list with the most passes, and no other reads', async () => {
    const fields = 'albums.limit(4){photos.limit(3){comments.limit(2){from}}}'
    let worst = ''
    for (const viewer of viewers) {
      store.clear()
      await graph.getNode(sessionOf(viewer), { id: OWNER, type: 'person', fields })
      let passes = 0
      for (const name of ['albums', 'photos', 'comments']) {
        const requests = store.reads.map(({ request }) => request.ranges.filter(range => range.name === name))
        const passesOf = new Map<string, number>()
        for (const { source } of requests.flat()) passesOf.set(source, (passesOf.get(source) ?? 0) + 1)
        const slowest = Math.max(...passesOf.values())
        expect(requests.filter(ranges => ranges.length > 0)).toHaveLength(slowest)
        passes += slowest
      }
      const letters = summarizeReads(store)
      if (letters.length > worst.length) worst = letters
      expect(letters).toMatch(/^N( R( C)?)+ N$/)
      expect(store.reads.length).toBeLessThanOrEqual(1 + 2 * passes + 1)
    }
    console.log(`worst of seed ${SEED}, three levels: ${worst}`)
  })
})

describe('policies of the social schema', () => {
  const open = async (policies: { readonly [type: string]: readonly Rule[] }) => {
    const store = countReads(await createWorldStore())
    const changes = Object.entries(policies).map(([type, policy]) => [type, { policy }])
    const graph = createGraph(store, { schema: socialSchema.extend(Object.fromEntries(changes)) })
    const ada = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    const lettersFor = async (
      method: 'getMe' | 'getNode' | 'getNodes' | 'getEdge' | 'hasEdge',
      call: object,
    ) => {
      store.clear()
      await callUntyped(graph[method], ada, call)
      return summarizeReads(store)
    }
    return { store, graph, lettersFor }
  }

  const allow: Rule = { name: 'allow', decide: () => 'allow' }
  const allowing = Object.fromEntries(Object.keys(socialSchema.types).map(type => [type, [allow]]))

  it.each<readonly ['getMe' | 'getNode' | 'getNodes' | 'getEdge' | 'hasEdge', object]>([
    ['getMe', {}],
    ['getNode', { id: NEWEST_PHOTO, fields: 'from,viewer_likes,comments.limit(2),likes.limit(1)' }],
    ['getNode', { id: ADA, fields: 'photos.limit(10){comments.limit(3){from}}' }],
    ['getNode', { id: ADA, fields: 'photos{comments{from}},friends{likes{feed}},likes{name}' }],
    [
      'getNodes',
      { ids: [ADA, STATUS, ENGINE, COMPILERS], fields: 'name,feed.summary(true){from}', partial: true },
    ],
    ['getEdge', { id: ADA, edge: 'photos' }],
    ['getEdge', { id: ADA, edge: 'photos', limit: 5, fields: 'comments{from}' }],
    ['hasEdge', { id: NEWEST_PHOTO, edge: 'likes', target: ADA }],
  ])('add no read if their rules have no checks: %s %j', async (method, call) => {
    const [underPolicies, bare] = [await open(allowing), await open({})]
    expect(await underPolicies.lettersFor(method, call)).toBe(await bare.lettersFor(method, call))
  })

  it('add one read to getMe if a rule has a check', async () => {
    const { store, graph, lettersFor } = await open({ user: [viewerHasEdge('friends'), isViewer()] })
    expect(await lettersFor('getMe', {})).toBe('N C')
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: [] })
    store.clear()
    await graph.getMe(token)
    expect(summarizeReads(store)).toBe('K N C')
  })

  it('add no read if an earlier rule allows without a check, but one read if it skips', async () => {
    const { lettersFor } = await open({ user: [isViewer(), viewerHasEdge('friends')] })
    expect(await lettersFor('getMe', {})).toBe('N')
    expect(await lettersFor('getEdge', { id: ADA, edge: 'friends' })).toBe('NR C')
  })

  it('share one check between viewer_likes and hasEdgeToViewer', async () => {
    const { store, lettersFor } = await open({ photo: [hasEdgeToViewer('likes'), allow] })
    expect(await lettersFor('getNode', { id: NEWEST_PHOTO, fields: 'viewer_likes' })).toBe('N C')
    expect(await lettersFor('getEdge', { id: ADA, edge: 'photos', fields: 'viewer_likes' })).toBe('NR C')
    expect(store.reads.flatMap(({ request }) => request.checks)).toHaveLength(26)
  })

  it('read the checks of a node, its lists and its fields together', async () => {
    const store = countReads(await createWorldStore())
    const friends = edge('user', { symmetric: true, policy: [hasEdgeToViewer('friends')] })
    const about = field.string({ policy: [viewerHasEdge('likes'), viewerHasEdge('friends')] })
    const user = { policy: [viewerHasEdge('friends')], fields: { about }, edges: { friends } }
    const { getNode, session } = createGraph(store, { schema: socialSchema.extend({ user }) })
    const ada = session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    await callUntyped(getNode, ada, { id: GRACE, fields: 'about,friends' })
    expect(summarizeReads(store)).toBe('N C R C')
    expect(store.reads[1]?.request.checks).toEqual([
      { source: ADA, name: 'friends', target: GRACE },
      { source: ADA, name: 'likes', target: GRACE },
      { source: GRACE, name: 'friends', target: ADA },
    ])
  })
})
