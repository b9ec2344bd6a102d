import type fastCheck from 'fast-check'
import type { Awaitable } from '../base/awaitable.ts'
import type { IdKind } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import { usageError } from '../base/usage-error.ts'
import type { Store } from '../store/contract.ts'
import { assertCount } from './assert-count.ts'
import { assertRejects } from './assertions.ts'
import { withNamedIds } from './renaming-store.ts'
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
  /** The number of runs of each property, divided over the kinds of ids that the store has. Default 100. */
  readonly runs?: number | undefined
}

/** What a test needs besides its store. */
export type TestContext = {
  /**
   * The kind of the ids in the store. The test itself uses ids of digits: with `named`, each of them has a named id
   * in the store, in the same order. Other named ids are themselves.
   */
  readonly ids: IdKind
  /** The number of runs of a property in this test: those of the suite, divided by the number of kinds. */
  readonly runs: number
  /** Calls `body` with another new, open store, and closes the store afterwards. */
  withStore(body: (store: StoreProbe) => Promise<void>): Promise<void>
}

/** The body of a test. It runs once for each kind of ids that the store has. */
export type TestBody = (store: StoreProbe, context: TestContext) => Promise<void>

/** The functions and settings that each section uses to declare its tests. */
export type StoreSuite = {
  readonly fc: TestRunner['fc']
  readonly runs: number
  /**
   * Declares a test on a new store. The test is about reads: it writes only to prepare the records that it
   * reads.
   */
  test(name: string, body: TestBody): void
  /** Declares a test on a new store, about writes. */
  writeTest(name: string, body: TestBody): void
  /**
   * Declares a test on a new store, about conditions, increments or ids of batches. The test does nothing if
   * the store does not support them, because such a store is never called with them.
   */
  conditionalTest(name: string, body: TestBody): void
  /** Declares a test on a new store, if the store has the capability `collections`. */
  collectionTest(name: string, body: TestBody): void
  /** Declares a test on a new store, if the store has named ids. The test uses named ids. */
  namedTest(name: string, body: TestBody): void
  /**
   * Declares a test on a new store with snapshots. A store without snapshots must reject the call of
   * `snapshot`.
   */
  snapshotTest(name: string, body: TestBody): void
  /**
   * Declares a test on a new store with the probes of two sessions that see different data. The test does nothing
   * if the store does not read by session.
   */
  sessionTest(name: string, body: (first: StoreProbe, second: StoreProbe) => Promise<void>): void
}

/** Creates a new store, not open yet, for a test with one kind of ids. */
type CreateStore = (ids: IdKind) => Awaitable<Store>

/** Two sessions that see different data. */
export type SessionPair = readonly [first: Session, second: Session]

/** How the tests of a suite use their stores. */
type SuiteOptions = {
  /** Whether tests about writes are declared. Default true. */
  readonly isWritable?: boolean | undefined
  /** The sessions for a store that reads by session. Tests of one session use the first one. */
  readonly sessions?: readonly [first: Session, second?: Session] | undefined
  /** Whether results contain the keys of positions, because the tests expect them. Default false. */
  readonly keepsKeys?: boolean | undefined
  /** Returns the kinds of ids that the tests run with. Default: those of the store that a test creates. */
  readonly findIdKinds?: (() => Promise<readonly IdKind[]>) | undefined
}

const DEFAULT_RUNS = 100

/** @throws TypeError for a store that reads by session, if the suite has no session for it. */
const assertSessions = ({ capabilities }: Store, { isWritable = true, sessions }: SuiteOptions): void => {
  if (capabilities.bySession !== true || sessions !== undefined) return
  const [caller, name, expected] = isWritable
    ? ['describeStore', 'sessions', 'two sessions that see different data']
    : ['describeReadOnlyStore', 'session', 'a session that sees the records']
  throw usageError(caller, name, `${expected}, for a store with bySession: true`, 'undefined')
}

/** Returns the kinds of ids that a store has. A test expects that there is one. */
export const idKindsOf = ({ capabilities: { ids = ['digits'] } }: Store): readonly IdKind[] =>
  ids.length === 0 ? ['digits'] : ids

/** Calls `body` with a new store after it is opened, and closes the store afterwards. */
const withOpenStore = async (
  store: Store,
  ids: IdKind,
  options: SuiteOptions,
  body: (store: StoreProbe) => Promise<void>,
): Promise<void> => {
  assertSessions(store, options)
  await store.open()
  try {
    const session = store.capabilities.bySession ? options.sessions?.[0] : undefined
    const { keepsKeys } = options
    await body(new StoreProbe(ids === 'named' ? withNamedIds(store) : store, { session, keepsKeys }))
  } finally {
    await store.close()
  }
}

/** Runs a test with one kind of ids. The error of a test with named ids says so, because it shows other ids. */
const runTest = async (
  store: Store,
  { ids, runs }: Pick<TestContext, 'ids' | 'runs'>,
  create: CreateStore,
  options: SuiteOptions,
  body: TestBody,
): Promise<void> => {
  const withStore: TestContext['withStore'] = async body =>
    withOpenStore(await create(ids), ids, options, body)
  try {
    await withOpenStore(store, ids, options, probe => body(probe, { ids, runs, withStore }))
  } catch (cause) {
    if (ids === 'digits' || !(cause instanceof Error)) throw cause
    throw new Error(`in a store of named ids, with their numbers: ${cause.message}`, { cause })
  }
}

const createTestRun =
  (create: CreateStore, options: SuiteOptions, allRuns: number, body: TestBody) =>
  async (): Promise<void> => {
    const kinds = await options.findIdKinds?.()
    const firstStore = await create(kinds?.[0] ?? 'digits')
    const [firstKind = 'digits', ...otherKinds] = kinds ?? idKindsOf(firstStore)
    const runs = Math.ceil(allRuns / (1 + otherKinds.length))
    await runTest(firstStore, { ids: firstKind, runs }, create, options, body)
    for (const ids of otherKinds) await runTest(await create(ids), { ids, runs }, create, options, body)
  }

/**
 * Creates the functions of a suite. With `isWritable: false`, tests about writes are not declared.
 *
 * @throws TypeError if `runs` is not a positive integer.
 */
export const createStoreSuite = (
  { it, fc, runs = DEFAULT_RUNS }: TestRunner,
  create: CreateStore,
  options: SuiteOptions = {},
): StoreSuite => {
  const { isWritable = true, sessions } = options
  assertCount(isWritable ? 'describeStore' : 'describeReadOnlyStore', 'runs', runs)
  const test: StoreSuite['test'] = (name, body) => it(name, createTestRun(create, options, runs, body))
  const writeTest: StoreSuite['writeTest'] = isWritable ? test : () => undefined
  const capabilityTest =
    (capability: 'conditionalWrites' | 'collections'): StoreSuite['conditionalTest'] =>
    (name, body) =>
      writeTest(name, async (store, context) => {
        if (store.capabilities[capability]) await body(store, context)
      })
  const namedTest: StoreSuite['namedTest'] = (name, body) =>
    test(name, async (store, context) => {
      if (context.ids === 'named') await body(store, context)
    })
  const snapshotTest: StoreSuite['snapshotTest'] = (name, body) =>
    test(name, async (store, context) => {
      if (store.capabilities.snapshots) await body(store, context)
      else await assertRejects(() => store.snapshot(), 'a snapshot of a store without snapshots')
    })
  const sessionTest: StoreSuite['sessionTest'] = (name, body) =>
    writeTest(name, async store => {
      if (store.capabilities.bySession) await body(store, store.withSession(sessions?.[1]))
    })
  return {
    fc,
    runs,
    test,
    writeTest,
    conditionalTest: capabilityTest('conditionalWrites'),
    collectionTest: capabilityTest('collections'),
    namedTest,
    snapshotTest,
    sessionTest,
  }
}
