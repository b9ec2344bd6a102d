import type fastCheck from 'fast-check'
import type { Awaitable } from '../base/awaitable.ts'
import type { Store } from '../store/contract.ts'
import { assertCount } from './assert-count.ts'
import { assertRejects } from './assertions.ts'
import { StoreProbe } from './store-probe.ts'

/** The caller's fast-check, so that the suite uses the installed version: `import fc from 'fast-check'`. */
export type FastCheck = typeof fastCheck

/**
 * The part of a test runner that the suite requires. The runners of Vitest, Jest, Mocha, `node:test` and Bun
 * are all assignable.
 */
export type TestRunner = {
  /** Groups tests; calls `body` before it returns. */
  readonly describe: (name: string, body: () => void) => unknown
  /** Declares a test, which fails if its promise rejects. */
  readonly it: (name: string, body: () => Promise<void>) => unknown
  readonly fc: FastCheck
  /** The number of runs of each property. Default 100. */
  readonly runs?: number | undefined
}

/** The functions and settings that each section uses to declare its tests. */
export type StoreSuite = {
  readonly fc: TestRunner['fc']
  readonly runs: number
  /**
   * Declares a test on a new store. The test is about reads: it writes only to prepare the records that it
   * reads.
   */
  test(name: string, body: (store: StoreProbe) => Promise<void>): void
  /** Declares a test on a new store, about writes. */
  writeTest(name: string, body: (store: StoreProbe) => Promise<void>): void
  /**
   * Declares a test on a new store, about conditions, increments or ids of batches. The test does nothing if
   * the store does not support them, because such a store is never called with them.
   */
  conditionalTest(name: string, body: (store: StoreProbe) => Promise<void>): void
  /** Declares a test on a new store, if the store has the capability `collections`. */
  collectionTest(name: string, body: (store: StoreProbe) => Promise<void>): void
  /**
   * Declares a test on a new store with snapshots. A store without snapshots must reject the call of
   * `snapshot`.
   */
  snapshotTest(name: string, body: (store: StoreProbe) => Promise<void>): void
  /** Calls `body` with a new, open store, and closes the store afterwards. */
  withStore(body: (store: StoreProbe) => Promise<void>): Promise<void>
}

const DEFAULT_RUNS = 100

/**
 * Creates the functions of a suite. With `isWritable: false`, tests about writes are not declared.
 *
 * @throws TypeError if `runs` is not a positive integer.
 */
export const createStoreSuite = (
  { it, fc, runs = DEFAULT_RUNS }: TestRunner,
  create: () => Awaitable<Store>,
  { isWritable } = { isWritable: true },
): StoreSuite => {
  assertCount(isWritable ? 'describeStore' : 'describeReadOnlyStore', 'runs', runs)
  const withStore: StoreSuite['withStore'] = async body => {
    const store = await create()
    await store.open()
    try {
      await body(new StoreProbe(store))
    } finally {
      await store.close()
    }
  }
  const test: StoreSuite['test'] = (name, body) => it(name, () => withStore(body))
  const writeTest: StoreSuite['writeTest'] = isWritable ? test : () => undefined
  const capabilityTest =
    (capability: 'conditionalWrites' | 'collections'): StoreSuite['conditionalTest'] =>
    (name, body) =>
      writeTest(name, async store => {
        if (store.capabilities[capability]) await body(store)
      })
  const conditionalTest = capabilityTest('conditionalWrites')
  const collectionTest = capabilityTest('collections')
  const snapshotTest: StoreSuite['snapshotTest'] = (name, body) =>
    test(name, async store => {
      if (store.capabilities.snapshots) await body(store)
      else await assertRejects(() => store.snapshot(), 'a snapshot of a store without snapshots')
    })
  return { fc, runs, test, writeTest, conditionalTest, collectionTest, snapshotTest, withStore }
}
