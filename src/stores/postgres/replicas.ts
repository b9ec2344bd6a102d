import { describeValue } from '../../base/describe.ts'
import { usageError } from '../../base/usage-error.ts'
import type { StoreReadOptions } from '../../store/contract.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import type { Database } from './database.ts'

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

/** A replica of the primary. */
class Replica {
  readonly database: Database
  /** The position that it is known to have reached; it never decreases. */
  #replayedLsn = 0n

  constructor(database: Database) {
    this.database = database
  }

  async hasReached(revision: string, options: StoreReadOptions): Promise<boolean> {
    const requiredLsn = parseLsn(revision)
    if (this.#replayedLsn >= requiredLsn) return true
    const [row] = await this.database.query(SELECT_REPLICA_LSN, [], options)
    if (row?.[0] != null) this.#replayedLsn = parseLsn(row[0])
    return this.#replayedLsn >= requiredLsn
  }
}

/** The primary, which receives writes, and the replicas, which are read in turn if they are recent enough. */
export class Replicas {
  readonly #primary: Database
  readonly #replicas: readonly Replica[]
  #nextReplicaIndex = 0

  constructor(primary: Database, replicas: readonly Database[]) {
    this.#primary = primary
    this.#replicas = replicas.map(database => new Replica(database))
  }

  /** Reads the revision of all writes so far; undefined without replicas. */
  async readRevision(options: StoreReadOptions): Promise<string | undefined> {
    if (this.#replicas.length === 0) return undefined
    const [row] = await this.#primary.query(SELECT_PRIMARY_LSN, [], options)
    return row?.[0] ?? undefined
  }

  /**
   * Reads from a replica that has reached the revision of the read. The primary is read if the newest data is
   * required, and in place of a replica that is behind or fails: it may be starting, or have cancelled the
   * read to continue replication.
   */
  async read<T>(options: StoreReadOptions, readDatabase: (database: Database) => Promise<T>): Promise<T> {
    const { minRevision } = options
    const replica =
      minRevision === 'newest' ? undefined : this.#replicas[this.#nextReplicaIndex++ % this.#replicas.length]
    if (replica === undefined) return await readDatabase(this.#primary)
    try {
      if (minRevision === undefined || (await replica.hasReached(minRevision, options)))
        return await readDatabase(replica.database)
    } catch (cause) {
      if (cause instanceof TypeError) throw cause
      assertInTime(options)
    }
    return await readDatabase(this.#primary)
  }
}
