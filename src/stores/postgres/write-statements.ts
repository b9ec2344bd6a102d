import { quoteIdentifier, type Statement } from './database.ts'

/** The maximum number of rows over which the count of one list is distributed. A read adds them up. */
const MAX_COUNT_SHARDS = 16

/** Locks nodes in the order of their ids, so that two writers cannot deadlock. */
const lockNodesSql = (schema: string, lockClause: string): string => `
select id, type, case when id = any($2::bigint[]) then fields end
from ${schema}.nodes where id = any($1::bigint[])
order by id ${lockClause}`

/**
 * Finds the nodes that exist now. This needs a separate statement, because a statement that waits for a lock
 * sees the state before the wait.
 */
const findNodesSql = (schema: string): string => `
select id from ${schema}.nodes where id = any($1::bigint[])`

const putNodesSql = (schema: string): string => `
with put as (
  insert into ${schema}.nodes as node (id, type, fields)
  select id, type, fields from unnest($1::bigint[], $2::text[], $3::json[]) as given (id, type, fields)
  order by id
  on conflict (id) do update set fields = excluded.fields
    where node.type = excluded.type and node.id <> all($4::bigint[])
  returning 1
)
select count(*) from put`

const INPUT_EDGES_SQL = 'unnest($1::bigint[], $2::text[], $3::bigint[]) as given (source, name, target)'

const putEdgesSql = (schema: string): string => `
insert into ${schema}.edges (source, name, target, time, data)
select source, name, target, time, data
from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::json[])
  as given (source, name, target, time, data)
order by source, name, target
on conflict (source, name, target) do update set time = excluded.time, data = excluded.data`

/** Selects, for each list, a row of its count that no other transaction is writing, if there is one. */
const selectFreeShardSql = (schema: string): string => `(
    select part.shard from ${schema}.edge_counts as part
    where part.source = change.source and part.name = change.name
    limit 1 for update skip locked
  )`

/**
 * Adds edges to the table `edge_sources`, and counts the new ones. An edge is new if it has no entry there.
 * No other transaction changes the edge at this point, because this transaction has locked its row.
 */
const indexEdgesSql = (schema: string): string => `
with fresh as (
  insert into ${schema}.edge_sources (target, source, name)
  select target, source, name from ${INPUT_EDGES_SQL}
  order by target, source, name
  on conflict do nothing
  returning source, name
), change as materialized (
  select source, name, count(*) as difference from fresh group by source, name order by source, name
), chosen as materialized (
  select source, name, difference,
    coalesce(${selectFreeShardSql(schema)}, pg_backend_pid() % ${MAX_COUNT_SHARDS}) as shard
  from change
)
insert into ${schema}.edge_counts as part (source, name, shard, count)
select source, name, shard, difference from chosen
on conflict (source, name, shard) do update set count = part.count + excluded.count`

/**
 * Subtracts the edges of `gone` from the counts of their lists. Only updates existing rows and never adds a
 * row, because a concurrent deletion of the source would not see the new row.
 */
const subtractCountsSql = (schema: string): string => `change as materialized (
  select source, name, count(*) as difference from gone group by source, name order by source, name
), chosen as materialized (
  select source, name, difference, coalesce(${selectFreeShardSql(schema)}, (
    select min(part.shard) from ${schema}.edge_counts as part
    where part.source = change.source and part.name = change.name
  )) as shard
  from change
)
update ${schema}.edge_counts as part set count = part.count - chosen.difference
from chosen
where part.source = chosen.source and part.name = chosen.name and part.shard = chosen.shard`

const deleteEdgesSql = (schema: string): string => `
with gone as (
  delete from ${schema}.edges as edge using ${INPUT_EDGES_SQL}
  where edge.source = given.source and edge.name = given.name and edge.target = given.target
  returning edge.source, edge.name, edge.target
), entries as (
  delete from ${schema}.edge_sources as entry using gone
  where entry.target = gone.target and entry.source = gone.source and entry.name = gone.name
), ${subtractCountsSql(schema)}`

/**
 * Deletes nodes with their edges in both directions, in one statement. `gone` contains the edges that the
 * counts of other nodes include.
 */
const deleteNodesSql = (schema: string): string => `
with outgoing as (
  delete from ${schema}.edges where source = any($1::bigint[]) returning source, name, target
), outgoing_entries as (
  delete from ${schema}.edge_sources as entry using outgoing
  where entry.target = outgoing.target and entry.source = outgoing.source and entry.name = outgoing.name
    and entry.target <> all($1::bigint[])
), counts as (
  delete from ${schema}.edge_counts where source = any($1::bigint[])
), gone as (
  delete from ${schema}.edges as edge using ${schema}.edge_sources as entry
  where entry.target = any($1::bigint[]) and entry.source <> all($1::bigint[])
    and edge.source = entry.source and edge.name = entry.name and edge.target = entry.target
  returning edge.source, edge.name
), entries as (
  delete from ${schema}.edge_sources where target = any($1::bigint[])
), nodes as (
  delete from ${schema}.nodes where id = any($1::bigint[])
), ${subtractCountsSql(schema)}`

const putTokensSql = (schema: string): string => `
insert into ${schema}.tokens (digest, record)
select digest, record from unnest($1::text[], $2::json[]) as given (digest, record)
order by digest
on conflict (digest) do update set record = excluded.record`

const deleteTokensSql = (schema: string): string => `
delete from ${schema}.tokens where digest = any($1::text[])`

/** The statements of a write, in the order in which a batch runs them. */
export type WriteStatements = {
  readonly lockDeleted: Statement
  readonly lockWritten: Statement
  readonly lockEdgeEnds: Statement
  readonly findExistingNodes: Statement
  readonly deleteNodes: Statement
  readonly putNodes: Statement
  readonly deleteEdges: Statement
  readonly putEdges: Statement
  readonly indexEdges: Statement
  readonly deleteTokens: Statement
  readonly putTokens: Statement
}

export const createWriteStatements = (schema: string): WriteStatements => {
  const quotedSchema = quoteIdentifier(schema)
  const createStatement = (name: string, text: string) => ({ name: `kithgraph ${name} of ${schema}`, text })
  return {
    lockDeleted: createStatement('lock deleted', lockNodesSql(quotedSchema, 'for update')),
    lockWritten: createStatement('lock written', lockNodesSql(quotedSchema, 'for no key update')),
    lockEdgeEnds: createStatement('lock linked', lockNodesSql(quotedSchema, 'for key share')),
    deleteNodes: createStatement('delete nodes', deleteNodesSql(quotedSchema)),
    findExistingNodes: createStatement('find nodes', findNodesSql(quotedSchema)),
    putNodes: createStatement('put nodes', putNodesSql(quotedSchema)),
    deleteEdges: createStatement('delete edges', deleteEdgesSql(quotedSchema)),
    putEdges: createStatement('put edges', putEdgesSql(quotedSchema)),
    indexEdges: createStatement('index edges', indexEdgesSql(quotedSchema)),
    deleteTokens: createStatement('delete tokens', deleteTokensSql(quotedSchema)),
    putTokens: createStatement('put tokens', putTokensSql(quotedSchema)),
  }
}
