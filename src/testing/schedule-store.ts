import type { Awaitable } from '../base/awaitable.ts'
import type { Store, StoreSnapshot } from '../store/contract.ts'

/** An operation on a store or on a snapshot of it. */
export type StoreOperation = 'open' | 'close' | 'read' | 'write' | 'snapshot'

/**
 * Decides when an operation runs, when its result is returned, and whether it fails. `run` performs the
 * operation. If the schedule throws before it calls `run`, the operation never reaches the store. If it
 * throws afterwards, the result is lost.
 */
export type Schedule = <T>(operation: StoreOperation, run: () => Awaitable<T>) => Promise<T>

/**
 * Wraps a store so that every operation goes through a schedule, which delays, reorders and fails operations.
 * Use it for tests of behaviour that must not depend on the network. All operations become asynchronous.
 *
 * @example With the scheduler of fast-check, which tries different orders and prints the order that fails:
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
  read: (request, options) => schedule('read', () => store.read(request, options)),
  write: (mutations, options) => schedule('write', () => store.write(mutations, options)),
  snapshot: options =>
    schedule('snapshot', async (): Promise<StoreSnapshot> => {
      const snapshot = await store.snapshot(options)
      return {
        read: (request, options) => schedule('read', () => snapshot.read(request, options)),
        close: () => schedule('close', () => snapshot.close()),
      }
    }),
})

/** Creates a random number generator (0 to 1) from a seed: a linear congruential generator modulo 2^32. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * More ticks than a result takes to get from a store to its caller, so that operations overtake each other.
 */
const MAX_TICKS = 30

/**
 * Creates a schedule from a seed. Each operation waits for some ticks of the microtask queue before it runs
 * and again before it returns, so that operations overtake each other. `failures`, from 0 to 1, is the share
 * of operations that fail with an `Error`: half of them before they reach the store, and half after.
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
  const random = createRandom(seed)
  const waitRandomTicks = async (): Promise<void> => {
    const ticks = Math.floor(random() * MAX_TICKS)
    for (let passedTicks = 0; passedTicks < ticks; passedTicks++) await undefined
  }
  return async (operation, run) => {
    const randomValue = random()
    await waitRandomTicks()
    if (randomValue < failures / 2) throw new Error(`scheduled failure of ${operation}`)
    const result = await run()
    await waitRandomTicks()
    if (randomValue < failures) throw new Error(`scheduled failure of ${operation}, whose result is lost`)
    return result
  }
}
