/**
 * Loads edges and their nodes from a synchronous source, and prints for how long the load blocks the event
 * loop:
 *
 *     npx tsx test/failures/campaigns/load-stalls.ts [--edges 1000000] [--stores memory,sqlite]
 *       [--source records]
 *
 * The source is `records` (objects), `random` (objects with random ends), or `text` or `bytes` (NDJSON in one
 * chunk). The elapsed time includes the waits for the disk and the work of other processes. The program fails
 * if a turn of the event loop uses more than 50 ms of processor time.
 */
import { parseArgs } from 'node:util'
import { isolateTemporaryFiles } from '../../helpers/temporary-files.ts'
import type { TurnTimes } from '../../helpers/turn-times.ts'
import { isSourceName, measureLoadTurns, SOURCE_NAMES } from './common/load-turns.ts'
import { openEmptyStore } from './common/opened-stores.ts'

const MAX_HOLD_MS = 50

const { values } = parseArgs({
  options: {
    edges: { type: 'string', default: '1000000' },
    stores: { type: 'string', default: 'memory,sqlite' },
    source: { type: 'string', default: 'records' },
  },
})
const { source } = values
if (!isSourceName(source))
  throw new Error(`--source must be one of ${SOURCE_NAMES.join(', ')}; received ${JSON.stringify(source)}`)

const formatTimes = (turns: readonly TurnTimes[], kind: keyof TurnTimes): string => {
  const times = turns.map(turn => turn[kind]).sort((first, second) => second - first)
  const [longest = 0, p99 = 0, median = 0] = [0, 0.01, 0.5].map(
    share => times[Math.floor(share * times.length)],
  )
  return `longest ${longest.toFixed(1)}, p99 ${p99.toFixed(1)}, median ${median.toFixed(1)}`
}

isolateTemporaryFiles()
for (const kind of values.stores.split(',')) {
  const { store, stop } = await openEmptyStore(kind)
  const start = performance.now()
  const { value, turns } = await measureLoadTurns(store, source, Number(values.edges))
  const seconds = (performance.now() - start) / 1000
  await store.close()
  await stop()
  console.log(`${kind}, ${source}: ${value.nodes} nodes and ${value.edges} edges in ${seconds.toFixed(1)} s`)
  console.log(`ms per turn of the event loop, elapsed:        ${formatTimes(turns, 'clock')}`)
  console.log(`ms per turn of the event loop, processor time: ${formatTimes(turns, 'processor')}`)
  if (turns.every(turn => turn.processor <= MAX_HOLD_MS)) continue
  console.error(`A law is broken: a turn uses more than ${MAX_HOLD_MS} ms of processor time`)
  process.exitCode = 1
}
