import { describeValue } from '../../base/describe.ts'
import { assertOptionKinds } from '../../base/options.ts'
import { usageError, usageErrorAbout } from '../../base/usage-error.ts'
import type { Store, StoreReadOptions } from '../../store/contract.ts'
import { CommandSender, type RedisClient } from './command-sender.ts'
import { dumpLines } from './dump.ts'
import { RedisKeys } from './encoding.ts'
import { executeRead } from './read-request.ts'
import { writeBatch } from './write-batch.ts'

/** Options of a Redis store. */
export type RedisStoreOptions = {
  /** The prefix of all keys: any text without `{`. Default `kithgraph:`. */
  readonly prefix?: string | undefined
}

/** A store in a Redis server or a Redis Cluster. */
export interface RedisStore extends Store {
  /**
   * Returns all nodes, then all edges, as lines of NDJSON, each with its line break: `{"node":NodeRecord}` or
   * `{"edge":EdgeRecord}`, in the form of `putNode` and `putEdge`, in any order. Tokens are not included.
   * Each line is created when it is read.
   *
   * The dump is not a snapshot: each line contains the state of the store when its page is read. A record
   * that is written during the dump may be included in its old form, in its new form, in both, or not at all.
   * An edge may be included without its node, and a load rejects such an edge. So do not write during a dump,
   * or repeat those writes after the load.
   *
   * If slots move between masters during a dump, lines may be missing. If a server shrinks its table of keys,
   * lines may be repeated, which does not affect a load.
   */
  dump(): AsyncIterable<string>
}

/** Options without a signal and a deadline. */
const UNTIMED_OPTIONS: StoreReadOptions = Object.freeze({
  signal: undefined,
  deadline: undefined,
  minRevision: undefined,
})

const CAPABILITIES = Object.freeze({ snapshots: false, durable: true, shared: true, atomicity: 'source' })

/**
 * Creates a store in a Redis server or a Redis Cluster, with a connected client of ioredis. Valkey and other
 * servers with scripts and the commands of Redis 6.2 are supported too.
 *
 * A read sends one pipeline to each node of the cluster that it needs. If the read has ranges, a second
 * pipeline reads the targets of their edges. All keys of one id are in one slot. A write is atomic for each
 * source id. If a write fails midway, `data.applied` of the error lists the parts that were written, and
 * writing the same batch again completes it. The durability of the data depends on the configuration of the
 * server.
 *
 * A command that was sent cannot be cancelled. The graph stops waiting for it when the signal of a query
 * aborts or its deadline passes. Reads must go to masters, so leave `scaleReads` of the client at its
 * default. `close` does not close the client.
 *
 * @throws TypeError for an unsupported client, an unknown option, or `{` in the prefix. `write` throws a
 * GraphError: `invalid_mutation` if a mutation would change the type of a node, puts an edge without both
 * ends, or patches a missing node; `store_error` if the write failed midway.
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
  assertOptionKinds('createRedisStore', options, { prefix: 'text' })
  const prefix = options.prefix ?? 'kithgraph:'
  if (prefix.includes('{'))
    throw usageError('createRedisStore', 'prefix', 'a string without "{"', describeValue(prefix))
  const keys = new RedisKeys(prefix)
  const sender = new CommandSender(client)
  return Object.freeze<RedisStore>({
    capabilities: CAPABILITIES,
    open: () => sender.loadScripts(),
    close: () => {},
    read: (request, options) => executeRead(sender, keys, request, options),
    snapshot: () => {
      throw usageErrorAbout('store.snapshot', 'the store', 'one with snapshots', 'a Redis store')
    },
    write: async mutations => {
      await writeBatch(sender, keys, mutations)
      return { revision: undefined }
    },
    dump: async function* () {
      // The client of a cluster must first load its masters.
      await sender.loadScripts()
      yield* dumpLines(client, prefix, async request => executeRead(sender, keys, request, UNTIMED_OPTIONS))
    },
  })
}

const assertClient = (client: RedisClient): void => {
  if (typeof client?.pipeline !== 'function' || typeof client.call !== 'function')
    throw usageError('createRedisStore', 'client', 'a client of ioredis', describeValue(client))
}
