/**
 * Kills masters of a Redis Cluster under load, and checks the acknowledged writes, both sides of each edge
 * and the counts:
 *
 *     npx tsx test/failures/campaigns/redis-failovers.ts --seconds 60 --seed 1
 *
 * `--count 100` makes that many failovers instead. In every second one, the replica lags behind the master
 * when the master is killed: `--lag-ms` lists the times, which are used in turn. With `--deletions renewals`,
 * batches also delete nodes and put them again. With `--replicated yes`, the store waits for a replica, and no
 * acknowledged write may be lost. With `--replicated no` and a count, at least one must be lost, since otherwise
 * the failovers would prove nothing. With `--skew 5`, the clocks of the first replicas are 5 s behind those of
 * the first masters, which needs a C compiler.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Graph, isGraphError } from 'kithgraph'
import { createRedisStore, type RedisStore } from 'kithgraph/redis'
import { type RedisCluster, startRedisCluster } from '../../helpers/redis-cluster.ts'
import { countBranches, createBranchCounts } from './common/branch-counter.ts'
import {
  assertLaw,
  assertNothingWrong,
  type Campaign,
  type Figures,
  printFigures,
  runCampaign,
} from './common/campaign.ts'
import { Failovers } from './common/failovers.ts'
import { createClockEnvironment } from './common/fake-clock.ts'
import { createHotBatch, type Deletions } from './common/hot-batches.ts'
import { HotHistory, putInitialNodes } from './common/hot-history.ts'
import { createRandom, type Random } from './common/random.ts'
import { createCampaignGraph, type schema } from './common/schema.ts'
import { createStateRequest, findContradictions, toState } from './common/state.ts'

const NODE_TIMEOUT_MS = 1000
/** How long the writers write before and after a failover. */
const MAX_LOAD_MS = 500
const NODES = 24
/** In this time, writers remove what a failover has left of deleted nodes. */
const DELETIONS_MS = 4000
/** The client waits longer than a failover takes. */
const CLIENT_OPTIONS = { maxRedirections: 300 }
const OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }

type Settings = Campaign<'writers' | 'replicated' | 'skew' | 'lag-ms' | 'deletions'>
type CampaignGraph = Graph<typeof schema>
type Writer = { readonly graph: CampaignGraph; readonly random: Random }

const IDS: readonly [string, ...string[]] = [
  '1',
  ...Array.from({ length: NODES - 1 }, (_, index) => `${index + 2}`),
]
const PEOPLE = { people: IDS, photos: [] }

/** A cluster whose masters are killed, and what its writers have written. */
class FailingCluster {
  readonly #campaign: Settings
  readonly #cluster: RedisCluster
  readonly #isReplicated: boolean
  readonly #deletions: Deletions
  readonly #history = new HotHistory()
  readonly #counts = { failovers: 0, lagging: 0, batches: 0, written: 0, failed: 0, lost: 0 }
  readonly #branches = createBranchCounts()
  /** What a failover must not do. */
  readonly #wrong: string[] = []

  constructor(campaign: Settings, cluster: RedisCluster) {
    this.#campaign = campaign
    this.#cluster = cluster
    this.#isReplicated = campaign.setting('replicated') === 'yes'
    this.#deletions = campaign.setting('deletions') === 'renewals' ? 'renewals' : 'none'
  }

  async run(): Promise<Figures> {
    const { store, graph } = this.#connect()
    const failovers = new Failovers(this.#cluster)
    await putInitialNodes(graph, IDS, this.#history)
    const writers = Array.from({ length: Number(this.#campaign.setting('writers')) }, (_, writer) => ({
      graph: this.#connect().graph,
      random: createRandom(this.#campaign.seed, writer),
    }))
    while (!this.#campaign.isOver(this.#counts.failovers) && this.#wrong.length === 0) {
      await this.#failOver(failovers, writers)
      await this.#verify(store)
    }
    await failovers.settle()
    this.#print()
    assertNothingWrong(this.#wrong)
    const provesNothing = !this.#isReplicated && this.#counts.lagging > 0 && this.#counts.lost === 0
    assertLaw(!provesNothing, 'failovers of lagging replicas lose a write without the option')
    return {}
  }

  #connect(): { readonly store: RedisStore; readonly graph: CampaignGraph } {
    const client = countBranches(this.#cluster.connect(CLIENT_OPTIONS), this.#branches)
    const store = createRedisStore(client, { replicated: this.#isReplicated ? 1 : undefined })
    return { store, graph: createCampaignGraph(store) }
  }

  async #failOver(failovers: Failovers, writers: readonly Writer[]): Promise<void> {
    const { random } = this.#campaign
    const lagMs = this.#nextLag()
    let isOver = false
    const writing = Promise.all(writers.map(writer => this.#write(writer, () => isOver)))
    await sleep(random.integer(MAX_LOAD_MS))
    await Promise.race([
      failovers.run(random.integer(failovers.shardCount), lagMs),
      writing.then(() => Promise.reject(new Error('the writers ended'))),
    ])
    await sleep(random.integer(MAX_LOAD_MS))
    isOver = true
    await writing
    this.#counts.failovers++
    if (lagMs > 0) this.#counts.lagging++
  }

  /** Returns how long the replica lags in the next failover. It is in sync in every second one. */
  #nextLag(): number {
    if (this.#counts.failovers % 2 === 0) return 0
    const lags = this.#campaign.setting('lag-ms').split(',').map(Number)
    return lags[this.#counts.lagging % lags.length] ?? 0
  }

  async #write({ graph, random }: Writer, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const batch = createHotBatch(random, IDS, ++this.#counts.batches, this.#deletions)
      const call = this.#history.begin(batch)
      try {
        await graph.write(batch.mutations)
        call.succeed()
        this.#counts.written++
      } catch (error) {
        if (!isGraphError(error) || error.reason !== 'store_error') throw error
        this.#counts.failed++
      }
    }
  }

  /** Checks the state while nobody writes. */
  async #verify(store: RedisStore): Promise<void> {
    if (this.#deletions !== 'none') await sleep(DELETIONS_MS)
    await store.recover()
    const result = await store.read(createStateRequest(PEOPLE), OPTIONS)
    const state = toState(PEOPLE, result)
    const lost = this.#history.findUnexplained(IDS, state)
    this.#counts.lost += lost.length
    if (this.#isReplicated) this.#wrong.push(...lost)
    this.#wrong.push(...findContradictions(PEOPLE, result))
    this.#history.restart(IDS, state)
  }

  #print(): void {
    printFigures({
      failovers: this.#counts.failovers,
      'of these, with a replica that lagged': this.#counts.lagging,
      'acknowledged batches': this.#counts.written,
      'batches that failed': this.#counts.failed,
      'acknowledged writes that were lost': this.#counts.lost,
      'second sides that had a newer number': this.#branches.newerSecondSide,
      'both sides written again above it': this.#branches.rewriteAbove,
    })
  }
}

const DEFAULTS = { writers: '6', replicated: 'yes', skew: '0', 'lag-ms': '250,3000', deletions: 'none' }
await runCampaign(DEFAULTS, async campaign => {
  const cluster = await startRedisCluster({
    nodeTimeoutMs: NODE_TIMEOUT_MS,
    replicaEnvironment: createClockEnvironment(-Number(campaign.setting('skew'))),
  })
  try {
    return await new FailingCluster(campaign, cluster).run()
  } finally {
    await cluster.stop()
  }
})
