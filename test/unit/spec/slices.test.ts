import fc from 'fast-check'
import { createGraph } from 'kithgraph'
import { type CountedStore, countReads } from 'kithgraph/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { EdgeRange, EdgeSlice, Store } from '../../../src/store/contract.ts'
import { ADA, NEWEST_FIRST, SCOPES, worldStore } from '../../helpers/world.ts'
import { loosely } from '../abuse/fault-of.ts'

const store: CountedStore = countReads(await worldStore())
const graph = createGraph(store)
const { getEdge, getNode } = graph
const ada = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })

beforeEach(() => store.clear())

describe('what is read', () => {
  it('is at most one row a range more than its limit', async () => {
    const limit = fc.integer({ min: 1, max: 70 })
    await fc.assert(
      fc.asyncProperty(limit, limit, async (photos, comments) => {
        store.clear()
        const fields = `photos.limit(${photos}){comments.limit(${comments}){from}}`
        await loosely(getNode, ada, { id: ADA, fields })
        for (const { wave, rows } of store.reads) {
          const most = wave.ranges.reduce((sum, range) => sum + range.limit + 1, wave.nodes.length)
          expect(rows).toBeLessThanOrEqual(most)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('is the same for a page at the end of a list as for its first', async () => {
    const rowsOf = async (after: string | undefined): Promise<number> => {
      store.clear()
      await getEdge(ada, { id: ADA, edge: 'photos', limit: 5, after })
      return store.reads.reduce((sum, { rows }) => sum + rows, 0)
    }
    const { paging } = await getEdge(ada, { id: ADA, edge: 'photos', limit: 50 })
    expect(await rowsOf(paging?.cursors.after)).toBe(await rowsOf(undefined))
  })
})

describe('a store that answers less than was asked', () => {
  /** Answers at most two entries a range, and says where to go on. */
  const stingy = (inner: Store): Store => {
    const shorten = (slice: EdgeSlice, range: EdgeRange): EdgeSlice => {
      const entries = slice.entries.slice(0, 2)
      const more = slice.more || entries.length < slice.entries.length
      return { entries, more, end: entries.at(-1) ?? slice.end, total: range.count ? slice.total : undefined }
    }
    return {
      capabilities: inner.capabilities,
      open: () => inner.open(),
      close: () => inner.close(),
      write: (mutations, options) => inner.write(mutations, options),
      snapshot: () => inner.snapshot(),
      read: async (wave, options) => {
        const answer = await inner.read(wave, options)
        const ranges = wave.ranges.map((range, index) =>
          shorten(answer.ranges[index] ?? Object(undefined), range),
        )
        return { ...answer, ranges }
      },
    }
  }

  it('is asked again, for all short lists together, and the pages are full', async () => {
    const counted = countReads(stingy(await worldStore()))
    const short = createGraph(counted)
    const session = short.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    const fields = 'photos.limit(5).summary(true){id},friends{id},likes{id},accounts{id}'
    const answer = await loosely(short.getNode, session, { id: ADA, fields })
    expect(answer).toEqual(await loosely(getNode, ada, { id: ADA, fields }))
    expect(counted.reads.map(({ asked }) => asked.ranges)).toEqual([0, 4, 1, 1])
  })

  it('gives the same pages in both directions', async () => {
    const short = createGraph(stingy(await worldStore()))
    const session = short.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    const { paging } = await short.getEdge(session, { id: ADA, edge: 'photos', limit: 30 })
    const before = paging?.cursors.after
    const page = await short.getEdge(session, { id: ADA, edge: 'photos', limit: 7, before, fields: 'id' })
    expect(page.data).toEqual(NEWEST_FIRST.slice(22, 29).map(id => ({ id })))
    expect(page).toEqual(await getEdge(ada, { id: ADA, edge: 'photos', limit: 7, before, fields: 'id' }))
  })
})
