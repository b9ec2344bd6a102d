import { assertMirrored, assertPagesJoin, createModelStore } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { Store, StoreReader } from '../../src/store/contract.ts'
import { answerRange, answerWave, applyMutation, type Model } from '../../src/testing/model.ts'
import { modelStoreOf } from '../../src/testing/model-store.ts'
import { nodeOf, putEdge, putNodes } from '../../src/testing/records.ts'

/** A store with a list of three edges. */
const written = async (store: Store): Promise<Store> => {
  const edges = ['2', '3', '4'].map((target, time) => putEdge('1', 'likes', target, time))
  await store.write([...putNodes('1', '2', '3', '4'), ...edges], { signal: undefined })
  return store
}

describe('the laws of lists', () => {
  const broken = (answer: typeof answerRange): Store =>
    modelStoreOf({
      apply: applyMutation,
      answer: (model: Model, wave) => ({
        ...answerWave(model, wave),
        ranges: wave.ranges.map(range => answer(model, range)),
      }),
    })
  const pages = (store: Store) =>
    assertPagesJoin(store, { source: '1', name: 'likes', direction: 'oldest', limit: 2 })

  it('pages join and directions mirror on the model', async () => {
    const store = await written(createModelStore())
    await pages(store)
    await assertMirrored(store, { source: '1', name: 'likes', limit: 2 })
  })

  it.each<[string, typeof answerRange, RegExp]>([
    [
      'a count that is wrong',
      (model, range) => ({ ...answerRange(model, range), total: 7 }),
      /as many as the count/,
    ],
    [
      'a walk that goes nowhere',
      (model, range) => answerRange(model, { ...range, from: undefined }),
      /not beyond/,
    ],
    [
      'an order that is the other one',
      (model, range) => answerRange(model, { ...range, direction: 'newest' }),
      /in order/,
    ],
  ])('pages find %s', async (_, answer, message) => {
    await expect(pages(await written(broken(answer)))).rejects.toThrow(message)
  })

  it('hold for a slice of more entries than a call takes arguments', async () => {
    const length = 200_000
    const node = nodeOf('1')
    const entries = Array.from({ length }, (_, time) => ({ target: '1', time, data: undefined, node }))
    const readAll: StoreReader['read'] = ({ ranges }) => ({
      ...{ nodes: [], tests: [], tokens: [] },
      ranges: ranges.map(() => ({ entries, more: false, end: undefined, total: length })),
    })
    const list = { source: '1', name: 'likes', direction: 'oldest', limit: length } as const
    await assertPagesJoin({ read: readAll }, list)
  })

  it('directions find a mirror that is none', async () => {
    const store = await written(
      broken((model, range) => answerRange(model, { ...range, direction: 'newest' })),
    )
    await expect(assertMirrored(store, { source: '1', name: 'likes', limit: 9 })).rejects.toThrow(/mirror/)
  })
})
