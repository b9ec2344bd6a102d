import { createGraph, isGraphError } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import { measureLoadTurns, type SourceName } from './campaigns/common/load-turns.ts'
import { openEmptyStore } from './campaigns/common/opened-stores.ts'

const LONG = process.env.KITHGRAPH_LONG !== undefined
const MAX_HOLD_MS = 50

/** Wraps a memory store. Each mutation blocks the process for some time. Records the sizes of the batches. */
const createSlowStore = (msPerMutation: number): { readonly store: Store; readonly sizes: number[] } => {
  const store = createMemoryStore()
  const sizes: number[] = []
  const write: Store['write'] = (mutations, options) => {
    sizes.push(mutations.length)
    const end = performance.now() + msPerMutation * mutations.length
    while (performance.now() < end);
    return store.write(mutations, options)
  }
  return { store: { ...store, write }, sizes }
}

const createUsers = (count: number, name = 'Ada') =>
  Array.from({ length: count }, (_, index) => ({
    node: { id: `${index + 1}`, type: 'user' as const, fields: { name } },
  }))

describe('a load without the option batch', () => {
  it('writes at most 1,000 records at once, and other tasks run in between', async () => {
    const { store, sizes } = createSlowStore(0)
    let turns = 0
    let isOver = false
    const tick = (): void => {
      turns++
      if (!isOver) setImmediate(tick)
    }
    setImmediate(tick)
    await createGraph(store).load(createUsers(8000))
    isOver = true
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1000)
    expect(turns).toBeGreaterThanOrEqual(sizes.length)
  })

  it('writes fewer records at once if a write blocks the process for long', async () => {
    const { store, sizes } = createSlowStore(0.2)
    await createGraph(store).load(createUsers(2000))
    const [, ...laterSizes] = sizes
    expect(Math.max(...laterSizes)).toBeLessThanOrEqual(125)
  })

  it.each([
    ['objects', createUsers(40, 'x'.repeat(100_000))],
    ['lines', createUsers(40, 'x'.repeat(100_000)).map(record => `${JSON.stringify(record)}\n`)],
  ])('writes fewer records at once if they are large %s', async (_, source) => {
    const { store, sizes } = createSlowStore(0)
    await createGraph(store).load(source)
    expect(sizes).toEqual([11, 11, 11, 7])
  })
})

describe('a load with the option batch', () => {
  it('writes that number of records at once, regardless of their size and of the time', async () => {
    const { store, sizes } = createSlowStore(0.1)
    await createGraph(store).load(createUsers(1000, 'x'.repeat(5000)), { batch: 400 })
    expect(sizes).toEqual([400, 400, 200])
  })
})

describe('a load of a synchronous source that never contains a record', () => {
  it.each([
    ['blank lines', '\n'.repeat(100)],
    ['empty chunks', ''],
  ])('can be aborted: %s', async (_, chunk) => {
    const endless = function* () {
      for (;;) yield chunk
    }
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 5)
    const error: unknown = await createGraph(createMemoryStore())
      .load(endless(), { signal: controller.signal })
      .catch((thrown: unknown) => thrown)
    expect(isGraphError(error) && error.reason).toBe('aborted')
  })
})

describe.runIf(LONG)('a load of 1,000,000 edges', () => {
  it.each<[string, SourceName]>([
    ['memory', 'records'],
    ['memory', 'random'],
    ['memory', 'bytes'],
    ['sqlite', 'records'],
    ['sqlite', 'text'],
    ['sqlite', 'random'],
  ])(
    `into %s never uses the processor for more than ${MAX_HOLD_MS} ms at a time: %s`,
    async (kind, source) => {
      const { store, stop } = await openEmptyStore(kind)
      const { turns } = await measureLoadTurns(store, source, 1_000_000)
      await store.close()
      await stop()
      expect(Math.max(...turns.map(({ processor }) => processor))).toBeLessThanOrEqual(MAX_HOLD_MS)
    },
  )
})
