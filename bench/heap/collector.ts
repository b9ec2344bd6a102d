import { GCProfiler, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Runs some work, and returns the share of its time, from 0 to 1, that the program is paused by the garbage
 * collector.
 */
export const measureCollectorShare = async (work: () => unknown): Promise<number> => {
  const profiler = new GCProfiler()
  const started = performance.now()
  profiler.start()
  await work()
  const { statistics } = profiler.stop()
  const microseconds = statistics.reduce((sum, { cost }) => sum + cost, 0)
  return microseconds / 1000 / (performance.now() - started)
}

/** Returns the bytes in use after a garbage collection, including typed arrays. */
export const measureHeldBytes = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
