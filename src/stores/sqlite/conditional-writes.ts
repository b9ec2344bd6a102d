import { batchConflictError } from '../../base/errors.ts'
import { isNonArrayObject, type JsonObject } from '../../base/json.ts'
import type { BatchId } from '../../store/conditional.ts'
import type { StoredState } from '../resolve-mutations.ts'
import { prepareCommand, prepareJsonQuery, type SqliteDatabase } from './connection.ts'
import type { SqliteIdColumn } from './id-column.ts'

/** Prepares the reads of the records that the conditions of a batch depend on. */
export const prepareStoredState = (
  database: SqliteDatabase,
  { toParameter }: SqliteIdColumn,
): StoredState => {
  const readFields = prepareJsonQuery<JsonObject>(database, 'select fields as result from nodes where id = ?')
  const readEdge = prepareJsonQuery<number | JsonObject>(
    database,
    `select time || ',' || coalesce(data, '{}') as result from edges
    where target = ? and source = ? and name = (select id from names where text = ?)`,
  )
  return {
    nodeOf: id => readFields(toParameter(id))[0],
    edgeOf: ({ source, name, target }) => {
      const [time, data] = readEdge(toParameter(target), toParameter(source), JSON.stringify(name))
      return typeof time === 'number' && isNonArrayObject(data) ? { time, data } : undefined
    },
  }
}

/** The ids of the batches that were written, until they expire. Use them within the transaction of a write. */
type AppliedBatches = {
  /** Whether a batch was written before. @throws GraphError `conflict` if another batch has its id. */
  readonly has: (batch: BatchId) => boolean
  readonly add: (batch: BatchId) => void
}

export const prepareAppliedBatches = (database: SqliteDatabase): AppliedBatches => {
  const readBatch = prepareJsonQuery<string | number>(
    database,
    "select digest || ',' || expires_at as result from batches where id = ?",
  )
  const putBatch = prepareCommand(
    database,
    `insert into batches values (?, ?, ?)
    on conflict do update set digest = excluded.digest, expires_at = excluded.expires_at`,
  )
  // More than one for each new id, so that expired ids do not accumulate.
  const removeExpired = prepareCommand(
    database,
    'delete from batches where id in (select id from batches where expires_at <= ? limit 10)',
  )
  return {
    has: ({ id, digest }) => {
      const [knownDigest, expiresAt = 0] = readBatch(JSON.stringify(id))
      if (knownDigest === undefined || Number(expiresAt) <= Date.now()) return false
      if (knownDigest !== digest) throw batchConflictError()
      return true
    },
    add: ({ id, digest, keepMs }) => {
      const now = Date.now()
      removeExpired(now)
      putBatch(JSON.stringify(id), JSON.stringify(digest), now + keepMs)
    },
  }
}
