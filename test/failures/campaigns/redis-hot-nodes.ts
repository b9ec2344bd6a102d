/**
 * Writes to few nodes of Redis by many writers, and checks that the final state and each rejected batch agree
 * with some order of the batches:
 *
 *     npx tsx test/failures/campaigns/redis-hot-nodes.ts --seconds 20 --seed 1
 *
 * `--count 10000` writes that many batches instead. `--writers` and `--nodes` are the numbers of writers and
 * nodes, and `--store` is `redis` or `redis-cluster`. With `--deletions renewals`, batches delete a node only if
 * they also put it, so every node exists before and after each batch, and no batch may be rejected.
 */
import { isGraphError } from 'kithgraph'
import { createRedisStore } from 'kithgraph/redis'
import {
  assertNothingWrong,
  type Campaign,
  type Figures,
  printFigures,
  runCampaign,
} from './common/campaign.ts'
import { createHotBatch } from './common/hot-batches.ts'
import { HotHistory, putInitialNodes } from './common/hot-history.ts'
import { createRandom } from './common/random.ts'
import { type RedisServers, startRedisServers } from './common/redis-servers.ts'
import { createCampaignGraph } from './common/schema.ts'
import {
  createStateRequest,
  findUnequalSides,
  findWrongCounts,
  findWrongEntries,
  toState,
} from './common/state.ts'

const OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }

type Settings = Campaign<'writers' | 'nodes' | 'deletions' | 'store'>

const createIds = (count: number): readonly [string, ...string[]] => [
  '1',
  ...Array.from({ length: count - 1 }, (_, index) => `${index + 2}`),
]

/** Writers to the same nodes, and what they have written. */
class HotNodes {
  readonly #campaign: Settings
  readonly #servers: RedisServers
  readonly #ids: readonly [string, ...string[]]
  readonly #history = new HotHistory()
  /** Rejected batches whose nodes always existed. */
  readonly #rejectedInVain: string[] = []
  #batches = 0
  #rejections = 0

  constructor(campaign: Settings, servers: RedisServers) {
    this.#campaign = campaign
    this.#servers = servers
    this.#ids = createIds(Number(campaign.setting('nodes')))
  }

  async run(): Promise<Figures> {
    const store = createRedisStore(this.#servers.connect())
    await putInitialNodes(createCampaignGraph(store), this.#ids, this.#history)
    const writers = Array.from({ length: Number(this.#campaign.setting('writers')) }, (_, writer) =>
      this.#runWriter(writer),
    )
    await Promise.all(writers)
    const people = { people: this.#ids, photos: [] }
    const result = await store.read(createStateRequest(people), OPTIONS)
    const state = toState(people, result)
    const unexplained = this.#history.findUnexplained(this.#ids, state)
    const unequal = findUnequalSides(state)
    const entries = findWrongEntries(state)
    const counts = findWrongCounts(people, result)
    printFigures({
      batches: this.#batches,
      'rejected batches': this.#rejections,
      'of these, batches that every order accepts': this.#rejectedInVain.length,
      'values that no order explains': unexplained.length,
      'sides that differ from their other side': unequal.length,
      'wrong entries': entries.length,
      'wrong counts': counts.length,
    })
    assertNothingWrong([...this.#rejectedInVain, ...unexplained, ...unequal, ...entries, ...counts])
    return {}
  }

  async #runWriter(writer: number): Promise<void> {
    const random = createRandom(this.#campaign.seed, writer)
    const deletions = this.#campaign.setting('deletions') === 'renewals' ? 'renewals' : 'all'
    const graph = createCampaignGraph(createRedisStore(this.#servers.connect()))
    while (!this.#campaign.isOver(this.#batches)) {
      const batch = createHotBatch(random, this.#ids, ++this.#batches, deletions)
      const call = this.#history.begin(batch)
      try {
        await graph.write(batch.mutations)
        call.succeed()
      } catch (error) {
        if (!isGraphError(error) || error.reason !== 'invalid_mutation') throw error
        this.#rejections++
        if (!call.reject())
          this.#rejectedInVain.push(`a batch whose nodes always existed was rejected: ${error.message}`)
      }
    }
  }
}

const DEFAULTS = { writers: '8', nodes: '20', deletions: 'all', store: 'redis' }
await runCampaign(DEFAULTS, async campaign => {
  const servers = await startRedisServers(campaign.setting('store'))
  try {
    return await new HotNodes(campaign, servers).run()
  } finally {
    await servers.stop()
  }
})
