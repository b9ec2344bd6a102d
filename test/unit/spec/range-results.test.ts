import fc from 'fast-check'
import { createGraph } from 'kithgraph'
import { type CountedStore, countReads } from 'kithgraph/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { EdgeRange, RangeResult, Store } from '../../../src/store/contract.ts'
import { ADA, createWorldStore, NEWEST_FIRST, SCOPES } from '../../helpers/world.ts'
import { callUntyped } from '../abuse/expect-graph-error.ts'

const store: CountedStore = countReads(await createWorldStore())
const graph = createGraph(store)
const { getEdge, getNode } = graph
const ada = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })

beforeEach(() => store.clear())

describe('a call that reads edges', () => {
  it('reads at most one row more than the limit of each list', async () => {
    const limit = fc.integer({ min: 1, max: 70 })
    await fc.assert(
      fc.asyncProperty(limit, limit, async (photos, comments) => {
        store.clear()
        const fields = `photos.limit(${photos}){comments.limit(${comments}){from}}`
        await callUntyped(getNode, ada, { id: ADA, fields })
        for (const { request, rows } of store.reads) {
          const most = request.ranges.reduce((sum, range) => sum + range.limit + 1, request.nodes.length)
          expect(rows).toBeLessThanOrEqual(most)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('reads as many rows for the last page of a list as for the first', async () => {
    const rowsOf = async (after: string | undefined): Promise<number> => {
      store.clear()
      await getEdge(ada, { id: ADA, edge: 'photos', limit: 5, after })
      return store.reads.reduce((sum, { rows }) => sum + rows, 0)
    }
    const { paging } = await getEdge(ada, { id: ADA, edge: 'photos', limit: 50 })
    expect(await rowsOf(paging?.cursors.after)).toBe(await rowsOf(undefined))
  })
})

describe('a store that returns fewer entries than requested', () => {
  /** Creates a store that returns at most two entries per range, and the position to continue from. */
  const createShortReadingStore = (inner: Store): Store => {
    const shorten = (rangeResult: RangeResult, range: EdgeRange): RangeResult => {
      const entries = rangeResult.entries.slice(0, 2)
      const hasMore = rangeResult.hasMore || entries.length < rangeResult.entries.length
      return {
        entries,
        hasMore,
        lastExamined: entries.at(-1) ?? rangeResult.lastExamined,
        total: range.count ? rangeResult.total : undefined,
      }
    }
    return {
      capabilities: inner.capabilities,
      open: () => inner.open(),
      close: () => inner.close(),
      write: (mutations, options) => inner.write(mutations, options),
      snapshot: () => inner.snapshot(),
      read: async (request, options) => {
        const result = await inner.read(request, options)
        const ranges = request.ranges.map((range, index) =>
          shorten(result.ranges[index] ?? Object(undefined), range),
        )
        return { ...result, ranges }
      },
    }
  }

  it('is read again only for the list whose page is not full, until it is full', async () => {
    const counted = countReads(createShortReadingStore(await createWorldStore()))
    const short = createGraph(counted)
    const session = short.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    const fields = 'photos.limit(5).summary(true){id},friends{id},likes{id},accounts{id}'
    const result = await callUntyped(short.getNode, session, { id: ADA, fields })
    expect(result).toEqual(await callUntyped(getNode, ada, { id: ADA, fields }))
    expect(counted.reads.map(({ requested }) => requested.ranges)).toEqual([0, 4, 1, 1])
  })

  it('gives the same page before a cursor as other stores', async () => {
    const short = createGraph(createShortReadingStore(await createWorldStore()))
    const session = short.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    const { paging } = await short.getEdge(session, { id: ADA, edge: 'photos', limit: 30 })
    const before = paging?.cursors.after
    const page = await short.getEdge(session, { id: ADA, edge: 'photos', limit: 7, before, fields: 'id' })
    expect(page.data).toEqual(NEWEST_FIRST.slice(22, 29).map(id => ({ id })))
    expect(page).toEqual(await getEdge(ada, { id: ADA, edge: 'photos', limit: 7, before, fields: 'id' }))
  })
})
