/**
 * Lets processes put and delete the same symmetric edges of Redis at the same time, and checks after each
 * round that both sides of each edge are equal, and that some order of the writes explains them:
 *
 *     npx tsx test/failures/campaigns/redis-races.ts --seconds 60 --seed 1
 *
 * `--count 20000` makes that many races instead. `--racers` is the number of processes, and `--store` is
 * `redis` or `redis-cluster`. Before some races, a second side receives a write that its first side lacks, as
 * after a failover to a master whose clock is 5 s behind.
 */
import { createRedisStore, type RedisStore } from 'kithgraph/redis'
import { toMember } from '../../../src/stores/redis/encoding.ts'
import { RedisKeys } from '../../../src/stores/redis/redis-keys.ts'
import { createBranchCounts } from './common/branch-counter.ts'
import {
  assertLaw,
  assertNothingWrong,
  type Campaign,
  type Figures,
  printFigures,
  runCampaign,
} from './common/campaign.ts'
import { bundleProgram } from './common/child.ts'
import { createRacePairs, RACE_IDS } from './common/race-writes.ts'
import { type Racers, startRacers } from './common/racers.ts'
import { type RedisServers, startRedisServers } from './common/redis-servers.ts'
import { isExplained, RegisterHistory } from './common/register-history.ts'
import { createCampaignGraph } from './common/schema.ts'
import { createStateRequest, findContradictions, toState } from './common/state.ts'

const PREFIX = 'kithgraph:'
const OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
const PEOPLE = { people: RACE_IDS, photos: [] }
const PAIRS = createRacePairs()
/** One of this number of edges has a newer second side before a round. */
const NEWER_SIDE_PERIOD = 20
const SKEW_US = 5_000_000
/** At full size, each branch must run this often. */
const MIN_BRANCH_COUNT = 10

type Client = ReturnType<RedisServers['connect']>

/** Writes a second side with a later time and number than its first side has. */
const writeNewerSecondSide = async (client: Client, [first, second]: readonly [string, string]) => {
  const keys = new RedisKeys(PREFIX)
  const member = toMember(first)
  const number = `${Date.now() * 1000 + SKEW_US}`
  const hasEdge = await client.hexists(keys.numbers(second), `${member} friends`)
  if (hasEdge === 0) return
  await client.hset(keys.numbers(second), `${member} friends`, number)
  await client.zadd(keys.list(second, 'friends'), 'XX', 1, member, 1, `${member}+`)
}

/** Processes that write the same edges, and what they have written. */
class Races {
  readonly #campaign: Campaign<'racers' | 'store'>
  readonly #client: Client
  readonly #store: RedisStore
  readonly #racers: Racers
  readonly #history = new RegisterHistory()
  readonly #wrong: string[] = []
  #branches = createBranchCounts()
  #races = 0
  #writes = 0

  constructor(campaign: Campaign<'racers' | 'store'>, servers: RedisServers, program: string) {
    this.#campaign = campaign
    this.#client = servers.connect()
    this.#store = createRedisStore(this.#client, { prefix: PREFIX })
    this.#racers = startRacers(program, servers, campaign.seed, Number(campaign.setting('racers')))
  }

  async run(): Promise<Figures> {
    const people = RACE_IDS.map(id => ({ id, type: 'person' as const, fields: { rank: 0 } }))
    await createCampaignGraph(this.#store).write(people.map(node => ({ op: 'putNode', node })))
    for (let round = 1; !this.#campaign.isOver(this.#races) && this.#wrong.length === 0; round++) {
      await this.#writeNewerSecondSides(round)
      await this.#runRound(round)
      await this.#verify()
    }
    this.#racers.stop()
    const { newerSecondSide, rewriteAbove, replacedFirstSide } = this.#branches
    printFigures({
      races: this.#races,
      writes: this.#writes,
      'second sides that had a newer number': newerSecondSide,
      'both sides written again above it': rewriteAbove,
      'not written again, because a later write had replaced the first side': replacedFirstSide,
    })
    assertNothingWrong(this.#wrong)
    const least = Math.min(newerSecondSide, rewriteAbove)
    assertLaw(!this.#campaign.isFullSize || least >= MIN_BRANCH_COUNT, 'each branch runs ten times')
    return {}
  }

  async #writeNewerSecondSides(round: number): Promise<void> {
    const chosen = PAIRS.filter((_, pair) => (pair + round) % NEWER_SIDE_PERIOD === 0)
    await Promise.all(chosen.map(pair => writeNewerSecondSide(this.#client, pair)))
  }

  async #runRound(round: number): Promise<void> {
    this.#history.restart(new Map())
    const reports = await this.#racers.run(round)
    for (const { pair, value, start, end } of reports.flatMap(({ writes }) => writes)) {
      this.#history.begin(`${pair}`, value ?? undefined, start).end = end
      this.#writes++
    }
    this.#branches = this.#racers.sumCounts(reports)
    this.#races += PAIRS.length
  }

  async #verify(): Promise<void> {
    const result = await this.#store.read(createStateRequest(PEOPLE), OPTIONS)
    const state = toState(PEOPLE, result)
    for (const [pair, [first, second]] of PAIRS.entries()) {
      const value = state.get(`${first} friends ${second}`)
      if (!isExplained(this.#history.operationsOf(`${pair}`), value))
        this.#wrong.push(`no order of the writes explains ${first} friends ${second} = ${value}`)
    }
    this.#wrong.push(...findContradictions(PEOPLE, result))
  }
}

await runCampaign({ racers: '3', store: 'redis' }, async campaign => {
  const servers = await startRedisServers(campaign.setting('store'))
  try {
    return await new Races(campaign, servers, await bundleProgram('redis-racer.ts')).run()
  } finally {
    await servers.stop()
  }
})
