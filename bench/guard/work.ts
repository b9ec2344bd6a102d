import { createHook } from 'node:async_hooks'
import { getHeapStatistics } from 'node:v8'

/** What one call of a path takes. All of it is the same from run to run. */
export type Work = {
  /** Allocated where no compiler leaves an allocation out. */
  readonly bytes: number
  /** Promises made. */
  readonly promises: number
  /** Reads of the store. */
  readonly reads: number
}

type Call = () => unknown

/** So many that shapes of objects, caches and tables are as they stay. */
const WARM_UP = 100
const CALLS = 100
const ROUNDS = 5

const repeat = async (call: Call, times: number): Promise<void> => {
  for (let left = times; left > 0; left--) await call()
}

/** Bytes in use, which nothing is taken from while no collection has room to begin. */
const bytesInUse = (): number => getHeapStatistics().used_heap_size

/** Bytes that a call allocates: the least of some rounds, since a table that has to grow does so in one of them. */
export const bytesOf = async (call: Call): Promise<number> => {
  await repeat(call, WARM_UP)
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.()
    const before = bytesInUse()
    await repeat(call, CALLS)
    least = Math.min(least, bytesInUse() - before)
  }
  return Math.round(least / CALLS)
}

const promisesMade = async (call: Call): Promise<number> => {
  let made = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') made++
    },
  })
  hook.enable()
  await repeat(call, CALLS)
  hook.disable()
  return made
}

/** Promises that a call makes, beside those that it takes to wait for an answer that is there already. */
export const promisesOf = async (call: Call): Promise<number> => {
  const answer = call()
  await answer
  const waiting = await promisesMade(() => answer)
  return ((await promisesMade(call)) - waiting) / CALLS
}
