import fc from 'fast-check'
import { arbitraries, countReads, createModelStore, scheduleStore, seededSchedule } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { isPromiseLike } from '../../src/base/awaitable.ts'
import { compareIds, isNodeId } from '../../src/base/ids.ts'
import type { Mutation, Store, Wave } from '../../src/store/contract.ts'
import { guardStore } from '../../src/store/guard.ts'
import { putEdge, putNodes, rangeOf } from '../../src/testing/records.ts'

const WRITE = { signal: undefined }
const READ = { signal: undefined, deadline: undefined, atLeast: undefined }
const NOTHING: Wave = { nodes: [], ranges: [], tests: [], tokens: [] }
const LIKES = ['2', '3', '4'].map((target, time) => putEdge('1', 'likes', target, time))
const MUTATIONS = [...putNodes('1', '2', '3', '4'), ...LIKES]
const WAVE: Wave = {
  nodes: ['1', '9', '1'],
  ranges: [rangeOf('1', 'likes', { limit: 2 })],
  tests: [{ source: '1', name: 'likes', target: '2' }],
  tokens: ['none'],
}

const written = async (store: Store, mutations: readonly Mutation[] = MUTATIONS): Promise<Store> => {
  await store.write(mutations, WRITE)
  return store
}

describe('countReads', () => {
  it('logs each wave with what it asked and how many records came', async () => {
    const store = countReads(await written(createModelStore()))
    await store.read(WAVE, READ)
    await store.read(NOTHING, READ)
    expect(store.reads).toEqual([
      { wave: WAVE, asked: { nodes: 3, ranges: 1, tests: 1, tokens: 1 }, rows: 4 },
      { wave: NOTHING, asked: { nodes: 0, ranges: 0, tests: 0, tokens: 0 }, rows: 0 },
    ])
  })

  it('counts the reads of snapshots, and forgets on request', async () => {
    const store = countReads(createModelStore())
    const snapshot = await store.snapshot()
    await snapshot.read(NOTHING, READ)
    expect(store.reads).toHaveLength(1)
    store.clear()
    expect(store.reads).toEqual([])
  })

  it('answers at once where the store does, and later where it does', async () => {
    expect(isPromiseLike(countReads(createModelStore()).read(NOTHING, READ))).toBe(false)
    const delayed = countReads(scheduleStore(createModelStore(), seededSchedule({ seed: 1, failures: 0 })))
    const answer = delayed.read(NOTHING, READ)
    expect(isPromiseLike(answer)).toBe(true)
    expect(delayed.reads).toEqual([])
    await answer
    expect(delayed.reads).toHaveLength(1)
  })
})

describe('scheduleStore', () => {
  it('runs every operation as the schedule says', async () => {
    const operations: string[] = []
    const store = scheduleStore(createModelStore(), async (operation, run) => {
      operations.push(operation)
      return run()
    })
    await store.open()
    await store.write(MUTATIONS, WRITE)
    const snapshot = await store.snapshot()
    await snapshot.read(WAVE, READ)
    await snapshot.close()
    await store.close()
    expect(operations).toEqual(['open', 'write', 'snapshot', 'read', 'close', 'close'])
  })

  it('lets the scheduler of fast-check find an order of answers', async () => {
    const property = fc.asyncProperty(fc.scheduler(), async scheduler => {
      const store = scheduleStore(createModelStore(), (operation, run) =>
        scheduler.schedule(Promise.resolve(), operation).then(run),
      )
      const order: string[] = []
      const write = async (id: string) => {
        await store.write(putNodes(id), WRITE)
        order.push(id)
      }
      await scheduler.waitFor(Promise.all([write('1'), write('2')]))
      return order.join() === '1,2'
    })
    expect((await fc.check(property)).failed).toBe(true)
  })
})

describe('seededSchedule', () => {
  /** The ids of many parallel writes in the order of their answers, failed ones with a minus. */
  const play = async (seed: number, failures: number): Promise<string[]> => {
    const store = scheduleStore(createModelStore(), seededSchedule({ seed, failures }))
    const order: string[] = []
    const ids = Array.from({ length: 40 }, (_, index) => `${index + 1}`)
    await Promise.all(
      ids.map(async id => {
        const failed = await Promise.resolve(store.write(putNodes(id), WRITE)).then(
          () => false,
          () => true,
        )
        order.push(failed ? `-${id}` : id)
      }),
    )
    return order
  }

  it('does the same for the same seed, and another thing for another', async () => {
    expect(await play(7, 0.5)).toEqual(await play(7, 0.5))
    expect(await play(7, 0.5)).not.toEqual(await play(8, 0.5))
  })

  it('reorders answers', async () => {
    const order = await play(3, 0)
    expect(order).not.toEqual(order.toSorted(compareIds))
  })

  it('fails the share that it is asked to', async () => {
    const failed = (order: string[]) => order.filter(id => id.startsWith('-')).length
    expect(failed(await play(5, 0))).toBe(0)
    expect(failed(await play(5, 0.5))).toBeGreaterThan(5)
    expect(failed(await play(5, 0.5))).toBeLessThan(35)
    expect(failed(await play(5, 1))).toBe(40)
  })

  it('whatever fails, a batch that is sent until it succeeds is there, once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async seed => {
        const store = guardStore(scheduleStore(createModelStore(), seededSchedule({ seed, failures: 0.6 })))
        const insist = async <T>(call: () => PromiseLike<T> | T): Promise<T> => {
          for (;;) {
            try {
              return await call()
            } catch (error) {
              expect(error).toMatchObject({ data: { reason: 'store_fault' } })
            }
          }
        }
        await insist(() => store.write(MUTATIONS, WRITE))
        const { ranges } = await insist(() =>
          store.read({ ...NOTHING, ranges: [rangeOf('1', 'likes')] }, READ),
        )
        expect(ranges[0]).toMatchObject({ total: 3, more: false })
      }),
    )
  })
})

describe('arbitraries', () => {
  const { id, time, graph, fields } = arbitraries(fc)

  it('ids are ids, times are times, fields are never null', () => {
    fc.assert(
      fc.property(id, time, fields, (id, time, fields) => {
        expect(isNodeId(id)).toBe(true)
        expect(Number.isInteger(time) && Math.abs(time) <= 8.64e15).toBe(true)
        expect(Object.values(fields)).not.toContain(null)
      }),
    )
  })

  it('a graph is whole: it can be written as it is', () => {
    fc.assert(
      fc.property(graph, ({ nodes, edges }) => {
        const store = createModelStore()
        store.write(
          nodes.map(node => ({ op: 'putNode', node })),
          WRITE,
        )
        store.write(
          edges.map(edge => ({ op: 'putEdge', edge })),
          WRITE,
        )
      }),
    )
  })
})
