import { describeValue } from '../../base/describe.ts'
import { assertOptionKinds } from '../../base/options.ts'
import { usageError, usageErrorAbout } from '../../base/usage-error.ts'
import { isConditional } from '../../store/conditional.ts'
import type { Store, StoreReadRequest } from '../../store/contract.ts'
import { UNTIMED_OPTIONS } from '../../store/requests.ts'
import { limitWriteTime, parseWriteTimeout } from '../write-timeout.ts'
import { CommandSender, type RedisClient } from './command-sender.ts'
import { writeConditionally } from './conditional-write.ts'
import { dumpLines } from './dump.ts'
import { EmptyStore } from './empty-store.ts'
import { writeIdentified } from './identified-write.ts'
import { KeyspaceScanner } from './keyspace-scan.ts'
import { NoteSettler } from './note-settler.ts'
import { executeRead } from './read-request.ts'
import { type RedisRecovery, recoverAll } from './recovery.ts'
import { RedisKeys } from './redis-keys.ts'
import { SourceQueue } from './source-queue.ts'
import { writeBatch } from './write-batch.ts'
import type { WriteContext } from './write-context.ts'

/** Options of a Redis store. */
export type RedisStoreOptions = {
  /** The prefix of all keys: any text without `{`. Default `kithgraph:`. */
  readonly prefix?: string | undefined
  /**
   * With 1, a write waits until one replica of each master confirms it. So a failover to this replica does
   * not lose it. If no replica confirms it within a second, the write fails with `store_error`, although the
   * master has it. By default, a write does not wait, and a failover may lose the last writes.
   */
  readonly replicated?: 1 | undefined
  /**
   * The maximum time of a write, in milliseconds. Default 10,000. A write that takes longer fails with
   * `store_error`, and it is unknown whether it was written.
   */
  readonly writeTimeoutMs?: number | undefined
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
   * The dump contains all other records, or reading it fails: with a `GraphError` `store_error` if slots are
   * moving between masters, if a server restarted, or if it is unknown which master has which slots. Lines
   * may be repeated after a failover, after a completed move of slots, and if a server shrinks its table of
   * keys. This does not affect a load.
   */
  dump(): AsyncIterable<string>
  /**
   * Completes the writes and deletions that killed processes have left unfinished, in the whole store, and
   * returns their numbers. Otherwise, the next write of an edge from a node completes the edges from this node.
   * Other processes may read and write at the same time. Damaged recovery notes remain.
   *
   * It removes the recovery notes at once, without waiting for replicas. So run it again after a failover that
   * follows immediately.
   *
   * @throws GraphError `store_error` if a master fails, or if slots move during the recovery.
   */
  recover(): Promise<RedisRecovery>
}

const CAPABILITIES = Object.freeze({
  snapshots: false,
  durable: true,
  shared: true,
  atomicity: 'source',
  conditionalWrites: true,
  collections: true,
  ids: Object.freeze(['digits'] as const),
})

/**
 * Creates a store in a Redis server or a Redis Cluster, with a connected client of ioredis. Valkey and other
 * servers with scripts and the commands of Redis 6.2 are supported too.
 *
 * A read sends one pipeline to each node of the cluster that it needs. If the read has ranges, a second
 * pipeline reads the targets of their edges. All keys of one id are in one slot. A write is atomic for each
 * source id. A batch with a condition or an increment may only write to one source id. If a write fails midway,
 * `data.applied` of the error lists the parts that were certainly written. Writing the same batch again completes
 * it. With an increment, this is true only for a batch with an id, which must be written again with this id;
 * otherwise, numbers are added twice. The durability of the data depends on the configuration of the server.
 *
 * A command that was sent cannot be cancelled. The graph stops waiting for it when the signal of a query
 * aborts or its deadline passes. Reads must go to masters, so leave `scaleReads` of the client at its
 * default. `close` does not close the client.
 *
 * @throws TypeError for an unsupported client, an unknown option, or `{` in the prefix. `write` throws a
 * GraphError: `invalid_mutation` if a mutation would change the type of a node, puts an edge without both
 * ends, or patches a missing node, if an increment is impossible, or if a batch with a condition or an
 * increment writes to several source ids; `conflict` if a condition does not hold, or if another batch has the
 * same id; `store_error` if the write failed midway, or if its result is unknown.
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
  const { prefix, isReplicated, writeTimeoutMs } = parseOptions(options)
  const keys = new RedisKeys(prefix)
  const sender = new CommandSender(client)
  const writeSender = isReplicated ? sender.waitingForReplica() : sender
  const settler = new NoteSettler(client, sender, keys)
  const context = { reader: sender, sender: writeSender, keys, settler }
  const emptyStore = new EmptyStore(client, sender, keys, prefix)
  const readContext = { sender, keys, emptyStore }
  return Object.freeze<RedisStore>({
    capabilities: CAPABILITIES,
    open: async () => {
      // The client of a cluster must first load its masters.
      await sender.loadScripts()
      await settler.open()
    },
    close: () => settler.close(),
    read: (request, options) => executeRead(readContext, request, options),
    snapshot: () => {
      throw usageErrorAbout('store.snapshot', 'the store', 'one with snapshots', 'a Redis store')
    },
    write: createWrite(context, emptyStore, writeTimeoutMs),
    recover: async () => {
      await sender.loadScripts()
      return recoverAll(new KeyspaceScanner(client, prefix), sender, keys)
    },
    dump: async function* () {
      // The client of a cluster must first load its masters.
      await sender.loadScripts()
      const read = async (request: StoreReadRequest) => executeRead(readContext, request, UNTIMED_OPTIONS)
      yield* dumpLines(new KeyspaceScanner(client, prefix), { sender, keys, read })
    },
  })
}

/** Creates the function that writes a batch: most batches have neither conditions nor an id. */
const createWrite = (
  context: WriteContext,
  emptyStore: EmptyStore,
  writeTimeoutMs: number,
): Store['write'] => {
  const queue = new SourceQueue()
  return async (mutations, { batch }) => {
    try {
      if (mutations.some(isConditional))
        await writeConditionally(context, queue, mutations, batch, writeTimeoutMs)
      else
        await limitWriteTime(
          batch === undefined ? writeBatch(context, mutations) : writeIdentified(context, mutations, batch),
          writeTimeoutMs,
        )
    } finally {
      emptyStore.forget()
    }
    return { revision: undefined }
  }
}

const parseOptions = (options: RedisStoreOptions) => {
  assertOptionKinds('createRedisStore', options, { prefix: 'text', replicated: 'any', writeTimeoutMs: 'any' })
  const { prefix = 'kithgraph:', replicated } = options
  if (replicated !== undefined && replicated !== 1)
    throw usageError('createRedisStore', 'replicated', '1', describeValue(replicated))
  const writeTimeoutMs = parseWriteTimeout('createRedisStore', options.writeTimeoutMs)
  if (prefix.includes('{'))
    throw usageError('createRedisStore', 'prefix', 'a string without "{"', describeValue(prefix))
  return { prefix, isReplicated: replicated === 1, writeTimeoutMs }
}

const assertClient = (client: RedisClient): void => {
  if (typeof client?.pipeline !== 'function' || typeof client.call !== 'function')
    throw usageError('createRedisStore', 'client', 'a client of ioredis', describeValue(client))
}
