import { isPlainObject } from '../../base/json.ts'
import { type Database, PATIENT, type Run, type Statement } from './database.ts'
import { quoteIdentifier } from './statements.ts'

/**
 * What makes version 1 of the tables, version 2 of those, and so on: once released, an entry stays as it is. Every key
 * begins with the id that a statement asks by, so that a table can be spread over servers by its first column.
 */
const VERSIONS: readonly ((schema: string) => readonly string[])[] = [
  schema => [
    `create table ${schema}.nodes (
      id bigint primary key, type text collate "C" not null, fields json not null
    )`,
    `create table ${schema}.edges (
      source bigint not null, target bigint not null, time bigint not null, name text collate "C" not null,
      data json, primary key (source, name, target)
    )`,
    `create index edges_in_order on ${schema}.edges (source, name, time, target)`,
    `create table ${schema}.edge_sources (
      target bigint not null, source bigint not null, name text collate "C" not null,
      primary key (target, source, name)
    )`,
    // Room on each page for the next version of a row, which then needs no new entry in the index.
    `create table ${schema}.edge_counts (
      source bigint not null, count bigint not null, shard integer not null, name text collate "C" not null,
      primary key (source, name, shard)
    ) with (fillfactor = 70)`,
    `create table ${schema}.tokens (digest text collate "C" primary key, record json not null)`,
  ],
]

/** "No such table" and "no such schema". */
const MISSING: readonly unknown[] = ['42P01', '3F000']

const versionOf = (schema: string): Statement => ({ text: `select max(version) from ${schema}.versions` })

const readVersion = async (run: Run, schema: string): Promise<number> => {
  const [row] = await run(versionOf(schema), [])
  const version = Number(row?.[0] ?? 0)
  if (version > VERSIONS.length)
    throw new Error(
      `the Postgres schema ${schema}: expected tables of version ${VERSIONS.length} or older, came version ${version} of a newer library`,
    )
  return version
}

/** Looked up first: who may not create schemas may not even say `if not exists`, and what is cached may be old. */
const createSchema = async (run: Run, name: string): Promise<void> => {
  const found = await run({ text: 'select nspname::text from pg_namespace where nspname = $1' }, [name])
  if (found.length === 0) await run({ text: `create schema ${quoteIdentifier(name)}` }, [])
}

const migrate = async (run: Run, name: string): Promise<void> => {
  const schema = quoteIdentifier(name)
  const execute = (text: string) => run({ text }, [])
  // Held until the transaction ends, so that processes that start together make the tables once.
  await run({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }, [`kithgraph ${name}`])
  await createSchema(run, name)
  await execute(`create table if not exists ${schema}.versions (
    version integer primary key, since timestamptz not null default now()
  )`)
  const version = await readVersion(run, schema)
  for (const statements of VERSIONS.slice(version)) for (const text of statements(schema)) await execute(text)
  await execute(
    `insert into ${schema}.versions (version) select generate_series(${version + 1}, ${VERSIONS.length})`,
  )
}

/**
 * Makes the tables, or brings them to the version of this library. Where they are of it already, it only looks, so that
 * a role that may not create tables can use them.
 *
 * @throws Error where they are of a newer version.
 */
export const openTables = async (database: Database, name: string): Promise<void> => {
  const schema = quoteIdentifier(name)
  const run: Run = (statement, parameters) => database.query(statement, parameters, PATIENT)
  const version = await readVersion(run, schema).catch((cause: unknown) => {
    if (isPlainObject(cause) && MISSING.includes(cause.code)) return 0
    throw cause
  })
  if (version < VERSIONS.length) await database.transaction(run => migrate(run, name), PATIENT)
}
