import { isPromiseLike } from '../../src/base/awaitable.ts'
import type {
  ReadAhead,
  Store,
  StoreReader,
  StoreReadRequest,
  StoreReadResult,
} from '../../src/store/contract.ts'
import { UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { readWithAhead } from '../../src/testing/attach-ahead.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { createPushingStore } from './pushing-store.ts'

/** A store that reads ahead, and the requests that it received. */
export type ReadAheadStore = Store & { readonly requests: readonly StoreReadRequest[] }

const toSync = (result: ReturnType<StoreReader['read']>): StoreReadResult => {
  if (isPromiseLike(result)) throw new Error('only synchronous stores can be wrapped')
  return result
}

/** Wraps a synchronous store, such as a memory store, so that it executes all hints that it receives. */
export const createReadAheadStore = (store: Store): ReadAheadStore => {
  const requests: StoreReadRequest[] = []
  const overrides: Partial<Store> = {
    read: request => {
      requests.push(request)
      return readWithAhead(one => toSync(store.read(one, UNTIMED_OPTIONS)), request)
    },
  }
  const capabilities = { ...store.capabilities, readsAhead: true }
  return { ...delegateStore(store, { ...overrides, capabilities }), requests }
}

/** Wraps a synchronous store so that it filters lists by the conditions of their policies, and counts them. */
export const filterByConditions = (store: Store): Store => createPushingStore(store, { counts: true })

/** Wraps a synchronous store so that it also reads ahead what it filters. */
export const filterAndReadAhead = (store: Store): Store => createReadAheadStore(filterByConditions(store))

/** Counts the records that a hint may return below one record. */
export const countAhead = (ahead: ReadAhead | undefined): number =>
  Math.max(
    0,
    ...[...(ahead?.values() ?? [])].map(steps =>
      steps.reduce(
        (sum, step) => sum + (step.kind === 'list' ? step.limit : 1) * (1 + countAhead(step.ahead)),
        0,
      ),
    ),
  )

/** Counts the steps of a hint, with those below them. */
export const countSteps = (ahead: ReadAhead | undefined): number =>
  [...(ahead?.values() ?? [])].flat().reduce((sum, step) => sum + 1 + countSteps(step.ahead), 0)
