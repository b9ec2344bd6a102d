import type { Statement } from './database.ts'
import { quoteIdentifier } from './statements.ts'

/** Into how many rows the count of one list may be spread; a read sums them. */
const COUNT_ROWS = 16

/** Nodes by id, locked in the order of their ids, so that two writers wait for each other in one direction only. */
const lockOf = (schema: string, strength: string): string => `
select id, type, case when id = any($2::bigint[]) then fields end
from ${schema}.nodes where id = any($1::bigint[])
order by id ${strength}`

/** Those of the nodes that are there now, in a look of its own: a lock looks at what was there before it waited. */
const findNodesOf = (schema: string): string => `
select id from ${schema}.nodes where id = any($1::bigint[])`

const putNodesOf = (schema: string): string => `
with put as (
  insert into ${schema}.nodes as node (id, type, fields)
  select id, type, fields from unnest($1::bigint[], $2::text[], $3::json[]) as given (id, type, fields)
  order by id
  on conflict (id) do update set fields = excluded.fields
    where node.type = excluded.type and node.id <> all($4::bigint[])
  returning 1
)
select count(*) from put`

const GIVEN_EDGES = 'unnest($1::bigint[], $2::text[], $3::bigint[]) as given (source, name, target)'

const putEdgesOf = (schema: string): string => `
insert into ${schema}.edges (source, name, target, time, data)
select source, name, target, time, data
from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::json[])
  as given (source, name, target, time, data)
order by source, name, target
on conflict (source, name, target) do update set time = excluded.time, data = excluded.data`

/** A row of the count of each list that no one else is writing; none where there is no such row. */
const freeCountOf = (schema: string): string => `(
    select part.shard from ${schema}.edge_counts as part
    where part.source = change.source and part.name = change.name
    limit 1 for update skip locked
  )`

/**
 * Enters edges under their targets and counts those that were not there. That an edge is new is told by its reverse
 * entry: whoever puts or deletes an edge holds the lock of its row by then.
 */
const enterEdgesOf = (schema: string): string => `
with fresh as (
  insert into ${schema}.edge_sources (target, source, name)
  select target, source, name from ${GIVEN_EDGES}
  order by target, source, name
  on conflict do nothing
  returning source, name
), change as materialized (
  select source, name, count(*) as difference from fresh group by source, name order by source, name
), chosen as materialized (
  select source, name, difference,
    coalesce(${freeCountOf(schema)}, pg_backend_pid() % ${COUNT_ROWS}) as shard
  from change
)
insert into ${schema}.edge_counts as part (source, name, shard, count)
select source, name, shard, difference from chosen
on conflict (source, name, shard) do update set count = part.count + excluded.count`

/**
 * Takes the edges of `gone` off their counts. It changes rows that are there and never adds one: whoever deletes the
 * source at the same time would not see it.
 */
const countGoneOf = (schema: string): string => `change as materialized (
  select source, name, count(*) as difference from gone group by source, name order by source, name
), chosen as materialized (
  select source, name, difference, coalesce(${freeCountOf(schema)}, (
    select min(part.shard) from ${schema}.edge_counts as part
    where part.source = change.source and part.name = change.name
  )) as shard
  from change
)
update ${schema}.edge_counts as part set count = part.count - chosen.difference
from chosen
where part.source = chosen.source and part.name = chosen.name and part.shard = chosen.shard`

const deleteEdgesOf = (schema: string): string => `
with gone as (
  delete from ${schema}.edges as edge using ${GIVEN_EDGES}
  where edge.source = given.source and edge.name = given.name and edge.target = given.target
  returning edge.source, edge.name, edge.target
), entries as (
  delete from ${schema}.edge_sources as entry using gone
  where entry.target = gone.target and entry.source = gone.source and entry.name = gone.name
), ${countGoneOf(schema)}`

/** Nodes with their edges in both directions, in one look: `gone` are those that others keep the count of. */
const deleteNodesOf = (schema: string): string => `
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
), ${countGoneOf(schema)}`

const putTokensOf = (schema: string): string => `
insert into ${schema}.tokens (digest, record)
select digest, record from unnest($1::text[], $2::json[]) as given (digest, record)
order by digest
on conflict (digest) do update set record = excluded.record`

const deleteTokensOf = (schema: string): string => `
delete from ${schema}.tokens where digest = any($1::text[])`

/** The statements of a write, in the order in which a batch runs those that it needs. */
export type WriteStatements = {
  readonly lockDeleted: Statement
  readonly lockWritten: Statement
  readonly lockLinked: Statement
  readonly findNodes: Statement
  readonly deleteNodes: Statement
  readonly putNodes: Statement
  readonly deleteEdges: Statement
  readonly putEdges: Statement
  readonly enterEdges: Statement
  readonly deleteTokens: Statement
  readonly putTokens: Statement
}

export const writeStatements = (schema: string): WriteStatements => {
  const quoted = quoteIdentifier(schema)
  const statement = (name: string, text: string) => ({ name: `kithgraph ${name} of ${schema}`, text })
  return {
    lockDeleted: statement('lock deleted', lockOf(quoted, 'for update')),
    lockWritten: statement('lock written', lockOf(quoted, 'for no key update')),
    lockLinked: statement('lock linked', lockOf(quoted, 'for key share')),
    deleteNodes: statement('delete nodes', deleteNodesOf(quoted)),
    findNodes: statement('find nodes', findNodesOf(quoted)),
    putNodes: statement('put nodes', putNodesOf(quoted)),
    deleteEdges: statement('delete edges', deleteEdgesOf(quoted)),
    putEdges: statement('put edges', putEdgesOf(quoted)),
    enterEdges: statement('enter edges', enterEdgesOf(quoted)),
    deleteTokens: statement('delete tokens', deleteTokensOf(quoted)),
    putTokens: statement('put tokens', putTokensOf(quoted)),
  }
}
