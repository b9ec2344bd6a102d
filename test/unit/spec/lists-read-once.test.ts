import { createGraph, defineSchema, edge, field, fieldEquals, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { engineOf } from '../../../src/execute/engine.ts'
import { JsonReadApi } from '../../../src/execute/read-api.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { countExamined } from '../../helpers/scan-overrides.ts'
import { callUntyped } from '../abuse/expect-graph-error.ts'

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

const putNode = (id: string, type: string, fields = {}): StoreMutation => ({
  op: 'putNode',
  node: { id, type, fields },
})
const putEdge = (source: string, name: string, target: string, time = 0): StoreMutation => ({
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
      // The third and the fifth photo from the newest are visible.
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
      .flatMap(({ request }) => request.ranges)
      .filter(({ name, from }) => name === edge && from === undefined).length
  return { store, graph, viewer, rangesOf }
}

/** Creates the read API that returns JSON text, with the links of an in-process call. */
const createJsonReads = (graph: object): JsonReadApi =>
  new JsonReadApi(engineOf('test', graph), {
    linkBase: '',
    linkQuery: '',
    defaultPicture: undefined,
    deadline: undefined,
    onSession: () => undefined,
    charge: () => undefined,
    chargeScanExcess: () => undefined,
    onLength: () => undefined,
  })

const expectedPage = (photo: object) => ({
  data: [{ id: `${5000 + PHOTOS - 3}` }],
  ...photo,
})

describe('a list that one call requests several times', () => {
  const fields = 'posts.limit(100){from{photos.limit(1){id}}}'

  it('is read once if several refs lead to its node', async () => {
    const { graph, viewer, rangesOf } = await openPosts()
    const examined = await countExamined(() => callUntyped(graph.getNode, viewer, { id: AUTHOR, fields }))
    // One read for the author, and one for the other person, who has no photos.
    expect(rangesOf('photos')).toBe(2)
    expect(examined).toBe(5)
  })

  it('is returned as a separate but equal page for each parent', async () => {
    const { graph, viewer } = await openPosts()
    const { posts } = Object(await callUntyped(graph.getNode, viewer, { id: AUTHOR, fields }))
    const pages: object[] = posts.data.map(({ from }: { from: { photos: object } }) => from.photos)
    expect(pages).toHaveLength(POSTS)
    const [page = {}, ...others] = pages.filter((_, index) => index !== POSTS - 1 - 7)
    expect(page).toMatchObject(expectedPage({ paging: { next: expect.any(String) } }))
    expect(others).toEqual(others.map(() => page))
    expect(new Set([page, ...others]).size).toBe(POSTS - 1)
    Object.assign(page, { data: 'changed' })
    expect(others[0]).toMatchObject(expectedPage({}))
    expect(pages[POSTS - 1 - 7]).toEqual({ data: [] })
  })

  it('gives the same pages as objects and as JSON text', async () => {
    const { graph, viewer } = await openPosts()
    for (const edges of ['', '.summary(true)']) {
      const call = { id: AUTHOR, fields: `posts.limit(100){from{photos.limit(1)${edges}{id,tags{name}}}}` }
      expect(await createJsonReads(graph).getNode(viewer, call)).toBe(
        JSON.stringify(await callUntyped(graph.getNode, viewer, call)),
      )
    }
  })

  it('is read once if several nested lists lead to its node', async () => {
    const { graph, viewer, rangesOf } = await openPosts()
    const call = { id: AUTHOR, fields: 'photos.limit(5){tags{photos.limit(1){id}}}' }
    const examined = await countExamined(() => callUntyped(graph.getNode, viewer, call))
    // The outer list, and the inner list to which both photos lead.
    expect(rangesOf('photos')).toBe(2)
    expect(examined).toBe(PHOTOS + 5)
  })

  it('is read once for the id me and the id of the viewer', async () => {
    const { graph, viewer } = await openPosts()
    const call = { ids: ['me', AUTHOR, OTHER], edge: 'photos', fields: 'id', limit: 1 }
    let pages: Record<string, unknown> = {}
    expect(
      await countExamined(async () => {
        pages = Object(await callUntyped(graph.getEdges, viewer, call))
      }),
    ).toBe(5)
    expect(pages.me).toEqual(pages[AUTHOR])
    expect(pages.me).not.toBe(pages[AUTHOR])
    expect(pages[OTHER]).toEqual({ data: [] })
  })

  it('is read again for each of its aliases', async () => {
    const { graph, viewer } = await openPosts()
    const aliases = 'photos.limit(1).as(one){id},photos.limit(1).as(two){id}'
    const call = { id: AUTHOR, fields: `posts.limit(100){from{${aliases}}}` }
    expect(await countExamined(() => callUntyped(graph.getNode, viewer, call))).toBe(10)
  })
})
