import { quoteIdentifier } from '../quote-identifier.ts'
import type { Statement } from './database.ts'
import {
  changeEdgesSql,
  deleteEdgesSql,
  indexEdgesSql,
  lockEdgesSql,
  putEdgesSql,
} from './edge-statements.ts'
import type { IdColumn } from './id-column.ts'

/** The strengths of the locks of nodes: for their deletion, for their changes, and as ends of edges. */
const LOCK_STRENGTHS = ['update', 'no key update', 'key share'] as const
export type LockStrength = (typeof LOCK_STRENGTHS)[number]

/** Locks nodes with one strength, in the order of their ids, so that two writers cannot deadlock. */
const lockNodesSql = (schema: string, ids: IdColumn, strength: LockStrength): string => `
select id, type, case when id = any($2::${ids.arrayType}) then fields end
from ${schema}.nodes where id = any($1::${ids.arrayType})
order by id for ${strength}`

/** Locks the node of the row `given`, if it needs a lock of this strength. */
const lockGivenNodeSql = (schema: string, strength: LockStrength): string => `
  select * from (
    select node.type, node.fields from ${schema}.nodes as node
    where node.id = given.id and given.strength = '${strength}'
    for ${strength}
  ) as locked`

/**
 * Locks each node with its own strength, all in the order of their ids. With a statement for each strength,
 * two writers could deadlock.
 */
const lockMixedNodesSql = (schema: string, ids: IdColumn): string => `
select given.id, node.type, case when given.id = any($2::${ids.arrayType}) then node.fields end
from (
  select id, strength from unnest($1::${ids.arrayType}, $3::text[]) as needed (id, strength) order by id
) as given cross join lateral (${LOCK_STRENGTHS.map(strength => lockGivenNodeSql(schema, strength)).join(' union all')}
) as node`

/**
 * Finds the nodes that exist now. This needs a separate statement, because a statement that waits for a lock
 * sees the state before the wait.
 */
const findNodesSql = (schema: string, ids: IdColumn): string => `
select id from ${schema}.nodes where id = any($1::${ids.arrayType})`

/**
 * Puts nodes. A node that the batch deletes first, one of $4, keeps its row, so that other writers that wait
 * for the row find it. A node of $5 must not exist.
 */
const putNodesSql = (schema: string, ids: IdColumn): string => `
with put as (
  insert into ${schema}.nodes as node (id, type, fields)
  select id, type, fields from unnest($1::${ids.arrayType}, $2::text[], $3::json[]) as given (id, type, fields)
  order by id
  on conflict (id) do update set type = excluded.type, fields = excluded.fields
    where (node.type = excluded.type or node.id = any($4::${ids.arrayType})) and node.id <> all($5::${ids.arrayType})
  returning 1
)
select count(*) from put`

/**
 * Locks the existing edges of a batch that depends on stored edges, and reads them.
 */
const lockConditionEdgesSql = (schema: string, ids: IdColumn): string => `
select key.source, key.name, key.target, locked.time, locked.data
from (
  select distinct source, name, target from unnest($1::${ids.arrayType}, $2::text[], $3::${ids.arrayType}) as given (source, name, target)
  order by source, name, target
) as key cross join lateral (
  select edge.time, edge.data from ${schema}.edges as edge
  where edge.source = key.source and edge.name = key.name and edge.target = key.target
  for update
) as locked`

/**
 * Adds the id of a batch, unless a batch with this id was written and is not expired. Waits for the end of
 * another transaction that adds the same id. Removes a few expired ids: those that expired before the
 * transaction began, because an index can find only these. An id is kept from now on, not from the beginning
 * of the transaction.
 */
const addBatchSql = (schema: string): string => `
with expired as (
  delete from ${schema}.batches where id in (
    select id from ${schema}.batches where expires_at <= now() and id <> $1 order by expires_at limit 10
    for update skip locked
  )
)
insert into ${schema}.batches as batch (id, digest, expires_at)
values ($1, $2, clock_timestamp() + $3::bigint * interval '1 millisecond')
on conflict (id) do update set digest = excluded.digest, expires_at = excluded.expires_at
  where batch.expires_at <= clock_timestamp()
returning 1`

const putTokensSql = (schema: string): string => `
insert into ${schema}.tokens (digest, record)
select digest, record from unnest($1::text[], $2::json[]) as given (digest, record)
order by digest
on conflict (digest) do update set record = excluded.record`

const putFlagsSql = (schema: string): string => `
insert into ${schema}.flags (name, value) select * from unnest($1::text[], $2::text[]) order by 1
on conflict (name) do update set value = excluded.value`

const deleteTokensSql = (schema: string): string => `
delete from ${schema}.tokens where digest = any($1::text[])`

/** The statements of a write, in the order in which a batch runs them. */
export type WriteStatements = {
  readonly lockDeleted: Statement
  readonly lockWritten: Statement
  readonly lockEdgeEnds: Statement
  readonly lockMixed: Statement
  readonly findExistingNodes: Statement
  readonly putNodes: Statement
  readonly lockEdges: Statement
  readonly putEdges: Statement
  readonly indexEdges: Statement
  readonly deleteEdges: Statement
  readonly changeEdges: Statement
  readonly lockConditionEdges: Statement
  readonly deleteTokens: Statement
  readonly putTokens: Statement
  readonly putFlags: Statement
  readonly addBatch: Statement
  readonly findBatch: Statement
}

export const createWriteStatements = (schema: string, ids: IdColumn): WriteStatements => {
  const quotedSchema = quoteIdentifier(schema)
  const createStatement = (name: string, text: string) => ({ name: `kithgraph ${name} of ${schema}`, text })
  return {
    lockDeleted: createStatement('lock deleted', lockNodesSql(quotedSchema, ids, 'update')),
    lockWritten: createStatement('lock written', lockNodesSql(quotedSchema, ids, 'no key update')),
    lockEdgeEnds: createStatement('lock linked', lockNodesSql(quotedSchema, ids, 'key share')),
    lockMixed: createStatement('lock mixed', lockMixedNodesSql(quotedSchema, ids)),
    findExistingNodes: createStatement('find nodes', findNodesSql(quotedSchema, ids)),
    putNodes: createStatement('put nodes', putNodesSql(quotedSchema, ids)),
    lockEdges: createStatement('lock edges', lockEdgesSql(quotedSchema, ids)),
    putEdges: createStatement('put edges', putEdgesSql(quotedSchema, ids)),
    indexEdges: createStatement('index edges', indexEdgesSql(quotedSchema, ids)),
    deleteEdges: createStatement('delete edges', deleteEdgesSql(quotedSchema, ids)),
    changeEdges: createStatement('change edges', changeEdgesSql(quotedSchema, ids)),
    lockConditionEdges: createStatement('lock condition edges', lockConditionEdgesSql(quotedSchema, ids)),
    deleteTokens: createStatement('delete tokens', deleteTokensSql(quotedSchema)),
    putTokens: createStatement('put tokens', putTokensSql(quotedSchema)),
    putFlags: createStatement('put flags', putFlagsSql(quotedSchema)),
    addBatch: createStatement('add batch', addBatchSql(quotedSchema)),
    findBatch: createStatement('find batch', `select digest from ${quotedSchema}.batches where id = $1`),
  }
}
