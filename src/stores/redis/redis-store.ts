import { describe } from '../../base/describe.ts'
import { assertKinds } from '../../base/options.ts'
import type { ReadOptions, Store } from '../../store/contract.ts'
import { dumpLines } from './dump.ts'
import { Keys } from './keys.ts'
import { readWave } from './read-wave.ts'
import type { RedisClient } from './redis-client.ts'
import { Sender } from './sender.ts'
import { writeBatch } from './write-batch.ts'

/** How a store keeps its data in a server. */
export type RedisStoreOptions = {
  /** What all keys begin with; any text without a brace. `kithgraph:` unless given. */
  readonly prefix?: string | undefined
}

/** A store in a Redis server or a Redis Cluster. */
export interface RedisStore extends Store {
  /**
   * All nodes, then all edges, as lines of NDJSON, each with its line break: `{"node":NodeRecord}` or
   * `{"edge":EdgeRecord}`, as `putNode` and `putEdge` take them, in no order. Tokens are left out. Each line is made
   * when it is asked for.
   *
   * The lines are of no one moment: each is of the store as it is when its page is read. What nobody writes meanwhile is in
   * them, once. Of what is written meanwhile they may hold the old, the new, both or nothing, and an edge whose node came
   * too late to be in them, which a load refuses: write nothing while they are read, or write it again after the load.
   * Where slots move between masters meanwhile, lines may be missing; where a server shrinks its table of keys, lines may
   * come twice, which changes nothing for a load.
   */
  dump(): AsyncIterable<string>
}

/** For reads that nobody limits. */
const UNTIMED: ReadOptions = Object.freeze({ signal: undefined, deadline: undefined, atLeast: undefined })

const CAPABILITIES = Object.freeze({ snapshots: false, durable: true, shared: true, atomicity: 'source' })

/**
 * Creates a store in a Redis server or a Redis Cluster, over a connected client of ioredis. Valkey and other servers
 * with the commands of Redis 6.2 and scripts serve as well.
 *
 * A wave is one pipeline for each node of the cluster that it concerns, and a second one where ranges bring the records
 * of their targets. All keys of one id are in one slot. A write is atomic for each source id; one that failed midway
 * says in its fault's `data.applied` what was done, and the same batch sent again completes it. What was written is as
 * durable as the server is set up to be.
 *
 * Commands on their way cannot be taken back; the graph ends the wait for them at a query's signal or deadline. Reads
 * are to be of masters, which is what a client does unless `scaleReads` tells it otherwise. `close` leaves the client
 * open: it is its owner's.
 *
 * @throws TypeError for what is no client, an unknown option, or a brace in the prefix. GraphError `invalid_mutation` from
 * `write`, for a changed type, an edge without both ends, or a patch of a missing node; `store_fault` from a write that
 * failed midway.
 *
 * @example
 * ```ts
 * import { Redis } from 'ioredis'
 * import { createRedisStore } from 'kithgraph/redis'
 *
 * const redis = new Redis({ lazyConnect: true }) // or: new Cluster([{ host: '10.0.0.1', port: 6379 }])
 * const store = createRedisStore(redis, { prefix: 'social:' })
 * console.log(store.capabilities.atomicity) // source
 * ```
 */
export const createRedisStore = (client: RedisClient, options: RedisStoreOptions = {}): RedisStore => {
  assertClient(client)
  assertKinds('createRedisStore', options, { prefix: 'text' })
  const prefix = options.prefix ?? 'kithgraph:'
  if (prefix.includes('{'))
    throw new TypeError(`createRedisStore: expected a prefix without a brace, came ${describe(prefix)}`)
  const keys = new Keys(prefix)
  const sender = new Sender(client)
  return Object.freeze<RedisStore>({
    capabilities: CAPABILITIES,
    open: () => sender.open(),
    close: () => {},
    read: (wave, options) => readWave(sender, keys, wave, options),
    snapshot: () => {
      throw new TypeError('a Redis store has no snapshots')
    },
    write: async mutations => {
      await writeBatch(sender, keys, mutations)
      return { version: undefined }
    },
    dump: async function* () {
      // A cluster has no masters until its client knows them.
      await sender.open()
      yield* dumpLines(client, prefix, async wave => readWave(sender, keys, wave, UNTIMED))
    },
  })
}

const assertClient = (client: RedisClient): void => {
  if (typeof client?.pipeline !== 'function' || typeof client.call !== 'function')
    throw new TypeError(`createRedisStore: expected a client of ioredis, came ${describe(client)}`)
}
