/**
 * Breaks the connections of several writers to one Postgres server, and checks that the database contains all
 * acknowledged batches, only whole ones, and no batch whose write failed with another error than "unknown":
 *
 *     npx tsx test/failures/campaigns/postgres-cuts.ts --seconds 60 --seed 1
 *
 * `--count 300` breaks connections that many times instead. `--writers` is the number of concurrent writers.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createPostgresStore, type PostgresStore } from 'kithgraph/postgres'
import type pg from 'pg'
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts'
import { startProxy, type TcpProxy } from '../../helpers/tcp-proxy.ts'
import { type Campaign, type Figures, runCampaign } from './common/campaign.ts'
import { LedgerModel } from './common/ledger-model.ts'
import { createLedgerWorkload, type LedgerWorkload } from './common/ledger-workload.ts'
import { LedgerWriter } from './common/ledger-writer.ts'
import { createRandom, type Random } from './common/random.ts'
import { createCampaignGraph } from './common/schema.ts'
import { createStateRequest } from './common/state.ts'

const WRITE_TIMEOUT_MS = 1000
/** Long enough that some writes reach their timeout. */
const MAX_STALL_MS = 1500
const MAX_PAUSE_MS = 600
/** A write that starts when all connections work again must be done after this time. */
const RECOVERY_MS = 60_000
const READ_OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }

const toWriterName = (writer: number): string => `writer ${writer}`

type Target = { readonly proxy: TcpProxy; readonly control: pg.Pool; readonly name: string }
type Break = (target: Target, random: Random) => Promise<void>

const dropNextCommitReply = async ({ proxy }: Target): Promise<void> => {
  const isDropped = new Promise<void>(resolve => {
    proxy.onServerData(data => {
      if (!data.includes('COMMIT')) return
      proxy.cut()
      resolve()
    })
  })
  await Promise.race([isDropped, sleep(WRITE_TIMEOUT_MS)])
  proxy.onServerData(undefined)
}

const BREAKS: ReadonlyMap<string, Break> = new Map<string, Break>([
  ['cut', async ({ proxy }) => proxy.cut()],
  ['reply to a commit lost', dropNextCommitReply],
  [
    'stall',
    async ({ proxy }, random) => {
      proxy.stall()
      await sleep(random.integer(MAX_STALL_MS))
      proxy.restore()
    },
  ],
  ['silent loss', async ({ proxy }) => proxy.halfOpen()],
  [
    'backends terminated',
    async ({ control, name }) => {
      const text = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1'
      await control.query(text, [name])
    },
  ],
])

const KINDS: readonly [string, ...string[]] = ['cut', ...[...BREAKS.keys()].slice(1)]

const createWriters = (
  server: PostgresServer,
  proxies: readonly TcpProxy[],
  workload: LedgerWorkload,
  controlStore: PostgresStore,
): readonly LedgerWriter[] =>
  proxies.map((proxy, writer) => {
    const pool = server.pool({
      port: proxy.port,
      connectionTimeoutMillis: WRITE_TIMEOUT_MS,
      application_name: toWriterName(writer),
    })
    const store = createPostgresStore(pool, { writeTimeoutMs: WRITE_TIMEOUT_MS })
    return new LedgerWriter(createCampaignGraph(store), workload, writer, controlStore)
  })

/** Writers whose connections break, and the state that the database must have. */
class BrokenConnections {
  readonly #campaign: Campaign<'writers'>
  readonly #proxies: readonly TcpProxy[]
  readonly #control: pg.Pool
  readonly #controlStore: PostgresStore
  readonly #workload: LedgerWorkload
  readonly #model: LedgerModel
  readonly #writers: readonly LedgerWriter[]
  readonly #counts = new Map(KINDS.map(kind => [kind, 0]))
  /** Verifications run one after another, because the model cannot go back to an older state. */
  #verification = Promise.resolve()
  #breaks = 0

  constructor(campaign: Campaign<'writers'>, server: PostgresServer, proxies: readonly TcpProxy[]) {
    this.#campaign = campaign
    this.#proxies = proxies
    this.#control = server.pool()
    this.#controlStore = createPostgresStore(this.#control)
    this.#workload = createLedgerWorkload(campaign.seed, proxies.length)
    this.#model = new LedgerModel(this.#workload)
    this.#writers = createWriters(server, proxies, this.#workload, this.#controlStore)
  }

  async run(): Promise<Figures> {
    await createCampaignGraph(this.#controlStore).write(this.#workload.initialBatch)
    await this.#model.open()
    let isOver = false
    const writing = Promise.all(this.#writers.map(writer => writer.run(() => isOver)))
    const breaking = Promise.all(this.#proxies.map((proxy, writer) => this.#breakRepeatedly(proxy, writer)))
    await Promise.race([breaking, writing])
    await Promise.all(this.#writers.map(writer => writer.assertRecovers(RECOVERY_MS)))
    isOver = true
    await writing
    await this.#verify()
    return {
      ...Object.fromEntries(this.#counts),
      'connections broken': this.#breaks,
      ...LedgerWriter.sum(this.#writers),
    }
  }

  async #breakRepeatedly(proxy: TcpProxy, writer: number): Promise<void> {
    const random = createRandom(this.#campaign.seed, writer)
    while (!this.#campaign.isOver(this.#breaks)) {
      this.#breaks++
      await sleep(random.integer(MAX_PAUSE_MS))
      const kind = random.pick(KINDS)
      await BREAKS.get(kind)?.({ proxy, control: this.#control, name: toWriterName(writer) }, random)
      this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
      await this.#verify()
    }
  }

  #verify(): Promise<void> {
    this.#verification = this.#verification.then(() => this.#verifyOnce())
    return this.#verification
  }

  async #verifyOnce(): Promise<void> {
    // Only batches that were acknowledged before the snapshot must be in it.
    const acknowledged = this.#writers.map(writer => writer.acknowledged)
    const snapshot = await this.#controlStore.snapshot()
    const request = createStateRequest(this.#workload.ids, this.#workload.ledgerIds)
    const result = await snapshot.read(request, READ_OPTIONS)
    await snapshot.close()
    const ledger = await this.#model.verify(result)
    for (const [index, writer] of this.#writers.entries())
      writer.assertWritten(ledger[index], acknowledged[index])
  }
}

await runCampaign({ writers: '4' }, async campaign => {
  const server = await startPostgres()
  const proxies: TcpProxy[] = []
  try {
    for (let writer = 0; writer < Number(campaign.setting('writers')); writer++)
      proxies.push(await startProxy(server.port))
    return await new BrokenConnections(campaign, server, proxies).run()
  } finally {
    await Promise.all(proxies.map(proxy => proxy.stop()))
    await server.stop()
  }
})
