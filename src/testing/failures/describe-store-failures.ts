import { assertOptionKinds } from '../../base/options.ts'
import type { Session } from '../../base/session.ts'
import { usageError } from '../../base/usage-error.ts'
import type { Store } from '../../store/contract.ts'
import { guardStore } from '../../store/guard.ts'
import { assertCount } from '../assert-count.ts'
import { withDigitsIds } from '../renaming-store.ts'
import type { TestRunner } from '../store-suite.ts'
import { withSession } from '../with-session.ts'
import { describeConnectionFailure } from './connections.ts'
import { describeKilledWriters } from './killed-writers.ts'
import { describeRacingWriters } from './racing-writers.ts'
import type { FailingStore, FailureSuite, OpenStores, StoreInUse } from './store-in-use.ts'

const LOCATION = 'describeStoreFailures'
const DEFAULT_ROUNDS = 3
const DEFAULT_TIMEOUT_MS = 15_000

/**
 * Calls `body` with an open store, and closes it afterwards. The store is guarded, as in a graph: it need not
 * end a read at its deadline by itself. A store that reads by session receives the session in each call.
 *
 * @throws TypeError for a store that reads by session, if there is no session.
 */
const withOpenStore = async (
  store: Store,
  session: Session | undefined,
  body: (store: Store) => Promise<void>,
): Promise<void> => {
  const isBySession = store.capabilities.bySession === true
  if (isBySession && session === undefined)
    throw usageError(LOCATION, 'session', 'a session, for a store with bySession: true', 'undefined')
  const guardedStore = guardStore(withSession(withDigitsIds(store), isBySession ? session : undefined))
  try {
    await guardedStore.open()
    await body(guardedStore)
  } finally {
    await guardedStore.close()
  }
}

/** Calls `body` with the store and its observer, and closes and removes everything afterwards. */
const withStores = async <TStoreInUse extends StoreInUse>(
  storeInUse: TStoreInUse,
  session: Session | undefined,
  body: (stores: OpenStores<TStoreInUse>) => Promise<void>,
): Promise<void> => {
  const { connect, remove } = storeInUse
  try {
    await withOpenStore(storeInUse.store, session, async store => {
      if (connect === undefined) return body({ storeInUse, store, observer: store })
      await withOpenStore(await connect(), session, observer => body({ storeInUse, store, observer }))
    })
  } finally {
    await remove?.()
  }
}

const OPTION_KINDS = {
  name: 'text',
  create: 'function',
  cut: 'function',
  stall: 'function',
  restore: 'function',
  startWriter: 'function',
  session: 'object',
  rounds: 'any',
  timeoutMs: 'any',
} as const

/** @throws TypeError for an unknown, missing or invalid option, which would silently remove tests. */
const assertFailingStore = <TStoreInUse extends StoreInUse>(store: FailingStore<TStoreInUse>): void => {
  assertOptionKinds(LOCATION, store, OPTION_KINDS)
  const { create, stall, restore, rounds, timeoutMs } = store
  if (create === undefined) throw usageError(LOCATION, 'create', 'a function', 'undefined')
  if (stall !== undefined && restore === undefined)
    throw usageError(LOCATION, 'restore', 'a function if "stall" is given', 'undefined')
  if (rounds !== undefined) assertCount(LOCATION, 'rounds', rounds)
  if (timeoutMs !== undefined) assertCount(LOCATION, 'timeoutMs', timeoutMs)
}

/**
 * Declares tests of a store whose connections or writer processes fail. Each way to fail that you pass has a
 * section: `cut`, `stall` with `restore`, and `startWriter`. The section of writers that race needs none.
 *
 * The tests cause failures while several writers write, and state what holds afterwards: acknowledged batches
 * are there; no batch is half written, or with the atomicity `source`, the same batch written again completes
 * it; an increment that is sent again by its id is applied once; counts equal their lists; both sides of
 * mirrored edges are equal; every call ends; and a call that starts five seconds after the failure succeeds. The
 * tests may take longer than the time limit of your test runner.
 *
 * @throws TypeError for an unknown, missing or invalid option.
 *
 * @example
 * ```ts
 * import fc from 'fast-check'
 * import { createMemoryStore } from 'kithgraph/memory'
 * import { describeStoreFailures } from 'kithgraph/testing'
 *
 * // In a test file these two come from the runner: `import { describe, it } from 'vitest'`.
 * const sections: string[] = []
 * const describe = (name: string, body: () => void) => {
 *   sections.push(name)
 *   body()
 * }
 * const it = () => undefined
 *
 * describeStoreFailures({ describe, it, fc }, { name: 'memory', create: () => ({ store: createMemoryStore() }) })
 * console.log(sections) // [ 'failures of the store: memory', 'writers that race' ]
 * ```
 */
export const describeStoreFailures = <TStoreInUse extends StoreInUse>(
  { describe, it }: TestRunner,
  failingStore: FailingStore<TStoreInUse>,
): void => {
  assertFailingStore(failingStore)
  const { name, create, cut, stall, restore, startWriter, session } = failingStore
  const suite: FailureSuite<TStoreInUse> = {
    rounds: failingStore.rounds ?? DEFAULT_ROUNDS,
    timeoutMs: failingStore.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    session,
    test: (title, body) => it(title, async () => withStores(await create(), session, body)),
  }
  describe(`failures of the store: ${name}`, () => {
    describe('writers that race', () => describeRacingWriters(suite))
    if (cut !== undefined)
      describe('connections that are cut', () =>
        describeConnectionFailure(suite, used => ({ begin: () => cut(used), end: () => undefined })))
    if (stall !== undefined)
      describe('connections that stall', () =>
        describeConnectionFailure(suite, used => ({ begin: () => stall(used), end: () => restore?.(used) })))
    if (startWriter !== undefined)
      describe('writer processes that are killed', () =>
        describeKilledWriters(suite, async (used, task) => startWriter(used, task)))
  })
}
