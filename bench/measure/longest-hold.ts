import { workDone } from './work-done.ts'

const RUNS = 5

/** When something is, by the clock and by the processor time of the process. */
const here = () => ({ clock: performance.now(), worked: workDone() })

/**
 * Milliseconds for which some work holds the event loop at most: the longest time between two of its turns. By the clock,
 * other processes are in it, and by the processor's time, threads that run beside it: it is neither longer than one nor
 * than the other.
 */
const holdOf = async (work: () => unknown): Promise<number> => {
  let longest = 0
  let last = here()
  let isOver = false
  const turn = (): void => {
    const now = here()
    longest = Math.max(longest, Math.min(now.clock - last.clock, now.worked - last.worked))
    last = now
    if (!isOver) setImmediate(turn)
  }
  await new Promise<void>(resolve => {
    setImmediate(() => {
      last = here()
      setImmediate(turn)
      resolve()
    })
  })
  await work()
  await new Promise(resolve => setImmediate(resolve))
  turn()
  isOver = true
  return longest
}

/** The same of several runs. */
export const longestHold = async (work: () => unknown): Promise<readonly number[]> => {
  const holds: number[] = []
  for (let run = 0; run < RUNS; run++) holds.push(await holdOf(work))
  return holds
}
