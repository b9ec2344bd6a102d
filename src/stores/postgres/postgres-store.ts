import { describe } from '../../base/describe.ts'
import { isPlainObject } from '../../base/json.ts'
import { assertOptions } from '../../base/options.ts'
import type { ReadOptions, Store, StoreSnapshot, Wave, WaveAnswer } from '../../store/contract.ts'
import { isNothing, NOTHING } from '../../store/nothing.ts'
import { type Database, PATIENT } from './database.ts'
import { dumpOf } from './dump.ts'
import { openTables } from './migrations.ts'
import { PGliteDatabase } from './pglite-database.ts'
import { PoolDatabase } from './pool-database.ts'
import type { PGliteClient, PostgresPool } from './postgres-client.ts'
import { readWave } from './read-wave.ts'
import { Replicas } from './replicas.ts'
import { type ReadStatements, readStatements } from './statements.ts'
import { writeBatch } from './write-batch.ts'
import { retryConflicts } from './write-conflict.ts'
import { writeStatements } from './write-statements.ts'

/** How a Postgres store is set up. */
export type PostgresStoreOptions = {
  /** The schema of the database that the tables are in, made by `open` where it is missing; `kithgraph` unless given. */
  readonly schema?: string | undefined
  /** Pools of servers that follow the primary, read in turn. */
  readonly replicas?: readonly PostgresPool[] | undefined
}

/** A store in a Postgres database. */
export interface PostgresStore extends Store {
  /**
   * All nodes by id, then all edges by source, as lines of NDJSON, each with its line break: `{"node":NodeRecord}` or
   * `{"edge":EdgeRecord}`, as `putNode` and `putEdge` take them. Tokens are left out.
   *
   * The lines are of the primary as it is when the promise resolves, whatever is written before they are read; they are
   * read a thousand at a time when they are asked for, and can be read once. Until they all have been, or reading was
   * broken off, they keep a connection of the pool, and the server keeps what later writes replace. PGlite has no
   * connection to spare: of it, each thousand are of when they are read, so that nothing may be written meanwhile.
   */
  dump(): Promise<AsyncIterable<string>>
}

const DEFAULT_SCHEMA = 'kithgraph'
/** Names of prepared statements hold it, and have 63 bytes. */
const LONGEST_SCHEMA = 32

const isPool = (client: unknown): client is PostgresPool =>
  isPlainObject(client) && typeof client.connect === 'function'

const isPGlite = (client: unknown): client is PGliteClient =>
  isPlainObject(client) && typeof client.transaction === 'function' && typeof client.query === 'function'

const databaseOf = (client: PostgresPool | PGliteClient): Database => {
  if (isPool(client)) return new PoolDatabase(client)
  if (isPGlite(client)) return new PGliteDatabase(client)
  throw new TypeError(`createPostgresStore: expected a Pool of pg or a PGlite, came ${describe(client)}`)
}

const replicaOf = (pool: PostgresPool): Database => {
  if (isPool(pool)) return new PoolDatabase(pool)
  throw new TypeError(`createPostgresStore: replicas must be Pools of pg, came ${describe(pool)}`)
}

const schemaOf = ({ schema = DEFAULT_SCHEMA }: PostgresStoreOptions): string => {
  if (typeof schema === 'string' && /^[\p{L}_][\p{L}\p{N}_$-]*$/u.test(schema) && isShort(schema))
    return schema
  throw new TypeError(
    `createPostgresStore: schema must be a name of letters, digits, _, $ and -, of at most ${LONGEST_SCHEMA} bytes, came ${describe(schema)}`,
  )
}

const isShort = (name: string): boolean => new TextEncoder().encode(name).length <= LONGEST_SCHEMA

const snapshotOf = async (database: Database, statements: ReadStatements): Promise<StoreSnapshot> => {
  const view = await database.view()
  return {
    read: (wave, options) =>
      readWave((statement, parameters) => view.query(statement, parameters, options), statements, wave),
    close: () => view.close(),
  }
}

/**
 * Creates a store in a Postgres database, over a connected `Pool` of `pg` or a `PGlite`. `open` makes the tables, or
 * brings them up to date. `close` leaves the client open: it is yours to end.
 *
 * A wave is at most one statement for each of its parts, sent at once over connections of their own; a write is one
 * transaction, tried again where others are in its way. A read whose signal is aborted or whose deadline has passed
 * is cancelled on the server. A snapshot keeps a connection of the pool until it is closed; PGlite has none to keep,
 * and no snapshots.
 *
 * With `replicas`, `write` answers a version, and a read that names it as `atLeast` goes to a replica only where that
 * has come so far; the others go to any of them. What a write rests on, and tokens, are read from the primary.
 *
 * @throws TypeError for a client or options that it cannot use; GraphError `invalid_mutation` from `write`, for a
 * changed type, an edge without both ends, or a patch of a missing node; whatever the client throws, as it is.
 *
 * @example
 * ```ts
 * import { PGlite } from '@electric-sql/pglite'
 * import { createGraph } from 'kithgraph'
 * import { createPostgresStore } from 'kithgraph/postgres'
 *
 * const client = await PGlite.create()
 * const graph = createGraph(createPostgresStore(client))
 * await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
 * const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: [] })
 * console.log(await graph.getMe(token)) // { name: 'Ada', id: '1' }
 * await graph.close()
 * await client.close()
 * ```
 */
export const createPostgresStore = (
  client: PostgresPool | PGliteClient,
  options: PostgresStoreOptions = {},
): PostgresStore => {
  assertOptions('createPostgresStore', options, ['schema', 'replicas'])
  const schema = schemaOf(options)
  const database = databaseOf(client)
  const replicas = new Replicas(database, (options.replicas ?? []).map(replicaOf))
  const [reads, writes] = [readStatements(schema), writeStatements(schema)]
  const readFrom = (server: Database, wave: Wave, options: ReadOptions): Promise<WaveAnswer> =>
    readWave((statement, parameters) => server.query(statement, parameters, options), reads, wave)
  return Object.freeze<PostgresStore>({
    capabilities: database.capabilities,
    open: () => openTables(database, schema),
    close: () => undefined,
    read: async (wave, options) => {
      const rest = { ...wave, tokens: [] }
      const [answer, { tokens }] = await Promise.all([
        // A replica is asked first how far it has come, for nothing where nothing is read from it.
        isNothing(rest)
          ? readFrom(database, NOTHING, options)
          : replicas.read(options, server => readFrom(server, rest, options)),
        // A replica would let in whom the primary has refused since.
        readFrom(database, { ...NOTHING, tokens: wave.tokens }, options),
      ])
      return { ...answer, tokens }
    },
    snapshot: () => snapshotOf(database, reads),
    write: async (mutations, { signal }) => {
      const options: ReadOptions = { ...PATIENT, signal }
      if (mutations.length > 0)
        await retryConflicts(
          () => database.transaction(run => writeBatch(run, writes, mutations), options),
          options,
        )
      return { version: await replicas.version(PATIENT) }
    },
    dump: () => dumpOf(database, schema),
  })
}
