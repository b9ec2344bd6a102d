import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertObject, assertOptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import { assertStore } from '../store/assert-store.ts'
import type { Store } from '../store/contract.ts'
import { guardStore } from '../store/guard.ts'
import { isPGlite, isPool, toDatabase, toReplicaDatabases } from '../stores/postgres/open-database.ts'
import type { PGliteClient, PostgresPool } from '../stores/postgres/postgres-client.ts'
import { isSqliteDatabase, type SqliteDatabase } from '../stores/sqlite/connection.ts'
import type { Tables } from './define-tables.ts'
import type { Dialect } from './description/database-description.ts'
import { createPostgresSource } from './postgres/postgres-source.ts'
import type { SettingsFunction } from './postgres/session-settings.ts'
import { resolveRowSecurity } from './row-security-options.ts'
import { createSqliteSource } from './sqlite/sqlite-source.ts'
import type { TableSource } from './table-source.ts'
import { createStoreWithTokens } from './token-store.ts'

/** Options of a table store. */
export type TableStoreOptions = {
  /** The tables of the graph: the other result of `defineTables`. */
  readonly tables: Tables
  /**
   * The store of the tokens, such as the result of `createPostgresStore`. The table store opens and closes it.
   * Without it, the graph has no tokens of its own, and `auth` decides who the viewer is.
   */
  readonly tokens?: Store | undefined
  /**
   * Only for Postgres. Returns the settings of the transaction of each read and of each snapshot, for row-level
   * security: `{ role: 'reader', 'app.account': '42' }`. Throw an error for a session that may not read: then nothing
   * is sent.
   */
  readonly settings?: SettingsFunction | undefined
  /**
   * Only for Postgres: the tables with row-level security, by their names in the description. The first transaction of
   * each role checks that row-level security is active for them. With `settings`, each table of the graph is in this
   * list or in `withoutRowSecurity`.
   */
  readonly rowSecurity?: readonly string[] | undefined
  /** Only for Postgres: the tables that every session may read. */
  readonly withoutRowSecurity?: readonly string[] | undefined
  /** Only for Postgres: pools of servers that replicate the primary. Reads use them in turn. */
  readonly replicas?: readonly PostgresPool[] | undefined
  /**
   * Only for SQLite: opens another connection to the same database. Each open snapshot uses one. Without it, the
   * store has no snapshots.
   */
  readonly connect?: (() => SqliteDatabase) | undefined
  /** Only for Postgres: `false` if the pools connect to a pooler in transaction mode, as for `createPostgresStore`. */
  readonly prepare?: boolean | undefined
}

const CALLER = 'createTableStore'
const OPTION_KINDS = {
  tables: 'object',
  tokens: 'any',
  settings: 'function',
  rowSecurity: 'texts',
  withoutRowSecurity: 'texts',
  replicas: 'any',
  connect: 'function',
  prepare: 'boolean',
} as const

const assertTables = (tables: unknown): void => {
  if (!isNonArrayObject(tables) || !('~model' in tables))
    throw usageError(CALLER, 'tables', 'the tables that defineTables returned', describeValue(tables))
}

/** The options that only Postgres has. */
const POSTGRES_OPTIONS = ['settings', 'rowSecurity', 'withoutRowSecurity', 'replicas', 'prepare'] as const

/** @throws TypeError for a database that is not an open connection. */
const assertDatabase = (database: unknown): void => {
  if (isSqliteDatabase(database) || isPool(database) || isPGlite(database)) return
  const expected =
    'an open database: a Pool of pg, a PGlite, a Database of better-sqlite3 or a DatabaseSync of node:sqlite'
  // A text may be a URL with a password.
  const received = typeof database === 'string' ? 'a string' : describeValue(database)
  throw usageError(CALLER, 'database', expected, received)
}

const createSource = (
  database: PostgresPool | PGliteClient | SqliteDatabase,
  options: TableStoreOptions,
): TableSource => {
  const { '~model': model } = options.tables
  if (isSqliteDatabase(database)) {
    for (const name of POSTGRES_OPTIONS)
      if (options[name] !== undefined)
        throw usageError(CALLER, name, 'left out for SQLite', describeValue(options[name]))
    assertDialect(model.dialect, 'sqlite')
    return createSqliteSource(database, { model, connect: options.connect })
  }
  if (options.connect !== undefined)
    throw usageError(CALLER, 'connect', 'left out for Postgres', describeValue(options.connect))
  assertDialect(model.dialect, 'postgres')
  return createPostgresSource(toDatabase(CALLER, 'database', database, options.prepare), {
    model,
    replicas: toReplicaDatabases(CALLER, options),
    settings: options.settings,
    rowSecurity: resolveRowSecurity(model, options),
  })
}

const assertDialect = (received: Dialect, expected: Dialect): void => {
  if (received !== expected)
    throw usageError(CALLER, 'tables', `tables of a description with the dialect ${expected}`, received)
}

/**
 * Creates a store over the tables of a database: a connected `Pool` of `pg`, a `PGlite`, a `Database` of
 * better-sqlite3 or a `DatabaseSync` of `node:sqlite`. It only reads: your own programs write, and each read sees what
 * they have committed. `close` does not close the client.
 *
 * In Postgres, a read is one statement, with everything that is read ahead, and is cancelled when its call ends. In
 * SQLite, a read is one statement for each node, list and count, all on one state of the database. Statements select
 * only the columns that the query needs, and no text of a statement depends on a caller. An id that no row can have is
 * a missing node, and a cursor that no row can have is `invalid_parameter`: neither is an error of the database.
 *
 * With `settings`, each read is a transaction: the settings are parameters, and are in effect until it ends. A
 * connection whose transaction did not end is destroyed.
 *
 * @throws TypeError for an unsupported client or option, and for a table that is neither in `rowSecurity` nor in
 * `withoutRowSecurity` although there are `settings`. Reads throw `store_error` if a table of `rowSecurity` does not
 * have it, and for other errors of the database; the cause is for the operator.
 *
 * @example
 * ```ts
 * import { PGlite } from '@electric-sql/pglite'
 * import { createGraph } from 'kithgraph'
 * import { createTableStore, defineTables } from 'kithgraph/tables'
 *
 * const client = await PGlite.create()
 * await client.exec(`
 *   create table account (id bigint primary key, name text not null);
 *   insert into account values (42, 'Ada')`)
 *
 * // `npx kithgraph introspect` writes this description.
 * const db = {
 *   dialect: 'postgres',
 *   tables: {
 *     account: {
 *       name: 'account',
 *       schema: 'public',
 *       columns: { id: { type: 'int8' }, name: { type: 'text' } },
 *       key: ['id'],
 *       foreignKeys: [],
 *       uniques: [],
 *       indexes: [],
 *     },
 *   },
 * } as const
 * const { schema, tables } = defineTables(db, {
 *   account: { over: 'account', fields: { name: { default: true } } },
 * })
 *
 * const graph = createGraph(createTableStore(client, { tables }), { schema })
 * const session = graph.session({ viewer: undefined, app: 'demo', scopes: [] })
 * console.log(await graph.getNode(session, { type: 'account', id: 'account-42' })) // { name: 'Ada', id: 'account-42' }
 * await graph.close()
 * await client.close()
 * ```
 */
export const createTableStore = (
  database: PostgresPool | PGliteClient | SqliteDatabase,
  options: TableStoreOptions,
): Store => {
  assertDatabase(database)
  assertObject(CALLER, options)
  assertOptionKinds(CALLER, options, OPTION_KINDS)
  assertTables(options.tables)
  const { tokens } = options
  if (tokens !== undefined) assertStore(CALLER, 'tokens', tokens)
  const source = createSource(database, options)
  return createStoreWithTokens(source, tokens && guardStore(tokens))
}
