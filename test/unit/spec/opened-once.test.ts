import { createGraph, defineSchema, edge, field, fieldEquals, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { engineOf } from '../../../src/execute/engine.ts'
import { HostedReads } from '../../../src/execute/hosted-reads.ts'
import type { Mutation } from '../../../src/store/contract.ts'
import { examinedWhile } from '../../helpers/scan-seams.ts'
import { loosely } from '../abuse/fault-of.ts'

const AUTHOR = '1'
const OTHER = '2'
const POSTS = 100
const PHOTOS = 40

const schema = defineSchema(
  {
    person: node({
      fields: { name: field.string() },
      edges: { posts: edge('post'), photos: edge('photo'), tagged: edge('photo'), follows: edge('person') },
    }),
    post: node({ fields: { from: field.ref('person') } }),
    photo: node({
      policy: [fieldEquals('open', true)],
      fields: { open: field.bool(), from: field.ref('person') },
      edges: { tags: edge('person') },
    }),
  },
  { viewers: ['person'] },
)

const putNode = (id: string, type: string, fields = {}): Mutation => ({
  op: 'putNode',
  node: { id, type, fields },
})
const putEdge = (source: string, name: string, target: string, time = 0): Mutation => ({
  op: 'putEdge',
  edge: { source, name, target, time },
})

const openPosts = async () => {
  const store = countReads(createMemoryStore())
  const posts = Array.from({ length: POSTS }, (_, index) => `${1000 + index}`)
  const photos = Array.from({ length: PHOTOS }, (_, index) => `${5000 + index}`)
  await store.write(
    [
      ...[AUTHOR, OTHER].map(id => putNode(id, 'person', { name: `person ${id}` })),
      ...posts.flatMap((id, index) => [
        putNode(id, 'post', { from: index === 7 ? OTHER : AUTHOR }),
        putEdge(AUTHOR, 'posts', id, index),
      ]),
      // The third photo from the newest and the fifth are seen.
      ...photos.flatMap((id, index) => [
        putNode(id, 'photo', { open: index === PHOTOS - 3 || index === PHOTOS - 5, from: AUTHOR }),
        putEdge(AUTHOR, 'photos', id, index),
        putEdge(id, 'tags', AUTHOR),
      ]),
      putEdge(AUTHOR, 'follows', AUTHOR),
      putEdge(OTHER, 'follows', AUTHOR),
    ],
    { signal: undefined },
  )
  store.clear()
  const graph = createGraph(store, { schema })
  const viewer = graph.session({ viewer: AUTHOR, app: 'demo', scopes: [] })
  const rangesOf = (edge: string): number =>
    store.reads
      .flatMap(({ wave }) => wave.ranges)
      .filter(({ name, from }) => name === edge && from === undefined).length
  return { store, graph, viewer, rangesOf }
}

/** The reads of a graph as text, their links as in this process. */
const hostedOf = (graph: object): HostedReads =>
  new HostedReads(engineOf('test', graph), {
    linkBase: '',
    linkQuery: '',
    silhouette: undefined,
    deadline: undefined,
    meet: () => undefined,
    charge: () => undefined,
    chargeScan: () => undefined,
    wrote: () => undefined,
  })

const photosOf = (photo: object) => ({
  data: [{ id: `${5000 + PHOTOS - 3}` }],
  ...photo,
})

describe('a step of a plan', () => {
  const fields = 'posts.limit(100){from{photos.limit(1){id}}}'

  it('opens a list once, however many of its parents are the same node', async () => {
    const { graph, viewer, rangesOf } = await openPosts()
    const examined = await examinedWhile(() => loosely(graph.getNode, viewer, { id: AUTHOR, fields }))
    // Of the author, and of the other person, who has none.
    expect(rangesOf('photos')).toBe(2)
    expect(examined).toBe(5)
  })

  it('gives each of them a page of its own, equal to the others', async () => {
    const { graph, viewer } = await openPosts()
    const { posts } = Object(await loosely(graph.getNode, viewer, { id: AUTHOR, fields }))
    const pages: object[] = posts.data.map(({ from }: { from: { photos: object } }) => from.photos)
    expect(pages).toHaveLength(POSTS)
    const [page = {}, ...others] = pages.filter((_, index) => index !== POSTS - 1 - 7)
    expect(page).toMatchObject(photosOf({ paging: { next: expect.any(String) } }))
    expect(others).toEqual(others.map(() => page))
    expect(new Set([page, ...others]).size).toBe(POSTS - 1)
    Object.assign(page, { data: 'changed' })
    expect(others[0]).toMatchObject(photosOf({}))
    expect(pages[POSTS - 1 - 7]).toEqual({ data: [] })
  })

  it('is the same as text', async () => {
    const { graph, viewer } = await openPosts()
    for (const edges of ['', '.summary(true)']) {
      const call = { id: AUTHOR, fields: `posts.limit(100){from{photos.limit(1)${edges}{id,tags{name}}}}` }
      expect(await hostedOf(graph).node(viewer, call)).toBe(
        JSON.stringify(await loosely(graph.getNode, viewer, call)),
      )
    }
  })

  it('opens a list once below an edge that leads to one node from many', async () => {
    const { graph, viewer, rangesOf } = await openPosts()
    const call = { id: AUTHOR, fields: 'photos.limit(5){tags{photos.limit(1){id}}}' }
    const examined = await examinedWhile(() => loosely(graph.getNode, viewer, call))
    // The list of the first step, and that of the second, which both photos lead to.
    expect(rangesOf('photos')).toBe(2)
    expect(examined).toBe(PHOTOS + 5)
  })

  it('opens a list once for me and the own id', async () => {
    const { graph, viewer } = await openPosts()
    const call = { ids: ['me', AUTHOR, OTHER], edge: 'photos', fields: 'id', limit: 1 }
    let pages: Record<string, unknown> = {}
    expect(
      await examinedWhile(async () => {
        pages = Object(await loosely(graph.getEdges, viewer, call))
      }),
    ).toBe(5)
    expect(pages.me).toEqual(pages[AUTHOR])
    expect(pages.me).not.toBe(pages[AUTHOR])
    expect(pages[OTHER]).toEqual({ data: [] })
  })

  it('opens a list again for each of its aliases', async () => {
    const { graph, viewer } = await openPosts()
    const aliases = 'photos.limit(1).as(one){id},photos.limit(1).as(two){id}'
    const call = { id: AUTHOR, fields: `posts.limit(100){from{${aliases}}}` }
    expect(await examinedWhile(() => loosely(graph.getNode, viewer, call))).toBe(10)
  })
})
