import { vi } from 'vitest'
import { type Engine, engineOf } from '../../src/execute/engine.ts'
import type { PassSizes } from '../../src/read/pass-size.ts'
import { type DrawUniform, ScanLimit } from '../../src/read/scan-limit.ts'

type ScanOverrides = Pick<Engine, 'drawUniform' | 'passSizes'>

/** Replaces the draws of the scan limits of a graph, and the sizes of its passes. */
export const overrideScan = (graph: unknown, overrides: Partial<ScanOverrides>): void => {
  Object.assign(engineOf('test', graph), overrides)
}

/** Creates a draw that returns the given numbers in turn, repeatedly. */
export const drawInTurn = (...numbers: readonly number[]): DrawUniform => {
  let turn = 0
  return () => numbers[turn++ % numbers.length] ?? 0
}

/** Creates a draw whose random numbers depend only on the seed. */
export const createSeededDraw = (seed: number): DrawUniform => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Creates pass sizes that are all the same. */
export const createFixedPassSizes = (size: number): PassSizes => ({
  chooseFirstSize: () => size,
  chooseNextSizes: scans => scans.map(() => size),
})

/**
 * Runs work, and returns its result with the number of edges under a policy that each of its calls examines.
 * Each edge has its weight under `canSee`.
 */
export const countExaminedPerCall = async <TResult>(
  work: () => Promise<TResult>,
): Promise<{
  readonly result: TResult
  readonly examined: readonly number[]
  /** The largest weight of an edge. */
  readonly weight: number
}> => {
  const addExamined = vi.spyOn(ScanLimit.prototype, 'addExamined')
  try {
    const result = await work()
    const sums = new Map<unknown, number>()
    for (const [index, [, , edgeCount, weight]] of addExamined.mock.calls.entries()) {
      const call: unknown = addExamined.mock.contexts[index]
      sums.set(call, edgeCount * weight + (sums.get(call) ?? 0))
    }
    const weights = addExamined.mock.calls.map(([, , , weight]) => weight)
    return { result, examined: [...sums.values()], weight: Math.max(1, ...weights) }
  } finally {
    addExamined.mockRestore()
  }
}

/** Runs work, and returns the number of edges under a policy that all of its calls examine. */
export const countExamined = async (work: () => Promise<unknown>): Promise<number> => {
  const { examined } = await countExaminedPerCall(work)
  return examined.reduce((sum, edges) => sum + edges, 0)
}
