import { describe } from '../../base/describe.ts'
import type { ReadOptions } from '../../store/contract.ts'
import { assertTimely } from '../../store/settle.ts'
import type { Database } from './database.ts'

const PLACE = { text: 'select pg_current_wal_insert_lsn()::text' }
const PLACE_OF_REPLICA = { text: 'select pg_last_wal_replay_lsn()::text' }
const HEXADECIMAL = 16
const HIGH_BITS = 32n

/** Where in the log of the primary, by the text in which Postgres says it: two hexadecimal halves. */
const placeOf = (version: string): bigint => {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(version) ?? []
  if (high === undefined || low === undefined)
    throw new TypeError(`atLeast: expected a version that a write answered, came ${describe(version)}`)
  return (BigInt(parseInt(high, HEXADECIMAL)) << HIGH_BITS) | BigInt(parseInt(low, HEXADECIMAL))
}

/** A server that follows the primary. */
class Replica {
  readonly database: Database
  /** How far it is known to have come; it never goes back. */
  #place = 0n

  constructor(database: Database) {
    this.database = database
  }

  async isAt(version: string, options: ReadOptions): Promise<boolean> {
    const wanted = placeOf(version)
    if (this.#place >= wanted) return true
    const [row] = await this.database.query(PLACE_OF_REPLICA, [], options)
    if (row?.[0] != null) this.#place = placeOf(row[0])
    return this.#place >= wanted
  }
}

/** The primary, which is written to, and the replicas that are read in turn as far as they are up to date. */
export class Replicas {
  readonly #primary: Database
  readonly #replicas: readonly Replica[]
  #turn = 0

  constructor(primary: Database, replicas: readonly Database[]) {
    this.#primary = primary
    this.#replicas = replicas.map(database => new Replica(database))
  }

  /** The version of all that was written up to now; undefined where every read goes to the primary. */
  async version(options: ReadOptions): Promise<string | undefined> {
    if (this.#replicas.length === 0) return undefined
    const [row] = await this.#primary.query(PLACE, [], options)
    return row?.[0] ?? undefined
  }

  /**
   * Reads from a replica that has come as far as the read demands. The primary answers what has to be of the newest, and
   * in place of a replica that has not come so far or that fails: it may be starting, or have cancelled the read to go on
   * following.
   */
  async read<T>(options: ReadOptions, read: (database: Database) => Promise<T>): Promise<T> {
    const { atLeast } = options
    const replica = atLeast === 'newest' ? undefined : this.#replicas[this.#turn++ % this.#replicas.length]
    if (replica === undefined) return await read(this.#primary)
    try {
      if (atLeast === undefined || (await replica.isAt(atLeast, options))) return await read(replica.database)
    } catch (cause) {
      if (cause instanceof TypeError) throw cause
      assertTimely(options)
    }
    return await read(this.#primary)
  }
}
