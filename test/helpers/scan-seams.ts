import { vi } from 'vitest'
import { type Engine, engineOf } from '../../src/execute/engine.ts'
import type { PassSizes } from '../../src/execute/pass-size.ts'
import { type DrawUniform, ScanLimit } from '../../src/execute/scan-limit.ts'

type Seams = Pick<Engine, 'drawUniform' | 'passSizes'>

/** Replaces how a graph draws the scan limits of its calls, and how far its passes read. */
export const replaceSeams = (graph: unknown, seams: Partial<Seams>): void => {
  Object.assign(engineOf('test', graph), seams)
}

/** Draws the same numbers again and again, in turn. */
export const drawing = (...numbers: readonly number[]): DrawUniform => {
  let turn = 0
  return () => numbers[turn++ % numbers.length] ?? 0
}

/** Draws numbers that are the same in every run. */
export const seededDraws = (seed: number): DrawUniform => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Passes that all read so many edges of each list. */
export const sizedPasses = (size: number): PassSizes => ({
  first: () => size,
  next: scans => scans.map(() => size),
})

/** How many edges of lists under a policy each call examines while something is done, and what that returns. */
export const eachExaminedBy = async <TResult>(
  work: () => Promise<TResult>,
): Promise<{ readonly result: TResult; readonly examined: readonly number[] }> => {
  const count = vi.spyOn(ScanLimit.prototype, 'count')
  try {
    const result = await work()
    const sums = new Map<unknown, number>()
    for (const [index, [, , edges]] of count.mock.calls.entries()) {
      const call: unknown = count.mock.contexts[index]
      sums.set(call, edges + (sums.get(call) ?? 0))
    }
    return { result, examined: [...sums.values()] }
  } finally {
    count.mockRestore()
  }
}

/** How many edges of lists under a policy all calls examine while something is done. */
export const examinedWhile = async (work: () => Promise<unknown>): Promise<number> => {
  const { examined } = await eachExaminedBy(work)
  return examined.reduce((sum, edges) => sum + edges, 0)
}
