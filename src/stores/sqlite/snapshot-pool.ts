import { describeValue } from '../../base/describe.ts'
import { isNonArrayObject } from '../../base/json.ts'
import { usageErrorAbout } from '../../base/usage-error.ts'
import type { StoreReadRequest, StoreReadResult } from '../../store/contract.ts'
import { configureConnection, prepareCommand, type SqliteDatabase } from './connection.ts'
import { dumpLines } from './dump.ts'
import type { SqliteIdColumn } from './id-column.ts'
import { prepareReadExecutor } from './read-request.ts'

/** A separate connection on which one state of the database stays visible from `begin` to `rollback`. */
export type SnapshotConnection = {
  begin(): void
  rollback(): void
  read(request: StoreReadRequest): StoreReadResult
  dump(): Generator<string>
  /** Closes the connection. */
  close(): void
}

const createSnapshotConnection = (database: SqliteDatabase, ids: SqliteIdColumn): SnapshotConnection => {
  const begin = prepareCommand(database, 'begin')
  // SQLite creates the snapshot at the first read, not at `begin`.
  const firstQuery = database.prepare('select 1 from sqlite_schema limit 1')
  const rollback = prepareCommand(database, 'rollback')
  const executeRead = prepareReadExecutor(database, ids)
  return {
    begin: () => {
      begin()
      firstQuery.get()
    },
    rollback,
    // The connection is already in a transaction.
    read: request => executeRead(request, body => body()),
    dump: () => dumpLines(database, ids),
    close: () => {
      database.close()
    },
  }
}

/**
 * The maximum number of connections that are kept for later snapshots. Opening a connection and preparing its
 * statements takes as long as many reads.
 */
const MAX_IDLE_CONNECTIONS = 8

/** Provides snapshots, each on a separate connection. */
export class SnapshotPool {
  readonly #database: SqliteDatabase
  readonly #connect: () => SqliteDatabase
  readonly #ids: SqliteIdColumn
  readonly #idleConnections: SnapshotConnection[] = []
  readonly #acquiredConnections = new Set<SnapshotConnection>()

  constructor(database: SqliteDatabase, connect: () => SqliteDatabase, ids: SqliteIdColumn) {
    this.#database = database
    this.#connect = connect
    this.#ids = ids
  }

  acquire(): SnapshotConnection {
    const connection = this.#idleConnections.pop() ?? this.#openConnection()
    this.#acquiredConnections.add(connection)
    connection.begin()
    return connection
  }

  /** Releases a snapshot. A snapshot that is already released is ignored. */
  release(connection: SnapshotConnection): void {
    if (!this.#acquiredConnections.delete(connection)) return
    connection.rollback()
    if (this.#idleConnections.length < MAX_IDLE_CONNECTIONS) this.#idleConnections.push(connection)
    else connection.close()
  }

  /** Closes all connections, including those in use. */
  close(): void {
    for (const connection of [...this.#idleConnections.splice(0), ...this.#acquiredConnections])
      connection.close()
    this.#acquiredConnections.clear()
  }

  #openConnection(): SnapshotConnection {
    const database = this.#connect()
    if (database === this.#database || !isNonArrayObject(database))
      throw usageErrorAbout(
        'connect',
        'the result',
        'a new connection to the database',
        describeValue(database),
      )
    try {
      configureConnection(database)
      return createSnapshotConnection(database, this.#ids)
    } catch (cause) {
      database.close()
      throw cause
    }
  }
}
