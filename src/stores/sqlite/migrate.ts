import type { IdKind } from '../../base/ids.ts'
import { readNumber, type SqliteDatabase, type Transactions } from './connection.ts'
import { ID_COLUMNS, type SqliteIdColumn } from './id-column.ts'

/**
 * The application ids in the header of the database file, "kith" and "kitn" in ASCII. They identify databases of
 * this store, and the kind of their ids. Versions of the library without named ids reject the second one.
 */
const APPLICATION_IDS: { readonly [kind in IdKind]: number } = { digits: 0x6b697468, named: 0x6b69746e }

/**
 * The migrations of the tables: to version 1, to version 2, and so on. A released entry never changes.
 *
 * Types, names and digests are stored as JSON strings with quotes. JSON escapes U+0000; functions of SQLite
 * would end a text at this character. Triggers update the counts, so that every statement updates them. The
 * edges of the source 0, which is no node, are the entries of collections.
 */
const MIGRATIONS: readonly ((ids: SqliteIdColumn) => string)[] = [
  ({ type }) => `create table nodes (id ${type} primary key, type text not null, fields text not null) strict;
  create table names (id integer primary key, text text not null unique) strict;
  create table edges (
    source ${type} not null, name integer not null, time integer not null, target ${type} not null, data text,
    primary key (source, name, time, target)
  ) strict, without rowid;
  create unique index edges_by_target on edges (target, source, name);
  create table counts (
    source ${type} not null, name integer not null, total integer not null, primary key (source, name)
  ) strict, without rowid;
  create trigger edge_counted after insert on edges begin
    insert into counts values (new.source, new.name, 1) on conflict do update set total = total + 1;
  end;
  create trigger edge_discounted after delete on edges begin
    update counts set total = total - 1 where source = old.source and name = old.name;
    delete from counts where source = old.source and name = old.name and total = 0;
  end;
  create table tokens (digest text primary key, record text not null) strict, without rowid;`,
  () => `create table batches (
    id text primary key, digest text not null, expires_at integer not null
  ) strict, without rowid;
  create index batches_by_expiry on batches (expires_at);`,
  () => 'create table flags (name text primary key, value text not null) strict, without rowid;',
]

const findKind = (applicationId: number): IdKind | undefined =>
  (['digits', 'named'] as const).find(kind => APPLICATION_IDS[kind] === applicationId)

/** The version of the tables, and the kind of their ids. */
type TableState = { readonly version: number; readonly ids: IdKind }

/** Reads the state of the tables; undefined for an empty database. Changes nothing. */
const readTableState = (database: SqliteDatabase): TableState | undefined => {
  const applicationId = readNumber(database, 'pragma application_id')
  const version = readNumber(database, 'pragma user_version')
  const ids = findKind(applicationId)
  if (ids !== undefined && version <= MIGRATIONS.length) return { version, ids }
  if (ids !== undefined)
    throw new Error(
      `SQLite: expected tables of version ${MIGRATIONS.length} or older; received version ${version} of a newer library`,
    )
  const tableCount = readNumber(database, 'select count(*) from sqlite_schema')
  if (applicationId === 0 && version === 0 && tableCount === 0) return undefined
  throw new Error(
    `SQLite: expected an empty database or one of kithgraph; received one with ${tableCount} tables and indexes, ` +
      `application_id ${applicationId} and user_version ${version}`,
  )
}

const RETRY_INTERVAL_MS = 5

/** Blocks this process, as SQLite itself does while it waits for a lock. */
const sleep = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, ms)
}

/**
 * Enables the write-ahead log. SQLite does not wait for the locks of other connections when it changes the
 * mode, so this function waits for them, up to the busy timeout of the connection.
 */
const enableWriteAheadLog = (database: SqliteDatabase): void => {
  const deadline = Date.now() + readNumber(database, 'pragma busy_timeout')
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      const isLocked = error instanceof Error && error.message.includes('locked')
      if (!isLocked || Date.now() >= deadline) throw error
      sleep(RETRY_INTERVAL_MS)
    }
  }
}

/** Returns the version of the tables, or 0 for an empty database. @throws Error for ids of the other kind. */
const readVersionFor = (database: SqliteDatabase, ids: SqliteIdColumn): number => {
  const state = readTableState(database)
  if (state === undefined) return 0
  if (state.ids === ids.kind) return state.version
  throw new Error(
    `SQLite: expected a database of ids of the kind "${ids.kind}"; received one of the kind "${state.ids}"`,
  )
}

/**
 * Migrates the tables to the newest version, completely or not at all. Several processes may do so at once.
 *
 * @throws Error for a database of another application, of ids of the other kind, or of a newer version; nothing
 * is changed then.
 */
export const migrate = (
  database: SqliteDatabase,
  { runRead, runWrite }: Transactions,
  ids: SqliteIdColumn,
): void => {
  // Reads in a transaction, because another process may be migrating the tables.
  if (runRead(() => readVersionFor(database, ids)) === MIGRATIONS.length) return
  enableWriteAheadLog(database)
  runWrite(() => {
    // Another process may have migrated the tables first, or created tables for ids of the other kind.
    const version = readVersionFor(database, ids)
    for (const createSql of MIGRATIONS.slice(version)) database.exec(createSql(ids))
    database.exec(
      `pragma application_id = ${APPLICATION_IDS[ids.kind]}; pragma user_version = ${MIGRATIONS.length}`,
    )
  })
}

/**
 * Asserts that the database has the tables of this version, and returns the columns of their ids. Changes nothing.
 *
 * @throws Error for an empty database, or a database of another application or version.
 */
export const assertMigrated = (database: SqliteDatabase): SqliteIdColumn => {
  const state = readTableState(database)
  if (state?.version === MIGRATIONS.length) return ID_COLUMNS[state.ids]
  const received = state === undefined ? 'an empty database' : `tables of version ${state.version}`
  throw new Error(`SQLite: expected tables of version ${MIGRATIONS.length}; received ${received}`)
}
