import { GCProfiler, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The share of the time that work takes for which the garbage collector holds the program up: from 0 to 1. */
export const collectorShare = async (work: () => unknown): Promise<number> => {
  const profiler = new GCProfiler()
  const started = performance.now()
  profiler.start()
  await work()
  const { statistics } = profiler.stop()
  const microseconds = statistics.reduce((sum, { cost }) => sum + cost, 0)
  return microseconds / 1000 / (performance.now() - started)
}

/** Bytes that are in use once those that are not were collected, typed arrays included. */
export const bytesHeld = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
