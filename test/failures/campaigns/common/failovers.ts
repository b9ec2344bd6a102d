import { setTimeout as sleep } from 'node:timers/promises'
import { type RedisServer, waitUntil } from '../../../helpers/redis.ts'
import type { RedisCluster } from '../../../helpers/redis-cluster.ts'

const TIMEOUT_MS = 60_000

/** The servers of one part of the slots. */
type Shard = { master: RedisServer; replica: RedisServer; attaching: Promise<void> }

const readProcessId = async ({ admin }: RedisServer): Promise<number> =>
  Number(/process_id:(\d+)/.exec(await admin.info('server'))?.[1])

const isMaster = async ({ admin }: RedisServer): Promise<boolean> =>
  (await admin.info('replication')).includes('role:master')

const isLinked = async ({ admin }: RedisServer): Promise<boolean> => {
  const info = await admin.info('replication')
  return info.includes('role:slave') && info.includes('master_link_status:up')
}

/**
 * Waits until a replica has confirmed all writes that its master has now. The states of both servers do not
 * show this: after a copy, they report a working link before the replica receives the writes since the copy.
 */
const waitUntilInSync = async (replica: RedisServer, master: RedisServer): Promise<void> => {
  await waitUntil('a replica follows its master', () => isLinked(replica), TIMEOUT_MS)
  const info = await master.admin.info('replication')
  const offset = Number(/master_repl_offset:(\d+)/.exec(info)?.[1])
  const confirmed = new RegExp(`port=${replica.port},state=online,offset=(\\d+)`)
  const hasConfirmed = async () =>
    Number(confirmed.exec(await master.admin.info('replication'))?.[1]) >= offset
  await waitUntil('a replica has the writes of its master', hasConfirmed, TIMEOUT_MS)
}

const isComplete = async ({ admin }: RedisServer): Promise<boolean> =>
  String(await admin.cluster('INFO')).includes('cluster_state:ok')

/** Kills the masters of a cluster in turn, and attaches each one again as the replica of its successor. */
export class Failovers {
  readonly #shards: readonly Shard[]

  constructor({ masters, replicas }: RedisCluster) {
    this.#shards = masters.flatMap((master, index) => {
      const replica = replicas[index]
      return replica === undefined ? [] : { master, replica, attaching: Promise.resolve() }
    })
  }

  get shardCount(): number {
    return this.#shards.length
  }

  /**
   * Kills the master of a shard while its replica is in sync, and returns when the replica has replaced it.
   * If the replica lags, it loses its connection `lagMs` before, and lacks all writes of this time.
   */
  async run(index: number, lagMs: number): Promise<void> {
    const shard = this.#shards[index]
    if (shard === undefined) throw new Error(`no shard ${index}`)
    const { master, replica } = shard
    await shard.attaching
    await waitUntilInSync(replica, master)
    const [masterProcess, replicaProcess] = [await readProcessId(master), await readProcessId(replica)]
    if (lagMs > 0) {
      process.kill(replicaProcess, 'SIGSTOP')
      await master.admin.call('client', ['KILL', 'TYPE', 'replica'])
      await sleep(lagMs)
    }
    // Not only by the shell of the server: the replica must not reach its master again.
    process.kill(masterProcess, 'SIGKILL')
    if (lagMs > 0) process.kill(replicaProcess, 'SIGCONT')
    master.kill()
    await waitUntil('a replica is promoted', () => isMaster(replica), TIMEOUT_MS)
    await waitUntil('all slots are served', () => isComplete(replica), TIMEOUT_MS)
    shard.master = replica
    shard.replica = master
    shard.attaching = this.#attach(master, replica)
    // A failure is reported by the next failover of this shard.
    shard.attaching.catch(() => undefined)
  }

  /** Waits until every shard has a replica that is in sync. */
  async settle(): Promise<void> {
    await Promise.all(this.#shards.map(shard => shard.attaching))
  }

  async #attach(server: RedisServer, master: RedisServer): Promise<void> {
    await server.restart()
    await waitUntilInSync(server, master)
  }
}
