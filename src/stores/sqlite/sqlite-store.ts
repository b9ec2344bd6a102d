import { describe } from '../../base/describe.ts'
import { isPlainObject } from '../../base/json.ts'
import { assertKinds } from '../../base/options.ts'
import type { Mutation, ReadOptions, Store, StoreSnapshot, Wave, WaveAnswer } from '../../store/contract.ts'
import { heldLines } from '../dump/held-lines.ts'
import { configure } from './configure.ts'
import { migrate } from './migrate.ts'
import { prepareWaveReader } from './read-wave.ts'
import { Snapshots, type View } from './snapshots.ts'
import type { SqliteDatabase } from './sqlite-client.ts'
import { createTransactions } from './transactions.ts'
import { prepareBatchWriter } from './write-batch.ts'

/** How a SQLite store is made. */
export type SqliteStoreOptions = {
  /**
   * Opens another connection to the same database. Each open snapshot and dump has one; the store keeps some for the
   * next ones, and closes them. Without it the store has neither.
   */
  readonly connect?: (() => SqliteDatabase) | undefined
}

/** A snapshot of a SQLite store; it answers at once. */
export interface SqliteSnapshot extends StoreSnapshot {
  /** Answers a wave from the state of when the snapshot was taken. */
  read(wave: Wave, options?: ReadOptions): WaveAnswer
  /** Ends the view. Closing it again does nothing. */
  close(): void
}

/** A store in a SQLite database; it answers at once instead of promising. */
export interface SqliteStore extends Store {
  /** Creates or upgrades the tables, and prepares the statements. */
  open(): void
  /** Closes the connections that `connect` opened. The database itself stays open: it is closed by who opened it. */
  close(): void
  /** Answers a wave at once, from one state of the database. */
  read(wave: Wave, options?: ReadOptions): WaveAnswer
  /** Takes a view of what is there now, on a connection of its own. Until it is closed, the write-ahead log grows. */
  snapshot(): SqliteSnapshot
  /** Writes all of the mutations, or throws and writes none. What was answered is on the disk. */
  write(
    mutations: readonly Mutation[],
    options?: { readonly signal: AbortSignal | undefined },
  ): { version: undefined }
  /**
   * All nodes by id, then all edges by source, name, time and target, as lines of NDJSON, each with its line break:
   * `{"node":NodeRecord}` or `{"edge":EdgeRecord}`, as `putNode` and `putEdge` take them. Tokens are left out.
   *
   * The lines are of the store as it is when `dump` is called, whatever is written before they are read; they are read a
   * thousand at a time when they are asked for, and can be read once. Until they all have been, or reading was broken
   * off, they keep a connection of `connect`, and the write-ahead log grows.
   *
   * @throws TypeError where the store has no `connect`.
   */
  dump(): Iterable<string>
}

/** What works while the store is open. */
type Work = Pick<SqliteStore, 'read' | 'write'>

const openWork = (database: SqliteDatabase): Work => {
  configure(database)
  const transactions = createTransactions(database)
  migrate(database, transactions)
  const readWave = prepareWaveReader(database)
  const writeBatch = prepareBatchWriter(database)
  return {
    read: wave => readWave(wave, transactions.read),
    write: mutations => {
      // Nothing to write is no reason to wait for the lock.
      if (mutations.length > 0) transactions.write(() => writeBatch(mutations))
      return { version: undefined }
    },
  }
}

const createSnapshot = (snapshots: Snapshots): SqliteSnapshot => {
  let view: View | undefined = snapshots.take()
  return {
    read: wave => {
      if (view === undefined) throw new TypeError('expected an open snapshot, came a closed one')
      return view.read(wave)
    },
    close: () => {
      if (view !== undefined) snapshots.release(view)
      view = undefined
    },
  }
}

const createDump = (snapshots: Snapshots): Iterable<string> => {
  const view = snapshots.take()
  return heldLines(view.dump(), () => snapshots.release(view))
}

const assertDatabase = (database: unknown): void => {
  const isDatabase =
    isPlainObject(database) &&
    ['prepare', 'exec', 'close'].every(name => typeof database[name] === 'function')
  if (isDatabase) return
  throw new TypeError(
    'createSqliteStore: expected a database of better-sqlite3, node:sqlite or bun:sqlite, came ' +
      describe(database),
  )
}

/** Whether a database has no file, and so neither outlives this process nor is seen by another one. */
const isInMemory = (database: SqliteDatabase): boolean => {
  // Its first row is the main database. It reads no page of the file, which may be no database at all.
  const row: unknown = database.prepare('pragma database_list').get()
  return isPlainObject(row) && (row.file === '' || row.file === null)
}

/**
 * Creates a store in a SQLite database, given as an open connection that nobody else writes through: a `Database` of
 * better-sqlite3, a `DatabaseSync` of `node:sqlite`, or a `Database` of `bun:sqlite`.
 *
 * The database is an empty one, or one of an earlier store: `open` creates the tables, brings older ones up to date,
 * and turns the write-ahead log on. Other processes may read and write the same file. A write is all or nothing, and
 * on the disk when it was answered.
 *
 * @throws TypeError where `database` is none, or an option is unknown; and from anything asked of the store before
 * `open` or after `close`. What SQLite throws goes out as it is. `open` throws an Error for a database that is not
 * kithgraph's, or is of a newer version, and `write` a GraphError `invalid_mutation` for a changed type, an edge
 * without both ends, or a patch of a missing node; nothing is written then.
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
  assertDatabase(database)
  assertKinds('createSqliteStore', options, { connect: 'function' })
  const { connect } = options
  const snapshots = connect && new Snapshots(database, connect)
  const isFile = !isInMemory(database)
  let work: Work | undefined
  const opened = (): Work => {
    if (work === undefined) throw new TypeError('expected an open SQLite store, came one that is not open')
    return work
  }
  const views = (what: string): Snapshots => {
    opened()
    if (snapshots === undefined)
      throw new TypeError(`createSqliteStore: expected connect for ${what}, came none`)
    return snapshots
  }
  return Object.freeze({
    capabilities: Object.freeze({
      snapshots: connect !== undefined,
      durable: isFile,
      shared: isFile,
      atomicity: 'batch' as const,
    }),
    open: () => {
      work = openWork(database)
    },
    close: () => {
      work = undefined
      snapshots?.close()
    },
    read: wave => opened().read(wave),
    write: mutations => opened().write(mutations),
    snapshot: () => createSnapshot(views('a snapshot')),
    dump: () => createDump(views('a dump')),
  } satisfies SqliteStore)
}
