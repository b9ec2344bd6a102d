import type { IdColumn } from './id-column.ts'

/** The maximum number of rows over which the count of one list is distributed. A read adds them up. */
const MAX_COUNT_SHARDS = 16

/** The keys of the first three parameters: the edges that a batch puts, if the statement puts edges. */
const keysSql = ({ arrayType }: IdColumn): string =>
  `unnest($1::${arrayType}, $2::text[], $3::${arrayType}) as given (source, name, target)`

export const putEdgesSql = (schema: string, ids: IdColumn): string => `
insert into ${schema}.edges (source, name, target, time, data)
select source, name, target, time, data
from unnest($1::${ids.arrayType}, $2::text[], $3::${ids.arrayType}, $4::bigint[], $5::json[])
  as given (source, name, target, time, data)
order by source, name, target
on conflict (source, name, target) do update set time = excluded.time, data = excluded.data`

/**
 * Selects the edges that a batch deletes: the edges of $4 to $6, and all edges of the nodes of $7 in both
 * directions.
 */
const selectDeletedKeysSql = (schema: string, ids: IdColumn): string => `
    select source, name, target from ${schema}.edges where source = any($7::${ids.arrayType})
    union all
    select source, name, target from ${schema}.edge_sources
    where target = any($7::${ids.arrayType}) and source <> all($7::${ids.arrayType})
    union all
    select source, name, target
    from unnest($4::${ids.arrayType}, $5::text[], $6::${ids.arrayType}) as given (source, name, target)`

/**
 * Locks the existing edges that a batch puts or deletes, in the order in which `putEdges` locks edges, so
 * that two writers cannot deadlock.
 */
export const lockEdgesSql = (schema: string, ids: IdColumn): string => `
select count(*) from (
  select source, name, target from (${selectDeletedKeysSql(schema, ids)}
    union all
    select source, name, target from ${keysSql(ids)}
  ) as changed
  order by source, name, target
) as key cross join lateral (
  select 1 from ${schema}.edges as edge
  where edge.source = key.source and edge.name = key.name and edge.target = key.target
  for update
) as locked`

/**
 * Adds put edges to the table `edge_sources`. An edge is new if it has no entry there. No other transaction
 * changes the edge at this point, because this transaction has locked its row.
 */
const addEntriesSql = (schema: string, ids: IdColumn): string => `fresh as (
  insert into ${schema}.edge_sources (target, source, name)
  select target, source, name from ${keysSql(ids)}
  order by target, source, name
  on conflict do nothing
  returning source, name
)`

/**
 * Chooses a row of the count of each changed list, and locks it: one that no other transaction is writing, if
 * there is one. All waits are in the order of the lists, so that two writers cannot deadlock. Only an
 * addition may add a row: a concurrent deletion of the source would not see the new row.
 */
const chooseShardsSql = (schema: string): string => {
  const rowsSql = `select part.shard from ${schema}.edge_counts as part
      where part.source = change.source and part.name = change.name`
  const ownShardSql = `pg_backend_pid() % ${MAX_COUNT_SHARDS}`
  return `chosen as materialized (
  select source, name, difference, coalesce(
    (${rowsSql} limit 1 for update skip locked),
    (${rowsSql} and (change.difference < 0 or part.shard = ${ownShardSql})
      order by part.shard limit 1 for update),
    case when change.difference > 0 then ${ownShardSql} end
  ) as shard
  from change
)`
}

const addCountsSql = (schema: string): string => `
insert into ${schema}.edge_counts as part (source, name, shard, count)
select source, name, shard, difference from chosen where difference > 0
on conflict (source, name, shard) do update set count = part.count + excluded.count`

/** Adds put edges to the table `edge_sources`, and counts the new ones. */
export const indexEdgesSql = (schema: string, ids: IdColumn): string => `
with ${addEntriesSql(schema, ids)}, change as materialized (
  select source, name, count(*) as difference from fresh group by source, name order by source, name
), ${chooseShardsSql(schema)}${addCountsSql(schema)}`

const subtractCountsSql = (schema: string): string => `
update ${schema}.edge_counts as part set count = part.count + chosen.difference
from chosen
where chosen.difference < 0
  and part.source = chosen.source and part.name = chosen.name and part.shard = chosen.shard`

/** Deletes the edges of $1 to $3, and locks them in the order in which `putEdges` locks edges. */
export const deleteEdgesSql = (schema: string, ids: IdColumn): string => `
with deleted as materialized (
  select source, name, target from ${keysSql(ids)} order by source, name, target
), gone as (
  delete from ${schema}.edges as edge using deleted
  where edge.source = deleted.source and edge.name = deleted.name and edge.target = deleted.target
  returning edge.source, edge.name, edge.target
), entries as (
  delete from ${schema}.edge_sources as entry using gone
  where entry.target = gone.target and entry.source = gone.source and entry.name = gone.name
), change as materialized (
  select source, name, -count(*) as difference from gone group by source, name order by source, name
), ${chooseShardsSql(schema)}${subtractCountsSql(schema)}`

/**
 * Does the work of `indexEdges`, and deletes other edges: those of $4 to $6, those of the nodes of $7, and
 * these nodes, except the nodes of $8. Edges that the batch puts stay. All counts change at once, because
 * otherwise this transaction could wait for the edges of a transaction that waits for its counts.
 */
export const changeEdgesSql = (schema: string, ids: IdColumn): string => `
with ${addEntriesSql(schema, ids)}, deleted as materialized (
  select source, name, target from (${selectDeletedKeysSql(schema, ids)}
  ) as key
  where (source, name, target) not in (select source, name, target from ${keysSql(ids)})
  order by source, name, target
), gone as (
  delete from ${schema}.edges as edge using deleted
  where edge.source = deleted.source and edge.name = deleted.name and edge.target = deleted.target
  returning edge.source, edge.name, edge.target
), outgoing_entries as (
  delete from ${schema}.edge_sources as entry using gone
  where gone.target <> all($7::${ids.arrayType})
    and entry.target = gone.target and entry.source = gone.source and entry.name = gone.name
), incoming_entries as (
  delete from ${schema}.edge_sources as entry
  where target = any($7::${ids.arrayType})
    and (target, source, name) not in (select target, source, name from ${keysSql(ids)})
), removed as materialized (
  select id from unnest($7::${ids.arrayType}) as given (id) where id <> all($8::${ids.arrayType})
), nodes as (
  delete from ${schema}.nodes where id in (select id from removed)
), counts as (
  delete from ${schema}.edge_counts where source in (select id from removed)
), change as materialized (
  select source, name, sum(difference) as difference from (
    select source, name, 1 as difference from fresh
    union all
    select source, name, -1 from gone where source not in (select id from removed)
  ) as edge_change
  group by source, name having sum(difference) <> 0 order by source, name
), ${chooseShardsSql(schema)}, added as (${addCountsSql(schema)}
)${subtractCountsSql(schema)}`
