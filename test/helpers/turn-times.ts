import { readFileSync } from 'node:fs'

/**
 * The times of one turn of the event loop, in milliseconds. `clock` includes the work of other processes and
 * the waits for the disk. `processor` is the time for which the thread itself used the processor.
 */
export type TurnTimes = { readonly clock: number; readonly processor: number }

/**
 * Reads the times of this thread. Only Linux reports the processor time of one thread. On other systems, this
 * function returns the time of all threads, but counts at most the elapsed time.
 */
const readTimes = (): TurnTimes => ({ clock: performance.now(), processor: readProcessorMs() })

const readProcessorMs = (): number => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/** Runs a function. Returns its result and the times of each turn of the event loop in the meantime. */
export const measureTurns = async <T>(
  run: () => Promise<T>,
): Promise<{ readonly value: T; readonly turns: readonly TurnTimes[] }> => {
  const turns: TurnTimes[] = []
  let last = readTimes()
  let isOver = false
  const endTurn = (): void => {
    const now = readTimes()
    const clock = now.clock - last.clock
    turns.push({ clock, processor: Math.min(clock, now.processor - last.processor) })
    last = now
  }
  const tick = (): void => {
    if (isOver) return
    endTurn()
    setImmediate(tick)
  }
  setImmediate(tick)
  const value = await run()
  isOver = true
  endTurn()
  return { value, turns }
}
