import { createHook } from 'node:async_hooks'
import { getHeapStatistics } from 'node:v8'

/** The work of one call of a path. All figures are the same from run to run. */
export type Work = {
  /** Bytes that are allocated when no compiler removes allocations. */
  readonly bytes: number
  /** Created promises. */
  readonly promises: number
  /** Reads of the store. */
  readonly reads: number
}

type Call = () => unknown

/** The number of calls after which object shapes, caches and tables no longer change. */
const WARM_UP = 100
const CALLS = 100
const ROUNDS = 5

const repeat = async (call: Call, times: number): Promise<void> => {
  for (let left = times; left > 0; left--) await call()
}

/** Returns the bytes in use. While the heap has room, no garbage collection begins, so nothing is freed. */
const bytesInUse = (): number => getHeapStatistics().used_heap_size

/**
 * Measures the bytes that a call allocates. Returns the minimum of several rounds, because a table may grow
 * in one of the rounds.
 */
export const measureBytes = async (call: Call): Promise<number> => {
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

const countPromisesMade = async (call: Call): Promise<number> => {
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

/** Counts the promises that a call creates, except for the promises of an `await` of an available result. */
export const measurePromises = async (call: Call): Promise<number> => {
  const result = call()
  await result
  const waiting = await countPromisesMade(() => result)
  return ((await countPromisesMade(call)) - waiting) / CALLS
}
