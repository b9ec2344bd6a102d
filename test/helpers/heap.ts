import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Returns the bytes in use after a garbage collection, in MB. */
export const measureHeap = (): number => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  collect()
  return process.memoryUsage().heapUsed / 1e6
}
