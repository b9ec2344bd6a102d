import { describeValue } from '../../base/describe.ts'
import { isNonArrayObject } from '../../base/json.ts'
import { usageErrorAbout } from '../../base/usage-error.ts'
import { prepareCommand, type SqliteDatabase } from './connection.ts'

/**
 * A separate connection on which one state of the database stays visible from `begin` to `rollback`, and what reads
 * this state.
 */
export type SnapshotConnection<TView> = {
  readonly view: TView
  begin(): void
  rollback(): void
  /** Closes the connection. */
  close(): void
}

const createSnapshotConnection = <TView>(
  database: SqliteDatabase,
  createView: (database: SqliteDatabase) => TView,
): SnapshotConnection<TView> => {
  const view = createView(database)
  const begin = prepareCommand(database, 'begin')
  // SQLite creates the snapshot at the first read, not at `begin`.
  const firstQuery = database.prepare('select 1 from sqlite_schema limit 1')
  return {
    view,
    begin: () => {
      begin()
      firstQuery.get()
    },
    rollback: prepareCommand(database, 'rollback'),
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
export class SnapshotPool<TView> {
  readonly #database: SqliteDatabase
  readonly #connect: () => SqliteDatabase
  readonly #createView: (database: SqliteDatabase) => TView
  readonly #idleConnections: SnapshotConnection<TView>[] = []
  readonly #acquiredConnections = new Set<SnapshotConnection<TView>>()

  /** `createView` configures a new connection, and prepares what reads it. */
  constructor(
    database: SqliteDatabase,
    connect: () => SqliteDatabase,
    createView: (database: SqliteDatabase) => TView,
  ) {
    this.#database = database
    this.#connect = connect
    this.#createView = createView
  }

  acquire(): SnapshotConnection<TView> {
    const connection = this.#idleConnections.pop() ?? this.#openConnection()
    this.#acquiredConnections.add(connection)
    connection.begin()
    return connection
  }

  /** Releases a snapshot. A snapshot that is already released is ignored. */
  release(connection: SnapshotConnection<TView>): void {
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

  #openConnection(): SnapshotConnection<TView> {
    const database = this.#connect()
    if (database === this.#database || !isNonArrayObject(database))
      throw usageErrorAbout(
        'connect',
        'the result',
        'a new connection to the database',
        describeValue(database),
      )
    try {
      return createSnapshotConnection(database, this.#createView)
    } catch (cause) {
      database.close()
      throw cause
    }
  }
}
