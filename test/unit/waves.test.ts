import fc from 'fast-check'
import { createGraph, defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { type CountedStore, countReads } from 'kithgraph/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  ADA,
  COMPILERS,
  EDSGER,
  ENGINE,
  GRACE,
  NEWEST_PHOTO,
  ORPHAN,
  SCOPES,
  STATUS,
  worldStore,
} from '../helpers/world.ts'
import { loosely } from './abuse/fault-of.ts'

const store: CountedStore = countReads(await worldStore())
const graph = createGraph(store)
const { explain, getEdge, getEdges, getMe, getNode, getNodes, hasEdge } = graph
const ada = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })

beforeEach(() => store.clear())

const NONE = { nodes: 0, ranges: 0, tests: 0, tokens: 0 }

/** How much each read asked. */
const asked = () => store.reads.map(read => read.asked)

/** How often the store is read for a call. */
const readsOf = async (call: () => Promise<unknown>): Promise<number> => {
  store.clear()
  await call()
  return store.reads.length
}

describe('a level is one read', () => {
  it.each([
    ['name,email,picture', 1],
    ['photos', 2],
    ['photos,friends,likes,groups,accounts,posts', 2],
    ['photos{from}', 3],
    ['photos{from,viewer_likes,comments,likes}', 3],
    ['photos{comments{from{name}}}', 4],
    ['photos.limit(10){comments.limit(3){from}}', 4],
    ['photos{comments{from}},friends{likes{feed}},likes{name}', 4],
    ['accounts{feed{from,to{name}}},photos{likes{groups}}', 4],
    ['groups.limit(9){members.limit(9){groups.limit(9){members.limit(9)}}}', 5],
  ])('%s takes %d', async (fields, levels) => {
    expect(await readsOf(() => loosely(getNode, ada, { id: ADA, fields }))).toBe(levels)
    expect(explain(Object({ type: 'user', fields })).waves).toBe(levels)
  })

  it('whatever the widths', async () => {
    const limit = fc.integer({ min: 1, max: 100 })
    await fc.assert(
      fc.asyncProperty(limit, limit, limit, async (photos, comments, friends) => {
        const fields = `photos.limit(${photos}){comments.limit(${comments}){from}},friends.limit(${friends}){likes}`
        expect(await readsOf(() => loosely(getNode, ada, { id: ADA, fields }))).toBe(4)
      }),
      { numRuns: 20 },
    )
  })

  it('never more than explain says, for any selection', async () => {
    const leaf = fc.constantFrom('id', 'from', 'viewer_likes', 'comments', 'likes', 'created_time')
    const below = fc.uniqueArray(leaf, { minLength: 1, maxLength: 4 })
    const branch = fc
      .constantFrom('photos', 'posts', 'feed')
      .chain(edge => below.map(names => [edge, names] as const))
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(branch, { selector: ([edge]) => edge, minLength: 1, maxLength: 3 }),
        fc.constantFrom(ADA, GRACE, EDSGER),
        async (branches, id) => {
          const fields = branches.map(([edge, names]) => `${edge}.limit(5){${names.join(',')}}`).join(',')
          const reads = await readsOf(() => loosely(getNode, ada, { id, fields }))
          expect(reads).toBeLessThanOrEqual(explain(Object({ type: 'user', fields })).waves)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('joins what siblings ask into one wave', async () => {
    await loosely(getNode, ada, {
      id: NEWEST_PHOTO,
      fields: 'from,viewer_likes,comments.limit(2),likes.limit(1)',
    })
    expect(asked()).toEqual([
      { ...NONE, nodes: 1 },
      { ...NONE, nodes: 1, ranges: 2, tests: 1 },
    ])
  })

  it('asks for all parents of a level together, with the limit for each', async () => {
    await loosely(getNode, ada, { id: ADA, fields: 'photos.limit(10){comments.limit(3){from}}' })
    expect(asked()).toEqual([
      { ...NONE, nodes: 1 },
      { ...NONE, ranges: 1 },
      { ...NONE, ranges: 10 },
      { ...NONE, nodes: 3 },
    ])
    expect(store.reads[2]?.wave.ranges.map(({ limit }) => limit)).toEqual(Array(10).fill(3))
  })

  it('asks nothing where there is nothing to ask', async () => {
    expect(await readsOf(() => loosely(getNode, ada, { id: EDSGER, fields: 'photos{comments{from}}' }))).toBe(
      2,
    )
    expect(await readsOf(() => loosely(getNode, ada, { id: COMPILERS, fields: 'feed{to{feed}}' }))).toBe(4)
    const app = graph.session({ viewer: undefined, app: 'demo', scopes: [] })
    expect(await readsOf(() => loosely(getNode, app, { id: NEWEST_PHOTO, fields: 'viewer_likes' }))).toBe(1)
  })

  it('ends where the refs lead nowhere', async () => {
    expect(await readsOf(() => loosely(getNode, ada, { id: ORPHAN, fields: 'from{name}' }))).toBe(2)
    expect(await readsOf(() => loosely(getNode, ada, { id: ORPHAN, fields: 'to{name}' }))).toBe(1)
  })

  it('is no read for a computed field', async () => {
    const schema = socialSchema.extend({
      photo: {
        fields: { title: field.string({ resolve: async records => records.map(({ id }) => `No. ${id}`) }) },
      },
    })
    const { getNode, session } = createGraph(store, { schema })
    const ada = session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    expect(
      await readsOf(() => loosely(getNode, ada, { id: ADA, fields: 'photos.limit(3){title,from}' })),
    ).toBe(3)
  })

  it('joins the levels of several nodes and of several types', async () => {
    const call = { ids: [ADA, GRACE, STATUS, ENGINE], fields: 'likes{name}' }
    expect(await readsOf(() => loosely(getNodes, ada, call))).toBe(2)
    expect(asked()).toEqual([
      { ...NONE, nodes: 4 },
      { ...NONE, ranges: 4 },
    ])
  })
})

describe('the token', () => {
  it('goes out with the first wave where the id is known', async () => {
    await getNode(token, { id: ADA })
    expect(asked()).toEqual([{ ...NONE, nodes: 1, tokens: 2 }])
  })

  it('goes out before it for me', async () => {
    await getMe(token)
    expect(asked()).toEqual([
      { ...NONE, tokens: 2 },
      { ...NONE, nodes: 1 },
    ])
  })

  it('is no read for a session', async () => {
    await getMe(ada)
    expect(asked()).toEqual([{ ...NONE, nodes: 1 }])
  })

  it('is no read for the token of an app', async () => {
    const graph = createGraph(store, { appSecrets: { demo: 'the secret of demo' } })
    await graph.getNode('demo|the secret of demo', { id: ADA })
    expect(asked()).toEqual([{ ...NONE, nodes: 1 }])
  })
})

describe('one edge', () => {
  it('is one read: token, source and range together', async () => {
    await getEdge(token, { id: ADA, edge: 'photos' })
    expect(asked()).toEqual([{ ...NONE, nodes: 1, ranges: 1, tokens: 2 }])
  })

  it('is one read of any page, with a summary too', async () => {
    const { paging } = await getEdge(ada, { id: ADA, edge: 'photos', limit: 5 })
    const after = paging?.cursors.after
    expect(
      await readsOf(() => getEdge(ada, { id: ADA, edge: 'photos', limit: 5, after, summary: true })),
    ).toBe(1)
    expect(
      await readsOf(() => getEdge(ada, { id: ADA, edge: 'photos', limit: 5, before: after, since: 0 })),
    ).toBe(1)
  })

  it('is one read more for me by a token', async () => {
    expect(await readsOf(() => getEdge(token, { id: 'me', edge: 'photos' }))).toBe(2)
    expect(await readsOf(() => getEdge(ada, { id: 'me', edge: 'photos' }))).toBe(1)
  })

  it('has its levels below', async () => {
    const fields = 'comments{from}'
    expect(await readsOf(() => getEdge(ada, { id: ADA, edge: 'photos', fields }))).toBe(3)
    expect(explain({ type: 'user', edge: 'photos', fields }).waves).toBe(3)
  })

  it('is one read for several sources', async () => {
    expect(await readsOf(() => loosely(getEdges, token, { ids: [ADA, GRACE, ENGINE], edge: 'likes' }))).toBe(
      1,
    )
    expect(asked()).toEqual([{ ...NONE, nodes: 3, ranges: 3, tokens: 2 }])
  })

  it('is asked for by hasEdge in one read', async () => {
    await hasEdge(token, { id: ADA, edge: 'friends', target: GRACE })
    expect(asked()).toEqual([{ ...NONE, nodes: 2, tests: 1, tokens: 2 }])
  })

  it('waits for its source where the types with an edge of the name disagree on its order', async () => {
    const schema = defineSchema({
      person: node({ edges: { notes: edge('note') } }),
      note: node({ edges: { notes: edge('note', { order: 'chronological' }) } }),
    })
    const counted = countReads(createMemoryStore())
    await counted.write([{ op: 'putNode', node: { id: '1', type: 'person', fields: {} } }], {
      signal: undefined,
    })
    const { getEdge, session } = createGraph(counted, { schema })
    const viewer = session({ viewer: '1', app: 'demo', scopes: [] })
    const readsOf = async (call: object): Promise<number> => {
      counted.clear()
      await loosely(getEdge, viewer, { id: '1', edge: 'notes', ...call })
      return counted.reads.length
    }
    expect(await readsOf({})).toBe(2)
    expect(await readsOf({ type: 'person' })).toBe(1)
    expect(await readsOf({ order: 'chronological' })).toBe(1)
  })
})
