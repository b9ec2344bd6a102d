/**
 * Kills writers to Redis between the two sides of an edge, and checks that the next write, `recover()` and
 * `check --repair` make both sides equal:
 *
 *     npx tsx test/failures/campaigns/redis-writer-kills.ts --seconds 60 --seed 1
 *
 * `--count 1000` kills that many writers instead. `--writers` is the number of processes at the same time, and
 * `--store` is `redis` or `redis-cluster`. `--completions` lists the ways to complete the edges.
 */
import type { Graph } from 'kithgraph'
import { createRedisStore, type RedisStore } from 'kithgraph/redis'
import {
  assertLaw,
  assertNothingWrong,
  type Campaign,
  type Figures,
  printFigures,
  runCampaign,
} from './common/campaign.ts'
import { bundleProgram, startChild } from './common/child.ts'
import { COMPLETIONS, LAST_PERSON } from './common/completions.ts'
import { createDoomedBatch, DOOMED_IDS, type DoomedReport } from './common/doomed-batches.ts'
import { type HotCall, HotHistory, putInitialNodes } from './common/hot-history.ts'
import { type RedisServers, startRedisServers } from './common/redis-servers.ts'
import { createCampaignGraph, type schema } from './common/schema.ts'
import {
  createStateRequest,
  findUnequalSides,
  findWrongCounts,
  findWrongEntries,
  toState,
} from './common/state.ts'

const OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
const PEOPLE = { people: [...DOOMED_IDS, LAST_PERSON], photos: [] }
/** The number of kills before the edges are completed. */
const KILLS_PER_ROUND = 50
/** The numbers of the batches of two processes differ by at least this number. */
const BATCHES_PER_PROCESS = 1000
/** At full size, each way must have made this number of edges equal. */
const MIN_COMPLETED = 10

type Settings = Campaign<'writers' | 'store' | 'completions'>

/** Writers that are killed between two sides, and what they have written. */
class KilledWriters {
  readonly #campaign: Settings
  readonly #servers: RedisServers
  readonly #program: string
  readonly #store: RedisStore
  readonly #history = new HotHistory()
  readonly #methods: readonly string[]
  /** The number of sides that each method has made equal. */
  readonly #completed: Map<string, number>
  readonly #wrong: string[] = []
  #kills = 0
  #acknowledged = 0

  constructor(campaign: Settings, servers: RedisServers, program: string) {
    this.#campaign = campaign
    this.#servers = servers
    this.#program = program
    this.#store = createRedisStore(servers.connect())
    this.#methods = campaign.setting('completions').split(', ')
    this.#completed = new Map(this.#methods.map(method => [method, 0]))
  }

  async run(): Promise<Figures> {
    const graph = createCampaignGraph(this.#store)
    await putInitialNodes(graph, PEOPLE.people, this.#history)
    for (let round = 0; !this.#campaign.isOver(this.#kills) && this.#wrong.length === 0; round++) {
      const lastKill = this.#kills + KILLS_PER_ROUND
      const lanes = Array.from({ length: Number(this.#campaign.setting('writers')) })
      await Promise.all(lanes.map(() => this.#killUntil(lastKill)))
      await this.#complete(graph, this.#methods[round % this.#methods.length] ?? '')
    }
    printFigures({
      'writers killed between two sides': this.#kills,
      'acknowledged batches': this.#acknowledged,
      ...Object.fromEntries(
        [...this.#completed].map(([name, sides]) => [`sides made equal by ${name}`, sides]),
      ),
    })
    assertNothingWrong(this.#wrong)
    const least = Math.min(...this.#completed.values())
    const isComplete = !this.#campaign.isFullSize || least >= MIN_COMPLETED
    assertLaw(isComplete, `each way makes ${MIN_COMPLETED} sides equal`)
    return {}
  }

  async #killUntil(lastKill: number): Promise<void> {
    while (this.#kills < lastKill && !this.#campaign.isOver(this.#kills)) await this.#runUntilKilled()
  }

  async #runUntilKilled(): Promise<void> {
    const { seed } = this.#campaign
    const first = ++this.#kills * BATCHES_PER_PROCESS
    const calls = new Map<number, HotCall>()
    const args = [this.#servers.ports.join(), `${this.#servers.isCluster}`, `${seed}`, `${first}`]
    const child = startChild(this.#program, args, line => {
      const { number, event, clock }: DoomedReport = JSON.parse(line)
      if (event === 'begin') calls.set(number, this.#history.begin(createDoomedBatch(seed, number), clock))
      else {
        calls.get(number)?.succeed(clock)
        this.#acknowledged++
      }
    })
    const code = await child.ended
    if (code !== null) throw new Error(`a writer ended with code ${code} before it was killed`)
  }

  async #complete(graph: Graph<typeof schema>, method: string): Promise<void> {
    const { unequal } = await this.#readState()
    const isEqual = async () => (await this.#readState()).unequal.length === 0
    await COMPLETIONS.get(method)?.({ store: this.#store, graph, servers: this.#servers, isEqual })
    const after = await this.#readState()
    const completed = unequal.length - after.unequal.length
    this.#completed.set(method, (this.#completed.get(method) ?? 0) + completed)
    const unexplained = this.#history.findUnexplained(DOOMED_IDS, after.state)
    const findings = [...after.unequal, ...after.counts, ...unexplained]
    this.#wrong.push(...findings.map(finding => `after ${method}, ${finding}`))
    this.#history.restart(DOOMED_IDS, after.state)
  }

  async #readState() {
    const result = await this.#store.read(createStateRequest(PEOPLE), OPTIONS)
    const state = toState(PEOPLE, result)
    return {
      state,
      unequal: [...findUnequalSides(state), ...findWrongEntries(state)],
      counts: findWrongCounts(PEOPLE, result),
    }
  }
}

const DEFAULTS = { writers: '3', store: 'redis', completions: [...COMPLETIONS.keys()].join(', ') }
await runCampaign(DEFAULTS, async campaign => {
  const servers = await startRedisServers(campaign.setting('store'))
  try {
    return await new KilledWriters(campaign, servers, await bundleProgram('redis-doomed-writer.ts')).run()
  } finally {
    await servers.stop()
  }
})
