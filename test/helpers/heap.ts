import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects garbage, and returns the size of the used heap in MB. */
export const measureHeap = (): number => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  collect()
  return process.memoryUsage().heapUsed / 1e6
}
