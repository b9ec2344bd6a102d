import { describeValue } from '../../base/describe.ts'
import { usageError } from '../../base/usage-error.ts'
import type { StoreReadOptions } from '../../store/contract.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import type { Database, Row, RunStatement, Statement, StatementParameter } from './database.ts'
import { isServerError } from './pool-connection.ts'
import type { PoolDatabase } from './pool-database.ts'

const SELECT_PRIMARY_LSN = { text: 'select pg_current_wal_insert_lsn()::text' }
const SELECT_REPLICA_LSN = { text: 'select pg_last_wal_replay_lsn()::text' }
const HEXADECIMAL_RADIX = 16
const LSN_HALF_BITS = 32n

/** Parses a log sequence number (LSN), a position in the log of the primary: two hexadecimal halves. */
const parseLsn = (revision: string): bigint => {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(revision) ?? []
  if (high === undefined || low === undefined)
    throw usageError('store.read', 'minRevision', 'a revision that a write returned', describeValue(revision))
  return (
    (BigInt(parseInt(high, HEXADECIMAL_RADIX)) << LSN_HALF_BITS) | BigInt(parseInt(low, HEXADECIMAL_RADIX))
  )
}

/** The functions of a server that a read uses. */
export type ReadServer = Pick<Database, 'query' | 'readTransaction'>

/** The time for which a replica is not read after it failed to respond. */
const SUSPENSION_MS = 10_000
/** A read that fails earlier does not suspend its replica. */
const MIN_SUSPENDED_WAIT_MS = 500

/** Reports that a replica has not reached the revision of a read. */
class ReplicaBehindError extends Error {
  override readonly name = 'ReplicaBehindError'
}

/**
 * Asserts that a server has reached the revision of a read.
 *
 * @throws ReplicaBehindError if it has not.
 */
const assertReached = async (run: RunStatement, { minRevision }: StoreReadOptions): Promise<void> => {
  if (minRevision === undefined) return
  const requiredLsn = parseLsn(minRevision)
  const [row] = await run(SELECT_REPLICA_LSN, [])
  if (row?.[0] == null || parseLsn(row[0]) < requiredLsn) throw new ReplicaBehindError()
}

/** A replica of the primary. */
class Replica implements ReadServer {
  readonly #database: PoolDatabase
  #suspendedUntil = 0

  constructor(database: PoolDatabase) {
    this.#database = database
  }

  get isSuspended(): boolean {
    return Date.now() < this.#suspendedUntil
  }

  suspend(): void {
    this.#suspendedUntil = Date.now() + SUSPENSION_MS
  }

  /**
   * Runs a statement on a server that has reached the revision of the read. The position is read on the same
   * server each time, because another connection of the pool may lead to another one.
   *
   * @throws ReplicaBehindError if the server has not reached the revision.
   */
  query(
    statement: Statement,
    parameters: readonly StatementParameter[],
    options: StoreReadOptions,
  ): Promise<readonly Row[]> {
    if (options.minRevision === undefined) return this.#database.query(statement, parameters, options)
    return this.#database.runOnServer(async run => {
      await assertReached(run, options)
      return run(statement, parameters)
    }, options)
  }

  readTransaction<T>(body: (run: RunStatement) => Promise<T>, options: StoreReadOptions): Promise<T> {
    return this.#database.readTransaction(async run => {
      await assertReached(run, options)
      return body(run)
    }, options)
  }
}

/** The primary, which receives writes, and the replicas, which are read in turn if they are recent enough. */
export class Replicas {
  readonly #primary: Database
  readonly #replicas: readonly Replica[]
  #nextReplicaIndex = 0

  constructor(primary: Database, replicas: readonly PoolDatabase[]) {
    this.#primary = primary
    this.#replicas = replicas.map(database => new Replica(database))
  }

  get isEmpty(): boolean {
    return this.#replicas.length === 0
  }

  /** Reads the revision of all writes so far; undefined without replicas. */
  async readRevision(options: StoreReadOptions): Promise<string | undefined> {
    if (this.isEmpty) return undefined
    const [row] = await this.#primary.query(SELECT_PRIMARY_LSN, [], options)
    return row?.[0] ?? undefined
  }

  /**
   * Reads from a replica that has reached the revision of the read. Reads from the primary if the newest data
   * is required, or if the replica is behind or fails. A replica may fail because it is starting, or because
   * it cancelled the read to continue replication. A replica has half of the time until the deadline to
   * respond. If it does not respond in time, it is not read for ten seconds.
   */
  async read<T>(
    options: StoreReadOptions,
    readServer: (server: ReadServer, options: StoreReadOptions) => Promise<T>,
  ): Promise<T> {
    const replica = options.minRevision === 'newest' ? undefined : this.#chooseReplica()
    if (replica === undefined) return await readServer(this.#primary, options)
    const { deadline } = options
    const now = Date.now()
    const replicaDeadline = deadline === undefined ? now + SUSPENSION_MS : now + (deadline - now) / 2
    try {
      return await readServer(replica, { ...options, deadline: replicaDeadline })
    } catch (cause) {
      if (cause instanceof TypeError) throw cause
      assertInTime(options)
      // The pool may give up before the read does, with an error of its own.
      const hasWaited = Date.now() - now >= MIN_SUSPENDED_WAIT_MS
      if (hasWaited && !isServerError(cause) && !(cause instanceof ReplicaBehindError)) replica.suspend()
    }
    return await readServer(this.#primary, options)
  }

  /** Returns the next replica that is not suspended; undefined if there is none. */
  #chooseReplica(): Replica | undefined {
    for (let tried = 0; tried < this.#replicas.length; tried++) {
      const replica = this.#replicas[this.#nextReplicaIndex++ % this.#replicas.length]
      if (replica?.isSuspended === false) return replica
    }
    return undefined
  }
}
