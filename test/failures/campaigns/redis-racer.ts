/**
 * Writes to symmetric edges of Redis at the same time as other processes. Reads the number of a round from
 * its input, writes each edge once or more, and prints its writes as JSON. Arguments: ports, whether they
 * are a cluster, seed, racer.
 */
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRedisStore } from 'kithgraph/redis'
import { interceptCommands } from './common/acting-client.ts'
import { countBranches, createBranchCounts } from './common/branch-counter.ts'
import { createRacePairs, createRaceWrites, type RaceReport } from './common/race-writes.ts'
import { createRandom } from './common/random.ts'
import { connectToRedis } from './common/redis-client.ts'
import { readClock } from './common/register-history.ts'
import { createCampaignGraph } from './common/schema.ts'

/** A part of the pipelines is delayed by up to this number of milliseconds. */
const MAX_DELAY_MS = 4

const [ports = '', isCluster, seedText, racerText] = process.argv.slice(2)
const [seed, racer] = [Number(seedText), Number(racerText)]
const client = connectToRedis(ports, isCluster === 'true')
const counts = createBranchCounts()
const delays = createRandom(seed, racer)
const delayedClient = interceptCommands(client, async (_, send) => {
  if (delays.chance(0.3)) await sleep(delays.integer(MAX_DELAY_MS + 1))
  return send()
})
const graph = createCampaignGraph(createRedisStore(countBranches(delayedClient, counts)))

const runRound = async (round: number): Promise<RaceReport> => {
  const writes: RaceReport['writes'][number][] = []
  await Promise.all(
    createRacePairs().map(async (_, pair) => {
      for (const { mutation, value } of createRaceWrites(seed, round, pair, racer)) {
        const start = readClock()
        await graph.write([mutation])
        writes.push({ pair, value: value ?? null, start, end: readClock() })
      }
    }),
  )
  return { writes, counts }
}

for await (const line of createInterface(process.stdin))
  console.log(JSON.stringify(await runRound(Number(line))))
client.disconnect()
