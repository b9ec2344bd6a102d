import fc from 'fast-check'
import { createGraph, type GraphOptions } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { ADA, createWorld, createWorldStore, EDSGER, SCOPES } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const { graph } = await createWorld()

const explainCost = (fields: string, type = 'user'): number => graph.explain(Object({ type, fields })).cost

/** Creates a graph with limits, and a viewer with all scopes. */
const createLimitedGraph = async (limits: GraphOptions['limits']) => {
  const { getNode, getNodes, getEdge, getEdges, session } = createGraph(await createWorldStore(), { limits })
  const viewer = session({ viewer: ADA, app: 'demo', scopes: SCOPES })
  return { getNode, getNodes, getEdge, getEdges, viewer }
}

describe('the cost of a query', () => {
  it.each([
    ['name,email,picture', 1],
    ['friends', 1 + (1 + 25)],
    ['friends.limit(3)', 1 + (1 + 3)],
    ['friends.limit(1000)', 1 + (1 + 100)],
    ['friends.limit(3).summary(true)', 1 + (1 + 3)],
    ['friends.limit(3),friends.limit(4).as(more)', 1 + (1 + 3) + (1 + 4)],
    ['friends.limit(3){friends.limit(4)}', 1 + (1 + 3 * (1 + (1 + 4)))],
    ['photos.limit(3){from}', 1 + (1 + 3 * (1 + 1))],
    ['photos.limit(3){viewer_likes,viewer_likes.as(again)}', 1 + (1 + 3 * (1 + 2))],
    ['photos.limit(3){images}', 1 + (1 + 3 * (1 + 5))],
    ['photos.limit(3){images{source},images.as(widths){width}}', 1 + (1 + 3 * (1 + 10))],
    ['photos.limit(3){from{photos.limit(5)},viewer_likes}', 1 + (1 + 3 * (1 + (1 + (1 + 5)) + 1))],
    [
      'photos.limit(2){comments.limit(3){from{name}},likes.limit(4)}',
      1 + (1 + 2 * (1 + (1 + 3 * 2) + (1 + 4))),
    ],
  ])('is the sum for nodes, lists and values: %s costs %d', (fields, cost) => {
    expect(explainCost(fields)).toBe(cost)
  })

  it('counts limits.page entries for a list without a limit or with a larger one', () => {
    const small = createGraph(createMemoryStore(), { limits: { page: 10 } })
    expect(small.explain({ type: 'user', fields: 'friends' }).cost).toBe(12)
    expect(small.explain({ type: 'user', fields: 'friends.limit(50)' }).cost).toBe(12)
    expect(small.explain({ type: 'user', edge: 'friends', fields: 'id' }).cost).toBe(12)
  })

  it('is added up for all ids of a call', async () => {
    const { getNodes, getEdges, viewer } = await createLimitedGraph({ cost: 10 })
    expect(
      (await expectGraphError(getNodes(viewer, { ids: [ADA, EDSGER], fields: 'friends.limit(5)' }))).data,
    ).toMatchObject({
      cost: 14,
      limit: 10,
      fits: 3,
    })
    expect(
      (await expectGraphError(getEdges(viewer, { ids: [ADA, EDSGER], edge: 'friends', limit: 5 }))).data,
    ).toMatchObject({
      cost: 14,
      fits: 3,
    })
  })

  it('depends on the query, not on the data', async () => {
    const { getNode, viewer } = await createLimitedGraph({ cost: 10 })
    expect((await expectGraphError(getNode(viewer, { id: EDSGER, fields: 'friends.limit(9)' }))).reason).toBe(
      'query_too_expensive',
    )
    expect(await getNode(viewer, { id: EDSGER, fields: 'friends.limit(8)' })).toMatchObject({ id: EDSGER })
  })
})

describe('a query that is too expensive', () => {
  it('is rejected with its cost, the limit and the page size that fits the limit', async () => {
    const { getNode, viewer } = await createLimitedGraph({ cost: 100 })
    const error = await expectGraphError(getNode(viewer, { id: ADA, fields: 'photos{comments}' }))
    expect(error.toJSON().error.error_data).toEqual({
      reason: 'query_too_expensive',
      cost: 1 + (1 + 25 * (1 + 26)),
      limit: 100,
      fits: 8,
    })
    expect(error.message).toBe(
      "(#1) Please reduce the amount of data you're asking for: the cost is 677, but at most 100 is allowed; use limit(8) on every edge",
    )
  })

  it('is rejected with fits: 0 if no page size fits the limit', async () => {
    const { getNode, viewer } = await createLimitedGraph({ cost: 2 })
    const error = await expectGraphError(getNode(viewer, { id: ADA, fields: 'photos{from},friends' }))
    expect(error.data).toMatchObject({ fits: 0 })
    expect(error.message).toMatch(/; request fewer fields or ids$/)
  })

  it('is rejected with fits: 0 if the values of a single node cost too much', async () => {
    const { getNode, viewer } = await createLimitedGraph({ cost: 9 })
    const fields = 'photos.limit(1){images,images.as(again)}'
    expect((await expectGraphError(getNode(viewer, { id: ADA, fields }))).data).toMatchObject({
      cost: 13,
      fits: 0,
    })
  })

  it('is rejected with the largest page size that fits the limit', async () => {
    const size = fc.integer({ min: 1, max: 100 })
    await fc.assert(
      fc.asyncProperty(
        size,
        size,
        size,
        fc.integer({ min: 5, max: 3000 }),
        async (photos, comments, likes, cost) => {
          const { getNode, viewer } = await createLimitedGraph({ cost })
          const fieldsAt = (most: number): string => {
            const [a, b, c] = [photos, comments, likes].map(limit => Math.min(limit, most))
            return `photos.limit(${a}){comments.limit(${b}){from},likes.limit(${c})}`
          }
          const readFields = (most: number) =>
            callUntyped(getNode, viewer, { id: ADA, fields: fieldsAt(most) })
          fc.pre(explainCost(fieldsAt(100)) > cost)
          const { fits } = Object((await expectGraphError(readFields(100))).data)
          if (fits > 0) expect(await readFields(fits)).toMatchObject({ id: ADA })
          expect((await expectGraphError(readFields(fits + 1))).reason).toBe('query_too_expensive')
        },
      ),
      { numRuns: 25 },
    )
  })

  it('is rejected by getEdge with the page size that fits the limit', async () => {
    const { getEdge, viewer } = await createLimitedGraph({ cost: 50 })
    const call = { id: ADA, edge: 'photos', fields: 'comments{id}' } as const
    const { fits } = Object((await expectGraphError(getEdge(viewer, { ...call, limit: 50 }))).data)
    const fieldsOf = (limit: number) => ({ ...call, limit, fields: `comments.limit(${limit}){id}` })
    expect((await callUntyped(getEdge, viewer, fieldsOf(fits))) !== undefined).toBe(true)
    expect((await expectGraphError(callUntyped(getEdge, viewer, fieldsOf(fits + 1)))).reason).toBe(
      'query_too_expensive',
    )
  })
})
