import type { IdKind } from '../../base/ids.ts'
import { isNonArrayObject } from '../../base/json.ts'
import { quoteIdentifier } from '../quote-identifier.ts'
import { type Database, type RunStatement, type Statement, UNTIMED_OPTIONS } from './database.ts'
import { ID_COLUMNS, type IdColumn } from './id-column.ts'

/**
 * The migrations of the tables: to version 1, to version 2, and so on. A released entry never changes. Every
 * key begins with the id that statements select by, so that a table can be distributed over servers by its
 * first column. The edges of the source 0, which is no node, are the entries of collections.
 */
const MIGRATIONS: readonly ((schema: string, ids: IdColumn) => readonly string[])[] = [
  (schema, { type }) => [
    `create table ${schema}.nodes (
      id ${type} primary key, type text collate "C" not null, fields json not null
    )`,
    `create table ${schema}.edges (
      source ${type} not null, target ${type} not null, time bigint not null, name text collate "C" not null,
      data json, primary key (source, name, target)
    )`,
    `create index edges_in_order on ${schema}.edges (source, name, time, target)`,
    `create table ${schema}.edge_sources (
      target ${type} not null, source ${type} not null, name text collate "C" not null,
      primary key (target, source, name)
    )`,
    // Leaves room on each page for the next version of a row, which then needs no new entry in the index.
    `create table ${schema}.edge_counts (
      source ${type} not null, count bigint not null, shard integer not null, name text collate "C" not null,
      primary key (source, name, shard)
    ) with (fillfactor = 70)`,
    `create table ${schema}.tokens (digest text collate "C" primary key, record json not null)`,
  ],
  schema => [
    `create table ${schema}.batches (
      id text collate "C" primary key, digest text collate "C" not null, expires_at timestamptz not null
    )`,
    `create index batches_by_expiry on ${schema}.batches (expires_at)`,
  ],
  schema => [
    `create table ${schema}.flags (name text collate "C" primary key, value text collate "C" not null)`,
  ],
]

/** The error codes for a missing table and a missing schema. */
const MISSING_TABLE_CODES: readonly unknown[] = ['42P01', '3F000']

/** The version of the tables, and the kind of their ids. */
type TableState = { readonly version: number; readonly ids: IdKind | undefined }

/**
 * Selects the version of the tables, and the type of their ids. A schema has no other record of the kind of its
 * ids, which could differ from its columns.
 */
const selectState = (quotedSchema: string): Statement => ({
  text: `
select max(version), (
  select format_type(atttypid, null) from pg_attribute
  where attrelid = to_regclass($1) and attname = 'id' and not attisdropped
) from ${quotedSchema}.versions`,
})

const toIdKind = (type: string | null | undefined): IdKind | undefined =>
  type == null ? undefined : type === ID_COLUMNS.digits.type ? 'digits' : 'named'

const readState = async (run: RunStatement, quotedSchema: string): Promise<TableState> => {
  const [row] = await run(selectState(quotedSchema), [`${quotedSchema}.nodes`])
  const version = Number(row?.[0] ?? 0)
  if (version > MIGRATIONS.length)
    throw new Error(
      `the Postgres schema ${quotedSchema}: expected tables of version ${MIGRATIONS.length} or older; received version ${version} of a newer library`,
    )
  return { version, ids: toIdKind(row?.[1]) }
}

/** @throws Error if the tables exist and have ids of the other kind. */
const assertIds = (quotedSchema: string, state: TableState, ids: IdColumn): void => {
  if (state.ids === undefined || state.ids === ids.kind) return
  throw new Error(
    `the Postgres schema ${quotedSchema}: expected ids of the kind "${ids.kind}"; received ids of the kind "${state.ids}"`,
  )
}

/**
 * Creates the schema if it does not exist. The catalog is queried first, because a role that may not create
 * schemas may not run `create schema if not exists` either.
 */
const ensureSchema = async (run: RunStatement, schemaName: string): Promise<void> => {
  const existingSchemas = await run({ text: 'select nspname::text from pg_namespace where nspname = $1' }, [
    schemaName,
  ])
  if (existingSchemas.length === 0) await run({ text: `create schema ${quoteIdentifier(schemaName)}` }, [])
}

const migrate = async (run: RunStatement, schemaName: string, ids: IdColumn): Promise<void> => {
  const quotedSchema = quoteIdentifier(schemaName)
  const execute = (text: string) => run({ text }, [])
  // The lock lasts until the transaction ends, so that only one of several processes creates the tables.
  await run({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }, [`kithgraph ${schemaName}`])
  await ensureSchema(run, schemaName)
  await execute(`create table if not exists ${quotedSchema}.versions (
    version integer primary key, since timestamptz not null default now()
  )`)
  const state = await readState(run, quotedSchema)
  // Another process may have created tables for ids of the other kind.
  assertIds(quotedSchema, state, ids)
  for (const createStatements of MIGRATIONS.slice(state.version))
    for (const text of createStatements(quotedSchema, ids)) await execute(text)
  await execute(
    `insert into ${quotedSchema}.versions (version) select generate_series(${state.version + 1}, ${MIGRATIONS.length})`,
  )
}

/** Reads the state of the tables: version 0 if there are none. */
const readExistingState = async (database: Database, quotedSchema: string): Promise<TableState> => {
  const run: RunStatement = (statement, parameters) => database.query(statement, parameters, UNTIMED_OPTIONS)
  return readState(run, quotedSchema).catch((cause: unknown) => {
    if (isNonArrayObject(cause) && MISSING_TABLE_CODES.includes(cause.code))
      return { version: 0, ids: undefined }
    throw cause
  })
}

/**
 * Creates the tables, or migrates them to the version of this library. If the tables already have this
 * version, only reads, so that a role that may not create tables can open the store.
 *
 * @throws Error if the tables have a newer version, or ids of the other kind.
 */
export const ensureTables = async (database: Database, schemaName: string, ids: IdColumn): Promise<void> => {
  const quotedSchema = quoteIdentifier(schemaName)
  const state = await readExistingState(database, quotedSchema)
  assertIds(quotedSchema, state, ids)
  if (state.version < MIGRATIONS.length)
    await database.transaction(run => migrate(run, schemaName, ids), UNTIMED_OPTIONS)
}

/** @throws Error if the schema has tables with ids of the other kind, or of a newer version. */
export const assertIdKind = async (database: Database, schemaName: string, ids: IdColumn): Promise<void> => {
  const quotedSchema = quoteIdentifier(schemaName)
  assertIds(quotedSchema, await readExistingState(database, quotedSchema), ids)
}

/**
 * Asserts that the schema has the tables of this version, and returns the columns of their ids. Only reads.
 *
 * @throws Error if the tables are missing or have another version.
 */
export const assertTables = async (database: Database, schemaName: string): Promise<IdColumn> => {
  const quotedSchema = quoteIdentifier(schemaName)
  const { version, ids } = await readExistingState(database, quotedSchema)
  if (version === MIGRATIONS.length && ids !== undefined) return ID_COLUMNS[ids]
  const received = version === 0 ? 'no tables' : `tables of version ${version}`
  throw new Error(
    `the Postgres schema ${quotedSchema}: expected tables of version ${MIGRATIONS.length}; received ${received}`,
  )
}
