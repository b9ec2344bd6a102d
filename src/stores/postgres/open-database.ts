import { describeValue } from '../../base/describe.ts'
import { isNonArrayObject } from '../../base/json.ts'
import { usageError } from '../../base/usage-error.ts'
import type { Database } from './database.ts'
import { PGliteDatabase } from './pglite-database.ts'
import { PoolDatabase } from './pool-database.ts'
import type { PGliteClient, PostgresPool } from './postgres-client.ts'

/** Whether a value is a pool of `pg`. A `Client` of `pg` is none: only it has the id of its server process. */
export const isPool = (client: unknown): client is PostgresPool =>
  isNonArrayObject(client) && typeof client.connect === 'function' && !('processID' in client)

/** Whether a value is a PGlite. */
export const isPGlite = (client: unknown): client is PGliteClient =>
  isNonArrayObject(client) && typeof client.transaction === 'function' && typeof client.query === 'function'

/**
 * Returns the database of a client.
 *
 * @throws TypeError for any other value, with the names of the function and of its parameter.
 */
export const toDatabase = (
  caller: string,
  parameter: string,
  client: PostgresPool | PGliteClient,
  prepare: boolean | undefined,
): Database => {
  if (isPool(client)) return new PoolDatabase(client, prepare)
  if (isPGlite(client)) return new PGliteDatabase(client)
  throw usageError(caller, parameter, 'a Pool of pg or a PGlite', describeValue(client))
}

/** The options of a store that reads from replicas. */
export type ReplicaOptions = {
  readonly replicas?: readonly PostgresPool[] | undefined
  readonly prepare?: boolean | undefined
}

/**
 * Returns the databases of replicas.
 *
 * @throws TypeError for a replica that is not a pool.
 */
export const toReplicaDatabases = (
  caller: string,
  { replicas = [], prepare }: ReplicaOptions,
): readonly PoolDatabase[] => {
  if (!Array.isArray(replicas))
    throw usageError(caller, 'replicas', 'an array of Pools of pg', describeValue(replicas))
  return replicas.map((pool, index) => {
    if (isPool(pool)) return new PoolDatabase(pool, prepare)
    throw usageError(caller, `replicas[${index}]`, 'a Pool of pg', describeValue(pool))
  })
}
