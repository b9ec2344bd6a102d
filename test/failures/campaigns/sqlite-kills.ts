/**
 * Kills processes that write to one SQLite file, and checks after each kill that the file contains all
 * acknowledged batches, and only whole ones:
 *
 *     npx tsx test/failures/campaigns/sqlite-kills.ts --seconds 60 --seed 1
 *
 * `--count 1000` kills that many times instead. `--writers` is the number of processes at the same time. The
 * writers use better-sqlite3 and `node:sqlite` in turn, as far as this version of Node has them. `--node` is
 * the path of a newer Node that runs `node:sqlite` instead.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSqliteStore, type SqliteDatabase, type SqliteStore } from 'kithgraph/sqlite'
import { createTemporaryFolder } from '../../helpers/sqlite-databases.ts'
import { assertLaw, type Campaign, type Figures, runCampaign } from './common/campaign.ts'
import { bundleProgram, startChild } from './common/child.ts'
import { LedgerModel } from './common/ledger-model.ts'
import { createLedgerWorkload, type LedgerWorkload } from './common/ledger-workload.ts'
import { createRandom, type Random } from './common/random.ts'
import { createCampaignGraph } from './common/schema.ts'
import { findDrivers, openDatabase, type UsableDriver } from './common/sqlite-drivers.ts'
import { createStateRequest } from './common/state.ts'

/** A kill comes after up to this number of acknowledged batches, and up to this number of milliseconds. */
const MAX_BATCHES = 10
const MAX_DELAY_MS = 8
/** A kill during the start of a process comes within this number of milliseconds. */
const MAX_START_MS = 150

/** Starts a writer, kills it, and returns its last acknowledged batch, or 0. */
const writeAndKill = async (
  program: string,
  node: string,
  args: readonly string[],
  random: Random,
): Promise<number> => {
  const batches = random.integer(MAX_BATCHES + 1)
  let received = 0
  let acknowledged = 0
  let reach: () => void = () => undefined
  const reached = new Promise<void>(resolve => {
    reach = resolve
  })
  const child = startChild(
    program,
    args,
    line => {
      acknowledged = Number(line)
      received++
      if (received === batches) reach()
    },
    node,
  )
  let isKilled = false
  const failure = child.ended.then(code => {
    if (!isKilled) throw new Error(`a writer ended with code ${code}`)
  })
  failure.catch(() => undefined)
  await Promise.race([batches === 0 ? sleep(random.integer(MAX_START_MS)) : reached, failure])
  if (batches > 0) await sleep(random.integer(MAX_DELAY_MS))
  isKilled = true
  child.kill()
  await child.ended
  return acknowledged
}

/** A database file, its writers, and the state that the file must have. */
class KilledWriters {
  readonly #campaign: Campaign<'writers' | 'node'>
  readonly #path: string
  readonly #program: string
  readonly #drivers: readonly UsableDriver[]
  readonly #workload: LedgerWorkload
  readonly #model: LedgerModel
  readonly #database: SqliteDatabase
  readonly #store: SqliteStore
  readonly #lastBatches: number[]
  /** Verifications run one after another, because they share the model. */
  #verification = Promise.resolve()
  #kills = 0
  #unacknowledged = 0

  constructor(campaign: Campaign<'writers' | 'node'>, path: string, program: string) {
    this.#campaign = campaign
    this.#path = path
    this.#program = program
    this.#drivers = findDrivers(campaign.setting('node'))
    this.#workload = createLedgerWorkload(campaign.seed, Number(campaign.setting('writers')))
    this.#model = new LedgerModel(this.#workload)
    this.#database = openDatabase(this.#drivers[0]?.driver ?? '', path)
    this.#store = createSqliteStore(this.#database)
    this.#lastBatches = this.#workload.ledgerIds.map(() => 0)
  }

  async run(): Promise<Figures> {
    await createCampaignGraph(this.#store).write(this.#workload.initialBatch)
    await this.#model.open()
    await Promise.all(this.#lastBatches.map((_, writer) => this.#runWriter(writer)))
    const integrity = this.#database.prepare('pragma integrity_check').get()
    assertLaw(JSON.stringify(integrity).includes('"ok"'), 'the file passes the integrity check of SQLite')
    this.#database.close()
    return {
      drivers: this.#drivers.map(({ driver }) => driver).join(', '),
      kills: this.#kills,
      'batches written': this.#lastBatches.reduce((sum, batch) => sum + batch, 0),
      'kills between a commit and its acknowledgement': this.#unacknowledged,
    }
  }

  async #runWriter(writer: number): Promise<void> {
    const { seed } = this.#campaign
    const random = createRandom(seed, writer)
    for (let round = writer; !this.#campaign.isOver(this.#kills); round++) {
      const { driver, node } = this.#drivers[round % this.#drivers.length] ?? { driver: '', node: '' }
      const args = [this.#path, driver, `${seed}`, `${writer}`, `${this.#lastBatches.length}`]
      const acknowledged = await writeAndKill(this.#program, node, args, random)
      this.#kills++
      this.#verification = this.#verification.then(() => this.#verify(writer, acknowledged))
      await this.#verification
    }
  }

  async #verify(writer: number, acknowledged: number): Promise<void> {
    const { ids, ledgerIds } = this.#workload
    const ledger = await this.#model.verify(this.#store.read(createStateRequest(ids, ledgerIds)))
    const batch = ledger[writer]?.batch ?? Number.NaN
    const least = Math.max(acknowledged, this.#lastBatches[writer] ?? 0)
    const law = `the write of batch ${least} of writer ${writer} returned; the last batch in the file is ${batch}`
    assertLaw(batch === least || batch === least + 1, law)
    if (batch > least) this.#unacknowledged++
    this.#lastBatches[writer] = batch
  }
}

await runCampaign({ writers: '3', node: '' }, async campaign => {
  const folder = createTemporaryFolder()
  try {
    const program = await bundleProgram('sqlite-writer.ts')
    return await new KilledWriters(campaign, join(folder.path, 'graph.db'), program).run()
  } finally {
    folder.remove()
  }
})
