/**
 * Writes batches to Redis, and kills its own process in one of them between the two sides of its edges.
 * Prints when each batch begins and ends. Arguments: ports, whether they are a cluster, seed, the number of
 * the first batch.
 */
import { writeSync } from 'node:fs'
import { createRedisStore } from 'kithgraph/redis'
import { interceptCommands } from './common/acting-client.ts'
import { writesCollectionEntries, writesSecondSides } from './common/branch-counter.ts'
import { createDoomedBatch, type DoomedReport } from './common/doomed-batches.ts'
import { createRandom } from './common/random.ts'
import { connectToRedis } from './common/redis-client.ts'
import { readClock } from './common/register-history.ts'
import { createCampaignGraph } from './common/schema.ts'

const MAX_WRITES = 3

const [ports = '', isCluster, seedText, firstText] = process.argv.slice(2)
const [seed, first] = [Number(seedText), Number(firstText)]
const random = createRandom(seed, first)

/** The number of writes of second sides before the one that is interrupted. */
let remaining = random.integer(MAX_WRITES)
/** Whether the interrupted commands are still sent. They may or may not reach the server. */
const isSent = random.chance(0.3)

const client = interceptCommands(connectToRedis(ports, isCluster === 'true'), (lines, send) => {
  if (!lines.some(line => writesSecondSides(line) || writesCollectionEntries(line)) || remaining-- > 0)
    return send()
  if (isSent) void send()
  setImmediate(() => process.kill(process.pid, 'SIGKILL'))
  return new Promise(() => undefined)
})
const graph = createCampaignGraph(createRedisStore(client))

const report = (line: DoomedReport): void => void writeSync(1, `${JSON.stringify(line)}\n`)

for (let number = first; ; number++) {
  report({ number, event: 'begin', clock: readClock() })
  await graph.write(createDoomedBatch(seed, number).mutations)
  report({ number, event: 'end', clock: readClock() })
}
