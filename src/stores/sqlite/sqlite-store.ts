import type { IdKind } from '../../base/ids.ts'
import { assertOptionKinds } from '../../base/options.ts'
import { usageError, usageErrorAbout } from '../../base/usage-error.ts'
import type {
  Store,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
  StoreWriteOptions,
} from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { withRelease } from '../dump-lines.ts'
import { parseIdKind } from '../id-kind.ts'
import {
  assertSqliteDatabase,
  configureConnection,
  createTransactions,
  isInMemory,
  type SqliteDatabase,
} from './connection.ts'
import { dumpLines } from './dump.ts'
import { ID_COLUMNS, type SqliteIdColumn } from './id-column.ts'
import { migrate } from './migrate.ts'
import { prepareReadExecutor } from './read-request.ts'
import { type SnapshotConnection, SnapshotPool } from './snapshot-pool.ts'
import { prepareBatchWriter } from './write-batch.ts'

/** Options of a SQLite store. */
export type SqliteStoreOptions = {
  /**
   * The kind of the ids in the database, the same as in the schema of the graph. A database has one kind. Default
   * `digits`.
   */
  readonly ids?: IdKind | undefined
  /**
   * Opens another connection to the same database. Each open snapshot or dump uses one such connection. The
   * store keeps some connections for later snapshots, and closes all of them when it is closed. Without this
   * option, the store supports neither snapshots nor dumps.
   */
  readonly connect?: (() => SqliteDatabase) | undefined
}

/** A snapshot of a SQLite store. All methods are synchronous. */
export interface SqliteSnapshot extends StoreSnapshot {
  /** Executes a read request on the state at the time of the snapshot. */
  read(request: StoreReadRequest, options?: StoreReadOptions): StoreReadResult
  /** Closes the snapshot. A second call does nothing. */
  close(): void
}

/** A store in a SQLite database. All methods are synchronous. */
export interface SqliteStore extends Store {
  /** Creates or upgrades the tables, and prepares the statements. */
  open(): void
  /** Closes the connections that `connect` opened. Does not close `database`. */
  close(): void
  /** Executes a read request on one state of the database. */
  read(request: StoreReadRequest, options?: StoreReadOptions): StoreReadResult
  /**
   * Returns a view of the current data, on a separate connection. The write-ahead log grows until the view is
   * closed.
   */
  snapshot(): SqliteSnapshot
  /** Writes all of the mutations, or throws and writes none. When it returns, the data is on disk. */
  write(mutations: readonly StoreMutation[], options?: StoreWriteOptions): { revision: undefined }
  /**
   * Returns all nodes by id, then all edges by source, name, time and target, as lines of NDJSON, each with
   * its line break: `{"node":NodeRecord}` or `{"edge":EdgeRecord}`, in the form of `putNode` and `putEdge`.
   * Tokens are not included.
   *
   * The lines contain the state of the store when `dump` is called, regardless of later writes. They are
   * fetched in pages of at most a thousand while you read, and can be read only once. Until all lines have
   * been read or the reader stops, the dump uses a connection of `connect`, and the write-ahead log grows.
   *
   * @throws TypeError if the store has no `connect`.
   */
  dump(): Iterable<string>
}

/** The functions of an open store. */
type OpenStoreFunctions = Pick<SqliteStore, 'read' | 'write'>

const openStore = (database: SqliteDatabase, ids: SqliteIdColumn): OpenStoreFunctions => {
  configureConnection(database)
  const transactions = createTransactions(database)
  migrate(database, transactions, ids)
  const executeRead = prepareReadExecutor(database, ids)
  const writeBatch = prepareBatchWriter(database, ids)
  return {
    read: request => executeRead(request, transactions.runRead),
    write: (mutations, options) => {
      const batch = options?.batch
      // An empty batch need not wait for the lock.
      if (mutations.length > 0 || batch !== undefined)
        transactions.runWrite(() => writeBatch(mutations, batch))
      return { revision: undefined }
    },
  }
}

/** A store that is not open yet, open, or closed. */
class StoreState {
  readonly #database: SqliteDatabase
  readonly #ids: SqliteIdColumn
  #openFunctions: OpenStoreFunctions | undefined
  #isClosed = false

  constructor(database: SqliteDatabase, ids: SqliteIdColumn) {
    this.#database = database
    this.#ids = ids
  }

  /** @throws TypeError if the store is not open. */
  getFunctions(): OpenStoreFunctions {
    if (this.#openFunctions !== undefined) return this.#openFunctions
    throw usageErrorAbout('store', 'the SQLite store', 'open', 'a store that is not open')
  }

  open(): void {
    this.#openFunctions = openStore(this.#database, this.#ids)
    this.#isClosed = false
  }

  close(): void {
    this.#openFunctions = undefined
    this.#isClosed = true
  }

  /** Opens a store that was never open. @throws TypeError for a closed store. */
  openIfNew(): void {
    if (this.#openFunctions === undefined && !this.#isClosed) this.open()
    else this.getFunctions()
  }
}

/** What reads the state of a snapshot. */
type SnapshotView = {
  read(request: StoreReadRequest): StoreReadResult
  dump(): Generator<string>
}

const createView = (database: SqliteDatabase, ids: SqliteIdColumn): SnapshotView => {
  configureConnection(database)
  const executeRead = prepareReadExecutor(database, ids)
  return {
    // The connection is already in a transaction.
    read: request => executeRead(request, body => body()),
    dump: () => dumpLines(database, ids),
  }
}

/** @throws TypeError without the option `connect`, which a snapshot and a dump need. */
const requirePool = (
  pool: SnapshotPool<SnapshotView> | undefined,
  purpose: string,
): SnapshotPool<SnapshotView> => {
  if (pool !== undefined) return pool
  throw usageError('createSqliteStore', 'connect', `given for ${purpose}`, 'undefined')
}

const createSnapshot = (pool: SnapshotPool<SnapshotView>): SqliteSnapshot => {
  let connection: SnapshotConnection<SnapshotView> | undefined = pool.acquire()
  return {
    read: request => {
      if (connection === undefined)
        throw usageErrorAbout('snapshot.read', 'the snapshot', 'open', 'a closed snapshot')
      return connection.view.read(request)
    },
    close: () => {
      if (connection !== undefined) pool.release(connection)
      connection = undefined
    },
  }
}

const createDump = (pool: SnapshotPool<SnapshotView>): Iterable<string> => {
  const connection = pool.acquire()
  return withRelease(connection.view.dump(), () => pool.release(connection))
}

/**
 * Creates a store in a SQLite database. `database` is an open connection: a `Database` of better-sqlite3, a
 * `DatabaseSync` of `node:sqlite`, or a `Database` of `bun:sqlite`. Do not use this connection for other
 * writes.
 *
 * The database must be empty, or the database of an earlier store with ids of the same kind. `open` creates or
 * migrates the tables, and enables the write-ahead log. Other processes may read and write the same file. A write is
 * all or nothing, and on disk when it returns.
 *
 * @throws TypeError for an unsupported `database` or an unknown option, and from any call before `open` or
 * after `close`. Errors of SQLite are thrown unchanged. `open` throws an Error for a database of another
 * application, of ids of the other kind, or of a newer version. `write` throws a GraphError `invalid_mutation`, and
 * writes nothing, if a mutation would change the type of a node, puts an edge without both ends, patches a missing
 * node, or has an impossible increment; `conflict` if a condition does not hold, or another batch has the same id.
 *
 * @example
 * ```ts
 * import Database from 'better-sqlite3'
 * import { createGraph } from 'kithgraph'
 * import { createSqliteStore } from 'kithgraph/sqlite'
 *
 * const graph = createGraph(createSqliteStore(new Database(':memory:')))
 * await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
 * const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: [] })
 * console.log(await graph.getMe(token)) // { name: 'Ada', id: '1' }
 * await graph.close()
 * ```
 */
export const createSqliteStore = (
  database: SqliteDatabase,
  options: SqliteStoreOptions = {},
): SqliteStore => {
  assertSqliteDatabase('createSqliteStore', database)
  assertOptionKinds('createSqliteStore', options, { connect: 'function', ids: 'any' })
  const ids = ID_COLUMNS[parseIdKind('createSqliteStore', options.ids)]
  const snapshotPool =
    options.connect && new SnapshotPool(database, options.connect, opened => createView(opened, ids))
  const hasFile = !isInMemory(database)
  const state = new StoreState(database, ids)
  return Object.freeze({
    capabilities: Object.freeze({
      snapshots: snapshotPool !== undefined,
      durable: hasFile,
      shared: hasFile,
      atomicity: 'batch' as const,
      conditionalWrites: true,
      collections: true,
      ids: Object.freeze([ids.kind]),
    }),
    open: () => state.open(),
    close: () => {
      state.close()
      snapshotPool?.close()
    },
    read: request => state.getFunctions().read(request),
    write: (mutations, options) => state.getFunctions().write(mutations, options),
    snapshot: () => {
      state.getFunctions()
      return createSnapshot(requirePool(snapshotPool, 'a snapshot'))
    },
    dump: () => {
      const pool = requirePool(snapshotPool, 'a dump')
      // Programs that move data read a dump before any graph has opened the store.
      state.openIfNew()
      return createDump(pool)
    },
  } satisfies SqliteStore)
}
