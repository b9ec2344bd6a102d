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
import type { Mutation } from '../../src/store/contract.ts'
import { ADA, COMPILERS, ENGINE, GRACE, NEWEST_PHOTO, SCOPES, STATUS, worldStore } from '../helpers/world.ts'
import { loosely } from './abuse/fault-of.ts'
import {
  anyAuthor,
  createRandom,
  numbers,
  openStore,
  putEdge,
  putNode,
  putPeople,
  viewers,
} from './policed-albums.ts'

const SEED = 1

/** Reads as letters: N for nodes, R for ranges, T for tests, joined where they went out together. */
const lettersOf = ({ reads }: CountedStore): string =>
  reads
    .map(
      ({ asked }) =>
        `${asked.nodes ? 'N' : ''}${asked.ranges ? 'R' : ''}${asked.tests ? 'T' : ''}${asked.tokens ? 'K' : ''}`,
    )
    .join(' ')

describe('a page of 25 of which one entry in four is seen', async () => {
  const ALBUMS = 100
  const PHOTOS = 400
  const FIRST_ALBUM = 30_000
  const random = createRandom(SEED)
  const albums = numbers(ALBUMS, FIRST_ALBUM)
  const { store, graph, sessionOf } = await openStore([
    ...putPeople(random),
    ...albums.flatMap((album, index) => [
      putNode(album, 'album', viewers[0]),
      ...numbers(PHOTOS, (index + FIRST_ALBUM) * 10_000).flatMap((photo, place) => [
        putNode(photo, 'photo', anyAuthor(random)),
        putEdge(album, 'photos', photo, -place),
      ]),
    ]),
  ])
  // Everyone sees the albums themselves, which are of the first viewer.
  await store.write(
    viewers.map(viewer => putEdge(viewer, 'friends', viewers[0] ?? '', 0)),
    { signal: undefined },
  )

  it.each([1, 10, 100])(
    'takes at most three passes for %d lists, each one read of ranges and one of tests',
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
          const letters = lettersOf(store)
          if (letters.length > worst.length) worst = letters
          expect(letters, viewer).toMatch(/^NR T( T)?( R( T)?){0,2}$/)
        }
      }
      console.log(`worst of seed ${SEED}, ${parents} lists: ${worst}`)
    },
  )
})

describe('a query of three levels under policies', async () => {
  const random = createRandom(SEED)
  const OWNER = '1'
  const list = (source: string, name: string, type: string, ids: readonly string[]): Mutation[] =>
    ids.flatMap((id, place) => [putNode(id, type, anyAuthor(random)), putEdge(source, name, id, -place)])
  const albums = numbers(40, 100)
  const photosOf = (album: string) => numbers(20, Number(album) * 100)
  const commentsOf = (photo: string) => numbers(12, Number(photo) * 100)
  const { store, graph, sessionOf } = await openStore([
    ...putPeople(random),
    putNode(OWNER, 'person'),
    ...list(OWNER, 'albums', 'album', albums),
    ...albums.flatMap(album => list(album, 'photos', 'photo', photosOf(album))),
    ...albums.flatMap(photosOf).flatMap(photo => list(photo, 'comments', 'comment', commentsOf(photo))),
  ])

  it('takes for each level as many passes as the slowest of its lists, and no read more', async () => {
    const fields = 'albums.limit(4){photos.limit(3){comments.limit(2){from}}}'
    let worst = ''
    for (const viewer of viewers) {
      store.clear()
      await graph.getNode(sessionOf(viewer), { id: OWNER, type: 'person', fields })
      let passes = 0
      for (const name of ['albums', 'photos', 'comments']) {
        const waves = store.reads.map(({ wave }) => wave.ranges.filter(range => range.name === name))
        const passesOf = new Map<string, number>()
        for (const { source } of waves.flat()) passesOf.set(source, (passesOf.get(source) ?? 0) + 1)
        const slowest = Math.max(...passesOf.values())
        expect(waves.filter(ranges => ranges.length > 0)).toHaveLength(slowest)
        passes += slowest
      }
      const letters = lettersOf(store)
      if (letters.length > worst.length) worst = letters
      expect(letters).toMatch(/^N( R( T)?)+ N$/)
      expect(store.reads.length).toBeLessThanOrEqual(1 + 2 * passes + 1)
    }
    console.log(`worst of seed ${SEED}, three levels: ${worst}`)
  })
})

describe('policies of the social schema', () => {
  const open = async (policies: { readonly [type: string]: readonly Rule[] }) => {
    const store = countReads(await worldStore())
    const changes = Object.entries(policies).map(([type, policy]) => [type, { policy }])
    const graph = createGraph(store, { schema: socialSchema.extend(Object.fromEntries(changes)) })
    const ada = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    const lettersFor = async (
      method: 'getMe' | 'getNode' | 'getNodes' | 'getEdge' | 'hasEdge',
      call: object,
    ) => {
      store.clear()
      await loosely(graph[method], ada, call)
      return lettersOf(store)
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
  ])('add no read where they ask nothing of the store: %s %j', async (method, call) => {
    const [policed, bare] = [await open(allowing), await open({})]
    expect(await policed.lettersFor(method, call)).toBe(await bare.lettersFor(method, call))
  })

  it('add one read to getMe, where they ask for an edge', async () => {
    const { store, graph, lettersFor } = await open({ user: [viewerHasEdge('friends'), isViewer()] })
    expect(await lettersFor('getMe', {})).toBe('N T')
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: [] })
    store.clear()
    await graph.getMe(token)
    expect(lettersOf(store)).toBe('K N T')
  })

  it('add none where a rule in front decides without one', async () => {
    const { lettersFor } = await open({ user: [isViewer(), viewerHasEdge('friends')] })
    expect(await lettersFor('getMe', {})).toBe('N')
    expect(await lettersFor('getEdge', { id: ADA, edge: 'friends' })).toBe('NR T')
  })

  it('ask for what is the viewer’s own like once: viewer_likes beside hasEdgeToViewer', async () => {
    const { store, lettersFor } = await open({ photo: [hasEdgeToViewer('likes'), allow] })
    expect(await lettersFor('getNode', { id: NEWEST_PHOTO, fields: 'viewer_likes' })).toBe('N T')
    expect(await lettersFor('getEdge', { id: ADA, edge: 'photos', fields: 'viewer_likes' })).toBe('NR T')
    expect(store.reads.flatMap(({ wave }) => wave.tests)).toHaveLength(26)
  })

  it('ask together for a node, its lists and its fields', async () => {
    const store = countReads(await worldStore())
    const friends = edge('user', { symmetric: true, policy: [hasEdgeToViewer('friends')] })
    const about = field.string({ policy: [viewerHasEdge('likes'), viewerHasEdge('friends')] })
    const user = { policy: [viewerHasEdge('friends')], fields: { about }, edges: { friends } }
    const { getNode, session } = createGraph(store, { schema: socialSchema.extend({ user }) })
    const ada = session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    await loosely(getNode, ada, { id: GRACE, fields: 'about,friends' })
    expect(lettersOf(store)).toBe('N T R T')
    expect(store.reads[1]?.wave.tests).toEqual([
      { source: ADA, name: 'friends', target: GRACE },
      { source: ADA, name: 'likes', target: GRACE },
      { source: GRACE, name: 'friends', target: ADA },
    ])
  })
})
