import { usageError } from '../../base/usage-error.ts'
import type { Store } from '../../store/contract.ts'
import { guardStore } from '../../store/guard.ts'
import type { TestRunner } from '../store-suite.ts'
import { describeConnectionFailure } from './connections.ts'
import { describeKilledWriters } from './killed-writers.ts'
import { describeRacingWriters } from './racing-writers.ts'
import type { FailingStore, FailureSuite, StoreInUse } from './store-in-use.ts'

const DEFAULT_ROUNDS = 3
const DEFAULT_TIMEOUT_MS = 15_000

/**
 * Calls `body` with the store and its observer, both open, and closes them afterwards. Both are guarded, as in
 * a graph: a store need not end a read at its deadline by itself.
 */
const withStores = async <TStoreInUse extends StoreInUse>(
  storeInUse: TStoreInUse,
  body: (stores: { storeInUse: TStoreInUse; store: Store; observer: Store }) => Promise<void>,
): Promise<void> => {
  const { connect, remove } = storeInUse
  const store = guardStore(storeInUse.store)
  const other = connect && guardStore(await connect())
  try {
    await store.open()
    await other?.open()
    await body({ storeInUse, store, observer: other ?? store })
  } finally {
    await store.close()
    await other?.close()
    await remove?.()
  }
}

/**
 * Declares tests of a store whose connections or writer processes fail. Each way to fail that you pass has a
 * section: `cut`, `stall` with `restore`, and `startWriter`. The section of writers that race needs none.
 *
 * The tests cause failures while several writers write, and state what holds afterwards: acknowledged batches
 * are there; no batch is half written, or with the atomicity `source`, the same batch written again completes
 * it; an increment that is sent again by its id is applied once; counts equal their lists; both sides of mirrored edges are equal; every call ends; and a call that
 * starts five seconds after the failure succeeds. The tests may take longer than the time limit of your test
 * runner.
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
  { name, create, cut, stall, restore, startWriter, rounds, timeoutMs }: FailingStore<TStoreInUse>,
): void => {
  if (stall !== undefined && restore === undefined)
    throw usageError('describeStoreFailures', 'restore', 'a function if "stall" is given', 'undefined')
  const suite: FailureSuite<TStoreInUse> = {
    rounds: rounds ?? DEFAULT_ROUNDS,
    timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
    test: (title, body) => it(title, async () => withStores(await create(), body)),
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
