import type fastCheck from 'fast-check'
import type { Awaitable } from '../base/awaitable.ts'
import type { Session } from '../base/session.ts'
import { usageError } from '../base/usage-error.ts'
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
  /**
   * Declares a test on a new store with the probes of two sessions that see different data. The test does nothing
   * if the store does not read by session.
   */
  sessionTest(name: string, body: (first: StoreProbe, second: StoreProbe) => Promise<void>): void
  /** Calls `body` with a new, open store, and closes the store afterwards. */
  withStore(body: (store: StoreProbe) => Promise<void>): Promise<void>
}

const DEFAULT_RUNS = 100

/** Two sessions that see different data. */
export type SessionPair = readonly [first: Session, second: Session]

/** The settings of a suite. */
type SuiteSettings = {
  /** Whether tests about writes are declared. Default true. */
  readonly isWritable?: boolean | undefined
  /** The sessions for a store that reads by session. Tests of one session use the first one. */
  readonly sessions?: readonly [first: Session, second?: Session] | undefined
}

/** @throws TypeError for a store that reads by session, if the suite has no session for it. */
const assertSessions = ({ capabilities }: Store, { isWritable = true, sessions }: SuiteSettings): void => {
  if (capabilities.bySession !== true || sessions !== undefined) return
  const [caller, name, expected] = isWritable
    ? ['describeStore', 'sessions', 'two sessions that see different data']
    : ['describeReadOnlyStore', 'session', 'a session that sees the records']
  throw usageError(caller, name, `${expected}, for a store with bySession: true`, 'undefined')
}

/**
 * Creates the functions of a suite. With `isWritable: false`, tests about writes are not declared.
 *
 * @throws TypeError if `runs` is not a positive integer.
 */
export const createStoreSuite = (
  { it, fc, runs = DEFAULT_RUNS }: TestRunner,
  create: () => Awaitable<Store>,
  settings: SuiteSettings = {},
): StoreSuite => {
  const { isWritable = true, sessions } = settings
  assertCount(isWritable ? 'describeStore' : 'describeReadOnlyStore', 'runs', runs)
  const withStore: StoreSuite['withStore'] = async body => {
    const store = await create()
    assertSessions(store, settings)
    await store.open()
    try {
      await body(new StoreProbe(store, store.capabilities.bySession ? sessions?.[0] : undefined))
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
  const sessionTest: StoreSuite['sessionTest'] = (name, body) =>
    writeTest(name, async store => {
      if (store.capabilities.bySession) await body(store, store.withSession(sessions?.[1]))
    })
  return { fc, runs, test, writeTest, conditionalTest, collectionTest, snapshotTest, sessionTest, withStore }
}
