import { isPromiseLike } from '../../src/base/awaitable.ts'
import type { Store, StoreReader, StoreReadRequest, StoreReadResult } from '../../src/store/contract.ts'
import { UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { type ConditionsBehaviour, readWithConditions } from '../../src/testing/apply-conditions.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { createSeededDraw } from './scan-overrides.ts'

/** A store that filters by conditions, and the requests that it received. */
export type PushingStore = Store & { readonly requests: readonly StoreReadRequest[] }

const toSync = (result: ReturnType<StoreReader['read']>): StoreReadResult => {
  if (isPromiseLike(result)) throw new Error('only synchronous stores can be wrapped')
  return result
}

/** Wraps a synchronous store, such as a memory store, so that it applies all conditions that it receives. */
export const createPushingStore = (store: Store, behaviour: ConditionsBehaviour = {}): PushingStore => {
  const requests: StoreReadRequest[] = []
  const createRead =
    (reader: StoreReader): StoreReader['read'] =>
    request => {
      requests.push(request)
      return readWithConditions(one => toSync(reader.read(one, UNTIMED_OPTIONS)), request, behaviour)
    }
  const overrides: Partial<Store> = {
    capabilities: { ...store.capabilities, conditions: true },
    read: createRead(store),
    snapshot: () => {
      const snapshot = store.snapshot()
      if (isPromiseLike(snapshot)) throw new Error('only synchronous stores can be wrapped')
      return { read: createRead(snapshot), close: () => snapshot.close() }
    },
  }
  return { ...delegateStore(store, overrides), requests }
}

/** Returns a function that chooses how many rows a store examines: a few of those that it may. */
export const examineFewRows = (seed: number): NonNullable<ConditionsBehaviour['chooseExamined']> => {
  const draw = createSeededDraw(seed)
  return maxExamined => 1 + Math.floor(draw() * Math.min(maxExamined, 6))
}

/** Counts the ranges with conditions that a store received. */
export const countConditionalRanges = ({ requests }: PushingStore): number =>
  requests.reduce(
    (sum, { ranges }) => sum + ranges.filter(({ conditions }) => conditions !== undefined).length,
    0,
  )
