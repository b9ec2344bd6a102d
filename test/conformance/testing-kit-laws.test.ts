import { assertDirectionsAgree, assertPagesJoin, createModelStore } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { Store, StoreReader } from '../../src/store/contract.ts'
import { applyMutation, type Model, readModel, readModelRange } from '../../src/testing/model.ts'
import { createModelStoreWith } from '../../src/testing/model-store.ts'
import { createNode, putEdge, putNodes } from '../../src/testing/records.ts'

/** Writes a list of three edges to a store. */
const writeList = async (store: Store): Promise<Store> => {
  const edges = ['2', '3', '4'].map((target, time) => putEdge('1', 'likes', target, time))
  await store.write([...putNodes('1', '2', '3', '4'), ...edges], { signal: undefined })
  return store
}

describe('the assertions about lists of a store', () => {
  const createBrokenStore = (readRange: typeof readModelRange): Store =>
    createModelStoreWith({
      apply: applyMutation,
      read: (model: Model, request) => ({
        ...readModel(model, request),
        ranges: request.ranges.map(range => readRange(model, range)),
      }),
    })
  const assertPages = (store: Store) =>
    assertPagesJoin(store, { source: '1', name: 'likes', direction: 'oldest', limit: 2 })

  it('pass for the model store', async () => {
    const store = await writeList(createModelStore())
    await assertPages(store)
    await assertDirectionsAgree(store, { source: '1', name: 'likes', limit: 2 })
  })

  it.each<[string, typeof readModelRange, RegExp]>([
    [
      'a wrong count',
      (model, range) => ({ ...readModelRange(model, range), total: 7 }),
      /the number of entries and the count/,
    ],
    [
      'pages that all begin at the start of the list',
      (model, range) => readModelRange(model, { ...range, from: undefined }),
      /expected an entry after/,
    ],
    [
      'the opposite order',
      (model, range) => readModelRange(model, { ...range, direction: 'newest' }),
      /wrong order/,
    ],
  ])('fail for %s', async (_, readRange, message) => {
    const store = await writeList(createBrokenStore(readRange))
    await expect(assertPages(store)).rejects.toThrow(message)
  })

  it('pass for more entries than a function call can have arguments', async () => {
    const length = 200_000
    const node = createNode('1')
    const entries = Array.from({ length }, (_, time) => ({ target: '1', time, data: undefined, node }))
    const readAll: StoreReader['read'] = ({ ranges }) => ({
      ...{ nodes: [], checks: [], tokens: [] },
      ranges: ranges.map(() => ({ entries, hasMore: false, lastExamined: undefined, total: length })),
    })
    const list = { source: '1', name: 'likes', direction: 'oldest', limit: length } as const
    await assertPagesJoin({ read: readAll }, list)
  })

  it('fail if the two directions of a list do not have opposite orders', async () => {
    const store = await writeList(
      createBrokenStore((model, range) => readModelRange(model, { ...range, direction: 'newest' })),
    )
    await expect(assertDirectionsAgree(store, { source: '1', name: 'likes', limit: 9 })).rejects.toThrow(
      /is the reverse of oldest first/,
    )
  })
})
