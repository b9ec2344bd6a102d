import fc from 'fast-check'
import { arbitraries, countReads, createModelStore, scheduleStore, seededSchedule } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { isPromiseLike } from '../../src/base/awaitable.ts'
import { GraphError } from '../../src/base/errors.ts'
import { compareIds, isNodeId } from '../../src/base/ids.ts'
import type { Store, StoreReadRequest } from '../../src/store/contract.ts'
import { guardStore } from '../../src/store/guard.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { createRange, putEdge, putNodes } from '../../src/testing/records.ts'

const WRITE = { signal: undefined }
const READ = { signal: undefined, deadline: undefined, minRevision: undefined }
const EMPTY_REQUEST: StoreReadRequest = { nodes: [], ranges: [], checks: [], tokens: [] }
const LIKES = ['2', '3', '4'].map((target, time) => putEdge('1', 'likes', target, time))
const MUTATIONS = [...putNodes('1', '2', '3', '4'), ...LIKES]
const REQUEST: StoreReadRequest = {
  nodes: ['1', '9', '1'],
  ranges: [createRange('1', 'likes', { limit: 2 })],
  checks: [{ source: '1', name: 'likes', target: '2' }],
  tokens: ['none'],
}

const writeAll = async (store: Store, mutations: readonly StoreMutation[] = MUTATIONS): Promise<Store> => {
  await store.write(mutations, WRITE)
  return store
}

describe('countReads', () => {
  it('logs each read with the size of its request and the number of returned records', async () => {
    const store = countReads(await writeAll(createModelStore()))
    await store.read(REQUEST, READ)
    await store.read(EMPTY_REQUEST, READ)
    expect(store.reads).toEqual([
      { request: REQUEST, requested: { nodes: 3, ranges: 1, checks: 1, tokens: 1 }, rows: 4 },
      { request: EMPTY_REQUEST, requested: { nodes: 0, ranges: 0, checks: 0, tokens: 0 }, rows: 0 },
    ])
  })

  it('counts the reads of snapshots, and clears its log on request', async () => {
    const store = countReads(createModelStore())
    const snapshot = await store.snapshot()
    await snapshot.read(EMPTY_REQUEST, READ)
    expect(store.reads).toHaveLength(1)
    store.clear()
    expect(store.reads).toEqual([])
  })

  it('is synchronous if its store is synchronous, and asynchronous otherwise', async () => {
    expect(isPromiseLike(countReads(createModelStore()).read(EMPTY_REQUEST, READ))).toBe(false)
    const delayed = countReads(scheduleStore(createModelStore(), seededSchedule({ seed: 1, failures: 0 })))
    const result = delayed.read(EMPTY_REQUEST, READ)
    expect(isPromiseLike(result)).toBe(true)
    expect(delayed.reads).toEqual([])
    await result
    expect(delayed.reads).toHaveLength(1)
  })
})

describe('scheduleStore', () => {
  it('runs every operation through its schedule', async () => {
    const operations: string[] = []
    const store = scheduleStore(createModelStore(), async (operation, run) => {
      operations.push(operation)
      return run()
    })
    await store.open()
    await store.write(MUTATIONS, WRITE)
    const snapshot = await store.snapshot()
    await snapshot.read(REQUEST, READ)
    await snapshot.close()
    await store.close()
    expect(operations).toEqual(['open', 'write', 'snapshot', 'read', 'close', 'close'])
  })

  it('lets the scheduler of fast-check choose the order of results', async () => {
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
  /**
   * Returns the ids of many parallel writes in the order of their results, with a minus for failed writes.
   */
  const runWrites = async (seed: number, failures: number): Promise<string[]> => {
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

  it('returns results in the same order for the same seed, and in another order for another seed', async () => {
    expect(await runWrites(7, 0.5)).toEqual(await runWrites(7, 0.5))
    expect(await runWrites(7, 0.5)).not.toEqual(await runWrites(8, 0.5))
  })

  it('reorders results', async () => {
    const order = await runWrites(3, 0)
    expect(order).not.toEqual(order.toSorted(compareIds))
  })

  it('makes the requested share of operations fail', async () => {
    const countFailed = (order: string[]) => order.filter(id => id.startsWith('-')).length
    expect(countFailed(await runWrites(5, 0))).toBe(0)
    expect(countFailed(await runWrites(5, 0.5))).toBeGreaterThan(5)
    expect(countFailed(await runWrites(5, 0.5))).toBeLessThan(35)
    expect(countFailed(await runWrites(5, 1))).toBe(40)
  })

  it('lets a batch that is repeated until it succeeds have the same result as one write', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async seed => {
        const store = guardStore(scheduleStore(createModelStore(), seededSchedule({ seed, failures: 0.6 })))
        const insist = async <T>(call: () => PromiseLike<T> | T): Promise<T> => {
          for (;;) {
            try {
              return await call()
            } catch (error) {
              expect(error).toMatchObject({ reason: 'store_error' })
            }
          }
        }
        await insist(() => store.write(MUTATIONS, WRITE))
        const { ranges } = await insist(() =>
          store.read({ ...EMPTY_REQUEST, ranges: [createRange('1', 'likes')] }, READ),
        )
        expect(ranges[0]).toMatchObject({ total: 3, hasMore: false })
      }),
    )
  })
})

describe('arbitraries', () => {
  const { id, time, graph, fields, conditionalMutation } = arbitraries(fc)

  it('generate valid ids, valid times, and fields that are not null', () => {
    fc.assert(
      fc.property(id, time, fields, (id, time, fields) => {
        expect(isNodeId(id)).toBe(true)
        expect(Number.isInteger(time) && Math.abs(time) <= 8.64e15).toBe(true)
        expect(Object.values(fields)).not.toContain(null)
      }),
    )
  })

  it('generate graphs that a store accepts', () => {
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

  it('generate conditions and increments that are often possible, and often not', () => {
    const counts = { possible: 0, conflict: 0, invalid_mutation: 0 }
    const property = fc.property(fc.array(conditionalMutation, { minLength: 5 }), mutations => {
      const store = createModelStore()
      store.write(putNodes('1', '2', '10'), WRITE)
      for (const mutation of mutations) {
        const isConditional = 'when' in mutation || 'increment' in mutation
        try {
          store.write([mutation], WRITE)
          if (isConditional) counts.possible++
        } catch (error) {
          expect(error).toBeInstanceOf(GraphError)
          const isConflict = error instanceof GraphError && error.reason === 'conflict'
          if (isConditional) counts[isConflict ? 'conflict' : 'invalid_mutation']++
        }
      }
    })
    fc.assert(property)
    expect(
      Object.values(counts).every(count => count > 20),
      JSON.stringify(counts),
    ).toBe(true)
  })
})
