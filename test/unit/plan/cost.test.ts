import fc from 'fast-check'
import { createGraph, type GraphOptions } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { ADA, createWorld, EDSGER, SCOPES, worldStore } from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const { graph } = await createWorld()

const costOf = (fields: string, type = 'user'): number => graph.explain(Object({ type, fields })).cost

/** A graph with a limit on cost, asked by one who may see all. */
const withLimit = async (limits: GraphOptions['limits']) => {
  const { getNode, getNodes, getEdge, getEdges, session } = createGraph(await worldStore(), { limits })
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
  ])('of %s is that of its nodes, lists and values: %d', (fields, cost) => {
    expect(costOf(fields)).toBe(cost)
  })

  it('counts the page size of the graph', () => {
    const small = createGraph(createMemoryStore(), { limits: { page: 10 } })
    expect(small.explain({ type: 'user', fields: 'friends' }).cost).toBe(12)
    expect(small.explain({ type: 'user', fields: 'friends.limit(50)' }).cost).toBe(12)
    expect(small.explain({ type: 'user', edge: 'friends', fields: 'id' }).cost).toBe(12)
  })

  it('counts every root', async () => {
    const { getNodes, getEdges, viewer } = await withLimit({ cost: 10 })
    expect(
      (await faultOf(getNodes(viewer, { ids: [ADA, EDSGER], fields: 'friends.limit(5)' }))).data,
    ).toMatchObject({
      cost: 14,
      limit: 10,
      fits: 3,
    })
    expect(
      (await faultOf(getEdges(viewer, { ids: [ADA, EDSGER], edge: 'friends', limit: 5 }))).data,
    ).toMatchObject({
      cost: 14,
      fits: 3,
    })
  })

  it('counts what is asked, not what is there', async () => {
    const { getNode, viewer } = await withLimit({ cost: 10 })
    expect((await faultOf(getNode(viewer, { id: EDSGER, fields: 'friends.limit(9)' }))).data.reason).toBe(
      'too_costly',
    )
    expect(await getNode(viewer, { id: EDSGER, fields: 'friends.limit(8)' })).toMatchObject({ id: EDSGER })
  })
})

describe('a refusal', () => {
  it('says what it may come to, what is allowed and what would fit', async () => {
    const { getNode, viewer } = await withLimit({ cost: 100 })
    const fault = await faultOf(getNode(viewer, { id: ADA, fields: 'photos{comments}' }))
    expect(fault.data).toEqual({ reason: 'too_costly', cost: 1 + (1 + 25 * (1 + 26)), limit: 100, fits: 8 })
    expect(fault.message).toBe(
      '(#1) Please reduce the amount of data you ask for: the cost is 677, at most 100 is allowed; limit(8) on every edge would fit',
    )
  })

  it('says so where no limit would fit', async () => {
    const { getNode, viewer } = await withLimit({ cost: 2 })
    const fault = await faultOf(getNode(viewer, { id: ADA, fields: 'photos{from},friends' }))
    expect(fault.data).toMatchObject({ fits: 0 })
    expect(fault.message).toMatch(/; request fewer fields or ids$/)
  })

  it('names no limit where the values of a single node cost too much', async () => {
    const { getNode, viewer } = await withLimit({ cost: 9 })
    const fields = 'photos.limit(1){images,images.as(again)}'
    expect((await faultOf(getNode(viewer, { id: ADA, fields }))).data).toMatchObject({ cost: 13, fits: 0 })
  })

  it('names the largest size that would fit: it fits, and one more does not', async () => {
    const size = fc.integer({ min: 1, max: 100 })
    await fc.assert(
      fc.asyncProperty(
        size,
        size,
        size,
        fc.integer({ min: 5, max: 3000 }),
        async (photos, comments, likes, cost) => {
          const { getNode, viewer } = await withLimit({ cost })
          const fieldsAt = (most: number): string => {
            const [a, b, c] = [photos, comments, likes].map(limit => Math.min(limit, most))
            return `photos.limit(${a}){comments.limit(${b}){from},likes.limit(${c})}`
          }
          const ask = (most: number) => loosely(getNode, viewer, { id: ADA, fields: fieldsAt(most) })
          fc.pre(costOf(fieldsAt(100)) > cost)
          const { fits } = Object((await faultOf(ask(100))).data)
          if (fits > 0) expect(await ask(fits)).toMatchObject({ id: ADA })
          expect((await faultOf(ask(fits + 1))).data.reason).toBe('too_costly')
        },
      ),
      { numRuns: 25 },
    )
  })

  it('names one for an edge too', async () => {
    const { getEdge, viewer } = await withLimit({ cost: 50 })
    const call = { id: ADA, edge: 'photos', fields: 'comments{id}' } as const
    const { fits } = Object((await faultOf(getEdge(viewer, { ...call, limit: 50 }))).data)
    const fieldsOf = (limit: number) => ({ ...call, limit, fields: `comments.limit(${limit}){id}` })
    expect((await loosely(getEdge, viewer, fieldsOf(fits))) !== undefined).toBe(true)
    expect((await faultOf(loosely(getEdge, viewer, fieldsOf(fits + 1)))).data.reason).toBe('too_costly')
  })
})
