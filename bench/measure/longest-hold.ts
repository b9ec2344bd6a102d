import { workDone } from './work-done.ts'

const RUNS = 5

/** Reads the clock and the processor time of the process. */
const readClocks = () => ({ clock: performance.now(), worked: workDone() })

/**
 * Measures the longest time, in milliseconds, that some work blocks the event loop: the longest time between
 * two consecutive turns of the loop. Clock time includes other processes, and processor time includes other
 * threads, so the smaller of the two times counts.
 */
const measureHold = async (work: () => unknown): Promise<number> => {
  let longest = 0
  let last = readClocks()
  let isOver = false
  const turn = (): void => {
    const now = readClocks()
    longest = Math.max(longest, Math.min(now.clock - last.clock, now.worked - last.worked))
    last = now
    if (!isOver) setImmediate(turn)
  }
  await new Promise<void>(resolve => {
    setImmediate(() => {
      last = readClocks()
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

/** Runs some work several times, and measures the longest blocking time of each run. */
export const measureHolds = async (work: () => unknown): Promise<readonly number[]> => {
  const durations: number[] = []
  for (let run = 0; run < RUNS; run++) durations.push(await measureHold(work))
  return durations
}
