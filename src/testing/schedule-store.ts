import type { Awaitable } from '../base/awaitable.ts'
import type { Store, StoreSnapshot } from '../store/contract.ts'

/** What is being done to a store or to a snapshot of it. */
export type StoreOperation = 'open' | 'close' | 'read' | 'write' | 'snapshot'

/**
 * Decides when an operation runs, when its answer is handed out, and whether it fails: `run` performs it. Throwing
 * before `run` is an operation that never reached the store, throwing after it one whose answer was lost.
 */
export type Schedule = <T>(operation: StoreOperation, run: () => Awaitable<T>) => Promise<T>

/**
 * Wraps a store so that every operation goes through a schedule, which delays, reorders and fails them: for tests of
 * what holds whatever a network does. Nothing is answered at once any more.
 *
 * @example With the scheduler of fast-check, which tries orders and prints the one that fails:
 * ```ts
 * import fc from 'fast-check'
 * import { createModelStore, scheduleStore } from 'kithgraph/testing'
 *
 * await fc.assert(
 *   fc.asyncProperty(fc.scheduler(), async scheduler => {
 *     const store = scheduleStore(createModelStore(), (operation, run) =>
 *       scheduler.schedule(Promise.resolve(), operation).then(run),
 *     )
 *     const writes = ['1', '2'].map(id =>
 *       store.write([{ op: 'putNode', node: { id, type: 'user', fields: {} } }], { signal: undefined }),
 *     )
 *     await scheduler.waitFor(Promise.all(writes))
 *   }),
 * )
 * ```
 */
export const scheduleStore = (store: Store, schedule: Schedule): Store => ({
  capabilities: store.capabilities,
  open: () => schedule('open', () => store.open()),
  close: () => schedule('close', () => store.close()),
  read: (wave, options) => schedule('read', () => store.read(wave, options)),
  write: (mutations, options) => schedule('write', () => store.write(mutations, options)),
  snapshot: () =>
    schedule('snapshot', async (): Promise<StoreSnapshot> => {
      const snapshot = await store.snapshot()
      return {
        read: (wave, options) => schedule('read', () => snapshot.read(wave, options)),
        close: () => schedule('close', () => snapshot.close()),
      }
    }),
})

/** Numbers from 0 to 1 that a seed decides, by a linear congruence modulo 2^32. */
const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** More than an answer takes from a store to whoever waits for it, so that others overtake it. */
const MOST_TICKS = 30

/**
 * Makes a schedule that a seed decides: each operation waits for some ticks of the microtask queue before it runs and
 * again before it answers, so that others overtake it, and `failures` of them, a share from 0 to 1, fail with an `Error`:
 * half of these before they reach the store, half after.
 *
 * @example
 * ```ts
 * import { createModelStore, scheduleStore, seededSchedule } from 'kithgraph/testing'
 *
 * const store = scheduleStore(createModelStore(), seededSchedule({ seed: 7, failures: 1 }))
 * await Promise.resolve(store.open()).catch(error => console.log(error.message)) // scheduled failure of open
 * ```
 */
export const seededSchedule = ({ seed, failures }: { seed: number; failures: number }): Schedule => {
  const random = randomFrom(seed)
  const wait = async (): Promise<void> => {
    const ticks = Math.floor(random() * MOST_TICKS)
    for (let passed = 0; passed < ticks; passed++) await undefined
  }
  return async (operation, run) => {
    const fate = random()
    await wait()
    if (fate < failures / 2) throw new Error(`scheduled failure of ${operation}`)
    const answer = await run()
    await wait()
    if (fate < failures) throw new Error(`scheduled failure of ${operation}, whose answer is lost`)
    return answer
  }
}
