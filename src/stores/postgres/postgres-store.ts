import { describeValue } from '../../base/describe.ts'
import { GraphError } from '../../base/errors.ts'
import type { IdKind } from '../../base/ids.ts'
import { assertOptionKinds } from '../../base/options.ts'
import { usageError } from '../../base/usage-error.ts'
import type {
  Store,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
} from '../../store/contract.ts'
import { EMPTY_REQUEST, isEmptyRequest } from '../../store/requests.ts'
import { parseIdKind } from '../id-kind.ts'
import { parseWriteTimeout } from '../write-timeout.ts'
import { type Database, UNTIMED_OPTIONS } from './database.ts'
import { createDump } from './dump.ts'
import { ID_COLUMNS } from './id-column.ts'
import { ensureTables } from './migrations.ts'
import { toDatabase, toReplicaDatabases } from './open-database.ts'
import type { PGliteClient, PostgresPool } from './postgres-client.ts'
import { executeRead } from './read-request.ts'
import { createReadStatements, type ReadStatements } from './read-statements.ts'
import { type ReadServer, Replicas } from './replicas.ts'
import { TableStatistics } from './table-statistics.ts'
import { writeBatch } from './write-batch.ts'
import { retryOnConflict } from './write-conflict.ts'
import { createWriteStatements } from './write-statements.ts'

/** Options of a Postgres store. */
export type PostgresStoreOptions = {
  /**
   * The kind of the ids in the tables, the same as in the schema of the graph. A database schema has one kind.
   * Default `digits`.
   */
  readonly ids?: IdKind | undefined
  /** The database schema of the tables, which `open` creates if it does not exist. Default `kithgraph`. */
  readonly schema?: string | undefined
  /** Pools of servers that replicate the primary. Reads use them in turn. */
  readonly replicas?: readonly PostgresPool[] | undefined
  /** The maximum time of a write, in milliseconds. Default 10,000. */
  readonly writeTimeoutMs?: number | undefined
  /**
   * Whether statements are prepared by name once per connection, and cancelled when their call ends. Set it to
   * `false` if the pools connect to a pooler in transaction mode, such as PgBouncer: then no statement relies on
   * the state of a connection, and a connection whose call ends before its statement is closed. The server ends
   * the statement at the `statement_timeout` of the role. Default `true`. PGlite is its own connection, and
   * ignores it.
   */
  readonly prepare?: boolean | undefined
}

/** A store in a Postgres database. */
export interface PostgresStore extends Store {
  /**
   * Returns all nodes by id, then all edges by source, as lines of NDJSON, each with its line break:
   * `{"node":NodeRecord}` or `{"edge":EdgeRecord}`, in the form of `putNode` and `putEdge`. Tokens are not
   * included.
   *
   * The lines contain the state of the primary when the promise resolves, regardless of later writes. They
   * are fetched in pages of at most a thousand while you read, and can be read only once. Until all lines
   * have been read or the reader stops, the dump uses a connection of the pool, and the server keeps
   * overwritten data.
   *
   * PGlite has only one connection, and no snapshots: each page contains the state at the time when it is
   * fetched. Do not write to PGlite during a dump.
   */
  dump(): Promise<AsyncIterable<string>>
}

const OPTION_KINDS = {
  schema: 'any',
  replicas: 'any',
  writeTimeoutMs: 'any',
  prepare: 'boolean',
  ids: 'any',
} as const

const DEFAULT_SCHEMA = 'kithgraph'
/**
 * The maximum length of a schema name, in bytes. The name is part of the names of prepared statements, which
 * Postgres limits to 63 bytes.
 */
const MAX_SCHEMA_BYTES = 32

const parseSchemaName = ({ schema = DEFAULT_SCHEMA }: PostgresStoreOptions): string => {
  if (typeof schema === 'string' && /^[\p{L}_][\p{L}\p{N}_$-]*$/u.test(schema) && isShortEnough(schema))
    return schema
  const expected = `a name of letters, digits, _, $ and -, of at most ${MAX_SCHEMA_BYTES} bytes`
  throw usageError('createPostgresStore', 'schema', expected, describeValue(schema))
}

const isShortEnough = (name: string): boolean => new TextEncoder().encode(name).length <= MAX_SCHEMA_BYTES

const createSnapshot = async (database: Database, statements: ReadStatements): Promise<StoreSnapshot> => {
  const databaseSnapshot = await database.openSnapshot()
  return {
    read: (request, options) =>
      executeRead(
        (statement, parameters) => databaseSnapshot.query(statement, parameters, options),
        statements,
        request,
      ),
    close: () => databaseSnapshot.close(),
  }
}

type ReadFrom = (
  server: ReadServer,
  request: StoreReadRequest,
  options: StoreReadOptions,
) => Promise<StoreReadResult>

/** Reads tokens from the primary, and everything else from a replica if there is one. */
const readWithReplicas = async (
  database: Database,
  replicas: Replicas,
  readFrom: ReadFrom,
  request: StoreReadRequest,
  options: StoreReadOptions,
): Promise<StoreReadResult> => {
  if (replicas.isEmpty) return readFrom(database, request, options)
  const requestWithoutTokens = { ...request, tokens: [] }
  const [result, { tokens }] = await Promise.all([
    // Skips the replica for an empty request, because a replica would first be queried for its position.
    isEmptyRequest(requestWithoutTokens)
      ? readFrom(database, EMPTY_REQUEST, options)
      : replicas.read(options, (server, serverOptions) =>
          readFrom(server, requestWithoutTokens, serverOptions),
        ),
    // A replica might still contain a token that was revoked on the primary.
    readFrom(database, { ...EMPTY_REQUEST, tokens: request.tokens }, options),
  ])
  return { ...result, tokens }
}

/** The maximum time for reading the revision of a write, in milliseconds. */
const REVISION_TIMEOUT_MS = 1000

/**
 * Reads the revision of a write.
 *
 * @throws GraphError `store_error`, whose message says that the batch was written.
 */
const readRevision = async (replicas: Replicas): Promise<string | undefined> => {
  try {
    return await replicas.readRevision({ ...UNTIMED_OPTIONS, deadline: Date.now() + REVISION_TIMEOUT_MS })
  } catch (cause) {
    const message = '(#2) The store failed after it had written the batch; the revision is unknown'
    throw new GraphError('store_error', message, {}, { cause })
  }
}

/**
 * Creates a store in a Postgres database, with a connected `Pool` of `pg` or a `PGlite`. `open` creates the
 * tables, or migrates them. `close` does not close the client.
 *
 * A read sends at most one statement for each of its four parts, all at once over separate connections. The
 * statements are cancelled on the server when the signal of the read aborts or its deadline passes, unless
 * `prepare` is false. A write is one transaction, which is repeated after conflicts with other writers. A
 * snapshot uses a connection of the pool until it is closed. PGlite has only one connection, and no snapshots.
 *
 * With `replicas`, `write` returns a revision. A read with this `minRevision` uses a replica only if the
 * replica has reached it. Other reads use any replica. Tokens, and everything that a write depends on, are
 * read from the primary.
 *
 * @throws TypeError for an unsupported client or option; GraphError `invalid_mutation` from `write` if a
 * mutation would change the type of a node, puts an edge without both ends, patches a missing node, or has an
 * impossible increment; `conflict` if a condition does not hold, or another batch has the same id; `timeout`, after
 * which nothing was written; `store_error` if the server does not reply to a commit. Other errors of the client are
 * thrown unchanged.
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
  assertOptionKinds('createPostgresStore', options, OPTION_KINDS)
  const ids = ID_COLUMNS[parseIdKind('createPostgresStore', options.ids)]
  const schema = parseSchemaName(options)
  const writeTimeoutMs = parseWriteTimeout('createPostgresStore', options.writeTimeoutMs)
  const database = toDatabase('createPostgresStore', 'client', client, options.prepare)
  const statistics = new TableStatistics(database, schema)
  const replicas = new Replicas(database, toReplicaDatabases('createPostgresStore', options))
  const [readStatements, writeStatements] = [
    createReadStatements(schema, ids),
    createWriteStatements(schema, ids),
  ]
  const readFrom: ReadFrom = (server, request, options) =>
    executeRead(
      (statement, parameters) => server.query(statement, parameters, options),
      readStatements,
      request,
    )
  return Object.freeze<PostgresStore>({
    capabilities: Object.freeze({ ...database.capabilities, ids: Object.freeze([ids.kind]) }),
    open: () => ensureTables(database, schema, ids),
    close: () => undefined,
    read: (request, options) => readWithReplicas(database, replicas, readFrom, request, options),
    snapshot: () => createSnapshot(database, readStatements),
    write: async (mutations, { signal, batch }) => {
      const deadline = Date.now() + writeTimeoutMs
      const timing = { ...UNTIMED_OPTIONS, signal, deadline }
      const write = () =>
        database.transaction(run => writeBatch(run, writeStatements, mutations, batch), timing)
      if (mutations.length > 0 || batch !== undefined) await retryOnConflict(write, timing)
      await statistics.addWrite(mutations, deadline)
      return { revision: await readRevision(replicas) }
    },
    dump: () => createDump(database, schema, ids),
  })
}
