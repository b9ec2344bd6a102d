import { isPlainObject } from '../../base/json.ts'
import type { SqliteDatabase } from './sqlite-client.ts'
import type { Transactions } from './transactions.ts'

/** "kith": what a database of ours says in its header, so that nobody else's is taken for one. */
const APPLICATION_ID = 0x6b697468

/**
 * Each brings a database from the version that is its place in the list to the next. One that was published is never
 * changed.
 *
 * Types, names and digests are kept as JSON texts, quotes and all, since in JSON U+0000 is an escape, and SQLite's own
 * functions end a text at the character. The counts are kept by triggers, so that no statement can forget them.
 */
const MIGRATIONS: readonly string[] = [
  `create table nodes (id integer primary key, type text not null, fields text not null) strict;
  create table names (id integer primary key, text text not null unique) strict;
  create table edges (
    source integer not null, name integer not null, time integer not null, target integer not null, data text,
    primary key (source, name, time, target)
  ) strict, without rowid;
  create unique index edges_by_target on edges (target, source, name);
  create table counts (
    source integer not null, name integer not null, total integer not null, primary key (source, name)
  ) strict, without rowid;
  create trigger edge_counted after insert on edges begin
    insert into counts values (new.source, new.name, 1) on conflict do update set total = total + 1;
  end;
  create trigger edge_discounted after delete on edges begin
    update counts set total = total - 1 where source = old.source and name = old.name;
    delete from counts where source = old.source and name = old.name and total = 0;
  end;
  create table tokens (digest text primary key, record text not null) strict, without rowid;`,
]

const numberOf = (database: SqliteDatabase, sql: string): number => {
  const row = database.prepare(sql).get()
  const value = isPlainObject(row) ? Object.values(row)[0] : undefined
  return Number(value)
}

/** The version of the tables that there are, 0 for an empty database. Nothing is changed by asking. */
const versionOf = (database: SqliteDatabase): number => {
  const application = numberOf(database, 'pragma application_id')
  const version = numberOf(database, 'pragma user_version')
  if (application === APPLICATION_ID && version <= MIGRATIONS.length) return version
  if (application === APPLICATION_ID)
    throw new Error(
      `SQLite: expected tables of version ${MIGRATIONS.length} or older, came ${version}, of a newer kithgraph`,
    )
  const tables = numberOf(database, 'select count(*) from sqlite_schema')
  if (application === 0 && version === 0 && tables === 0) return 0
  throw new Error(
    `SQLite: expected an empty database or one of kithgraph, came one of ${tables} tables and indexes, ` +
      `application_id ${application} and user_version ${version}`,
  )
}

/**
 * Brings the tables to the newest version: all of the way, or not at all.
 *
 * @throws Error for a database that is not ours, or of a newer version; nothing of it is changed.
 */
export const migrate = (database: SqliteDatabase, transactions: Transactions): void => {
  if (versionOf(database) === MIGRATIONS.length) return
  database.exec('pragma journal_mode = wal')
  transactions.write(() => {
    // Another process may have come first.
    const version = versionOf(database)
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration)
    database.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${MIGRATIONS.length}`)
  })
}
