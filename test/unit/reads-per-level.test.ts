import fc from 'fast-check'
import { createGraph, defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { type CountedStore, countReads } from 'kithgraph/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  ADA,
  COMPILERS,
  createWorldStore,
  EDSGER,
  ENGINE,
  GRACE,
  NEWEST_PHOTO,
  ORPHAN,
  SCOPES,
  STATUS,
} from '../helpers/world.ts'
import { callUntyped } from './abuse/expect-graph-error.ts'

const store: CountedStore = countReads(await createWorldStore())
const graph = createGraph(store)
const { explain, getEdge, getEdges, getMe, getNode, getNodes, hasEdge } = graph
const ada = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })

beforeEach(() => store.clear())

const NO_READS = { nodes: 0, ranges: 0, checks: 0, tokens: 0 }

/** Returns the number of nodes, ranges, checks and tokens that each read requested. */
const countReadParts = () => store.reads.map(read => read.requested)

/** Returns the number of store reads of a call. */
const countReadsOf = async (call: () => Promise<unknown>): Promise<number> => {
  store.clear()
  await call()
  return store.reads.length
}

describe('each level of a selection', () => {
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
  ])('takes one read: %s has %d levels', async (fields, levels) => {
    expect(await countReadsOf(() => callUntyped(getNode, ada, { id: ADA, fields }))).toBe(levels)
    expect(explain(Object({ type: 'user', fields })).reads).toBe(levels)
  })

  it('takes one read, whatever the limits of its lists', async () => {
    const limit = fc.integer({ min: 1, max: 100 })
    await fc.assert(
      fc.asyncProperty(limit, limit, limit, async (photos, comments, friends) => {
        const fields = `photos.limit(${photos}){comments.limit(${comments}){from}},friends.limit(${friends}){likes}`
        expect(await countReadsOf(() => callUntyped(getNode, ada, { id: ADA, fields }))).toBe(4)
      }),
      { numRuns: 20 },
    )
  })

  it('adds no read beyond the number that explain returns', async () => {
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
          const reads = await countReadsOf(() => callUntyped(getNode, ada, { id, fields }))
          expect(reads).toBeLessThanOrEqual(explain(Object({ type: 'user', fields })).reads)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('joins the requests of siblings into one read', async () => {
    await callUntyped(getNode, ada, {
      id: NEWEST_PHOTO,
      fields: 'from,viewer_likes,comments.limit(2),likes.limit(1)',
    })
    expect(countReadParts()).toEqual([
      { ...NO_READS, nodes: 1 },
      { ...NO_READS, nodes: 1, ranges: 2, checks: 1 },
    ])
  })

  it('reads the lists of all its parents together, with the limit for each', async () => {
    await callUntyped(getNode, ada, { id: ADA, fields: 'photos.limit(10){comments.limit(3){from}}' })
    expect(countReadParts()).toEqual([
      { ...NO_READS, nodes: 1 },
      { ...NO_READS, ranges: 1 },
      { ...NO_READS, ranges: 10 },
      { ...NO_READS, nodes: 3 },
    ])
    expect(store.reads[2]?.request.ranges.map(({ limit }) => limit)).toEqual(Array(10).fill(3))
  })

  it('takes no read if there is nothing to read', async () => {
    expect(
      await countReadsOf(() => callUntyped(getNode, ada, { id: EDSGER, fields: 'photos{comments{from}}' })),
    ).toBe(2)
    expect(
      await countReadsOf(() => callUntyped(getNode, ada, { id: COMPILERS, fields: 'feed{to{feed}}' })),
    ).toBe(4)
    const app = graph.session({ viewer: undefined, app: 'demo', scopes: [] })
    expect(
      await countReadsOf(() => callUntyped(getNode, app, { id: NEWEST_PHOTO, fields: 'viewer_likes' })),
    ).toBe(1)
  })

  it('takes no read below a ref without a target', async () => {
    expect(await countReadsOf(() => callUntyped(getNode, ada, { id: ORPHAN, fields: 'from{name}' }))).toBe(2)
    expect(await countReadsOf(() => callUntyped(getNode, ada, { id: ORPHAN, fields: 'to{name}' }))).toBe(1)
  })

  it('takes no read for a computed field', async () => {
    const schema = socialSchema.extend({
      photo: {
        fields: { title: field.string({ resolve: async records => records.map(({ id }) => `No. ${id}`) }) },
      },
    })
    const { getNode, session } = createGraph(store, { schema })
    const ada = session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    expect(
      await countReadsOf(() => callUntyped(getNode, ada, { id: ADA, fields: 'photos.limit(3){title,from}' })),
    ).toBe(3)
  })

  it('takes one read for several nodes of several types', async () => {
    const call = { ids: [ADA, GRACE, STATUS, ENGINE], fields: 'likes{name}' }
    expect(await countReadsOf(() => callUntyped(getNodes, ada, call))).toBe(2)
    expect(countReadParts()).toEqual([
      { ...NO_READS, nodes: 4 },
      { ...NO_READS, ranges: 4 },
    ])
  })
})

describe('the record of a token', () => {
  it('is part of the first read if the id of the node is known', async () => {
    await getNode(token, { id: ADA })
    expect(countReadParts()).toEqual([{ ...NO_READS, nodes: 1, tokens: 2 }])
  })

  it('is read separately before the node if the id is me', async () => {
    await getMe(token)
    expect(countReadParts()).toEqual([
      { ...NO_READS, tokens: 2 },
      { ...NO_READS, nodes: 1 },
    ])
  })

  it('is not read for a session', async () => {
    await getMe(ada)
    expect(countReadParts()).toEqual([{ ...NO_READS, nodes: 1 }])
  })

  it('is not read for the token of an app', async () => {
    const graph = createGraph(store, { appSecrets: { demo: 'the secret of demo' } })
    await graph.getNode('demo|the secret of demo', { id: ADA })
    expect(countReadParts()).toEqual([{ ...NO_READS, nodes: 1 }])
  })
})

describe('a call that reads edges', () => {
  it('takes one read for token, source and range together', async () => {
    await getEdge(token, { id: ADA, edge: 'photos' })
    expect(countReadParts()).toEqual([{ ...NO_READS, nodes: 1, ranges: 1, tokens: 2 }])
  })

  it('takes one read for any page, even with a summary', async () => {
    const { paging } = await getEdge(ada, { id: ADA, edge: 'photos', limit: 5 })
    const after = paging?.cursors.after
    expect(
      await countReadsOf(() => getEdge(ada, { id: ADA, edge: 'photos', limit: 5, after, summary: true })),
    ).toBe(1)
    expect(
      await countReadsOf(() => getEdge(ada, { id: ADA, edge: 'photos', limit: 5, before: after, since: 0 })),
    ).toBe(1)
  })

  it('takes one additional read if the id is me and the caller has a token', async () => {
    expect(await countReadsOf(() => getEdge(token, { id: 'me', edge: 'photos' }))).toBe(2)
    expect(await countReadsOf(() => getEdge(ada, { id: 'me', edge: 'photos' }))).toBe(1)
  })

  it('takes one additional read for each level below', async () => {
    const fields = 'comments{from}'
    expect(await countReadsOf(() => getEdge(ada, { id: ADA, edge: 'photos', fields }))).toBe(3)
    expect(explain({ type: 'user', edge: 'photos', fields }).reads).toBe(3)
  })

  it('takes one read for several sources', async () => {
    expect(
      await countReadsOf(() => callUntyped(getEdges, token, { ids: [ADA, GRACE, ENGINE], edge: 'likes' })),
    ).toBe(1)
    expect(countReadParts()).toEqual([{ ...NO_READS, nodes: 3, ranges: 3, tokens: 2 }])
  })

  it('takes one read if it is hasEdge', async () => {
    await hasEdge(token, { id: ADA, edge: 'friends', target: GRACE })
    expect(countReadParts()).toEqual([{ ...NO_READS, nodes: 2, checks: 1, tokens: 2 }])
  })

  it('takes a second read if several types have an edge with this name but different orders', async () => {
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
      await callUntyped(getEdge, viewer, { id: '1', edge: 'notes', ...call })
      return counted.reads.length
    }
    expect(await readsOf({})).toBe(2)
    expect(await readsOf({ type: 'person' })).toBe(1)
    expect(await readsOf({ order: 'chronological' })).toBe(1)
  })
})
