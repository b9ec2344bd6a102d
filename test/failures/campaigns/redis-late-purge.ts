/**
 * Pauses a writer while it removes the edges of a deleted node from Redis, puts the node and edges again with
 * another writer, and checks that the paused writer later removes nothing of them:
 *
 *     npx tsx test/failures/campaigns/redis-late-purge.ts --seconds 10 --seed 1
 *
 * Each trial pauses before another command, for `--pause` milliseconds. `--store` is `redis` or
 * `redis-cluster`. `--count 100` runs that many trials instead.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import { actBeforeCommand } from './common/acting-client.ts'
import {
  assertLaw,
  assertNothingWrong,
  BrokenLaw,
  type Campaign,
  type Figures,
  printFigures,
  runCampaign,
} from './common/campaign.ts'
import type { CampaignMutation } from './common/ledger-workload.ts'
import { createRandom, type Random } from './common/random.ts'
import { type RedisServers, startRedisServers } from './common/redis-servers.ts'
import { createCampaignGraph } from './common/schema.ts'
import {
  createStateRequest,
  findContradictions,
  findUnequalSides,
  findWrongEntries,
  toState,
} from './common/state.ts'

const OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
/** The number of trials at the same time. Each pauses before another command. */
const PARALLEL_TRIALS = 24

const DELETED = '5'
const IDS = { people: ['1', '2', DELETED, '8', '9'], photos: ['101', '102'] }

const putAll = (): readonly CampaignMutation[] => [
  ...IDS.people.map(id => ({
    op: 'putNode' as const,
    node: { id, type: 'person' as const, fields: { rank: 0 } },
  })),
  ...IDS.photos.map(id => ({ op: 'putNode' as const, node: { id, type: 'photo' as const, fields: {} } })),
]

/** Creates random edges between the node and others. */
const putEdges = (random: Random, time: number): readonly CampaignMutation[] => [
  ...IDS.people
    .filter(id => id !== DELETED && random.chance(0.7))
    .flatMap(id => {
      const [source, target] = random.chance(0.5) ? [id, DELETED] : [DELETED, id]
      const data = random.chance(0.5) ? { data: { since: time } } : {}
      return [
        { op: 'putEdge' as const, edge: { source, name: 'friends' as const, target, time, ...data } },
        {
          op: 'putEdge' as const,
          edge: { source, name: 'knows' as const, target, time, data: { since: -time } },
        },
      ]
    }),
  ...IDS.photos
    .filter(() => random.chance(0.7))
    .map(target => ({
      op: 'putEdge' as const,
      edge: { source: DELETED, name: 'likes' as const, target, time },
    })),
]

const connect = (client: RedisClient, prefix: string) => {
  const store = createRedisStore(client, { prefix })
  const readState = async () => {
    const result = await store.read(createStateRequest(IDS), OPTIONS)
    const state = toState(IDS, result)
    return {
      state,
      wrong: findContradictions(IDS, result),
    }
  }
  const hasNode = async () =>
    (await store.read({ ...EMPTY_REQUEST, nodes: [DELETED] }, OPTIONS)).nodes[0] !== undefined
  return { store, graph: createCampaignGraph(store), readState, hasNode }
}

/** What a trial has tried: a pause in the purge, before the deletion, or after the last command. */
type Trial = 'in the purge' | 'before the deletion' | 'after the end'

const runTrial = async (
  servers: RedisServers,
  random: Random,
  { prefix, command, pauseMs }: { prefix: string; command: number; pauseMs: number },
): Promise<Trial> => {
  const client = servers.connect()
  const other = connect(client, prefix)
  await other.graph.write([...putAll(), ...putEdges(random, 1)])
  let trial: Trial = 'after the end'
  const interrupt = async (): Promise<void> => {
    const end = Date.now() + pauseMs
    if (await other.hasNode()) {
      trial = 'before the deletion'
      return
    }
    trial = 'in the purge'
    await other.graph.write(putAll())
    await other.graph.write(putEdges(random, 2))
    // A count may include edges of the deleted node until they are removed.
    written = (await other.readState()).state
    const [wrong] = [...findUnequalSides(written), ...findWrongEntries(written)]
    assertLaw(wrong === undefined, `during the pause, ${wrong}`)
    await sleep(end - Date.now())
  }
  let written: ReadonlyMap<string, string> | undefined
  const deleting = connect(actBeforeCommand(client, command, interrupt), prefix)
  await deleting.store.open()
  await deleting.graph.write([{ op: 'deleteNode', id: DELETED }])
  if (written === undefined) return trial
  const { state, wrong } = await other.readState()
  const removed = [...written.keys()].filter(key => state.get(key) !== written?.get(key))
  const law = `after a pause before command ${command}, ${removed.join(', ')} of the new node was removed`
  assertLaw(removed.length === 0, law)
  assertLaw(wrong.length === 0, `after a pause before command ${command}, ${wrong[0]}`)
  return trial
}

const runTrials = async (campaign: Campaign<'pause' | 'store'>, servers: RedisServers): Promise<Figures> => {
  const pauseMs = Number(campaign.setting('pause'))
  const broken: string[] = []
  const counts = new Map<Trial, number>()
  let trials = 0
  const run = async (): Promise<void> => {
    const number = trials++
    const command = (number % PARALLEL_TRIALS) + 1
    const random = createRandom(campaign.seed, number)
    try {
      const trial = await runTrial(servers, random, { prefix: `trial ${number}:`, command, pauseMs })
      counts.set(trial, (counts.get(trial) ?? 0) + 1)
    } catch (error) {
      if (!(error instanceof BrokenLaw)) throw error
      broken.push(error.message)
    }
  }
  while (!campaign.isOver(trials)) await Promise.all(Array.from({ length: PARALLEL_TRIALS }, run))
  const pauses = counts.get('in the purge') ?? 0
  printFigures({ trials, 'pauses in the purge': pauses, 'trials that lost something': broken.length })
  assertNothingWrong(broken)
  assertLaw(pauses > 0, 'a trial pauses in the purge')
  return {}
}

await runCampaign({ pause: '2000', store: 'redis' }, async campaign => {
  const servers = await startRedisServers(campaign.setting('store'))
  try {
    return await runTrials(campaign, servers)
  } finally {
    await servers.stop()
  }
})
