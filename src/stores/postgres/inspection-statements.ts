import { quoteIdentifier, type Statement } from './database.ts'

/** The list of a row `list` with the columns `source` and `name`. */
const countColumns = (schema: string): string => `
  list.source, list.name,
  (select sum(count) from ${schema}.edge_counts as part where part.source = list.source and part.name = list.name),
  (select count(*) from ${schema}.edges as edge where edge.source = list.source and edge.name = list.name),
  exists (select from ${schema}.nodes where id = list.source)`

const edgeColumns = (schema: string): string => `
  edge.source, edge.name, edge.time, edge.target, edge.data,
  (select type from ${schema}.nodes where id = edge.source),
  (select type from ${schema}.nodes where id = edge.target),
  exists (
    select from ${schema}.edge_sources as entry
    where entry.target = edge.target and entry.source = edge.source and entry.name = edge.name
  )`

const GIVEN_EDGES = 'unnest($1::bigint[], $2::text[], $3::bigint[]) as given (source, name, target)'
const EDGE_IS_GIVEN = 'edge.source = given.source and edge.name = given.name and edge.target = given.target'

const nextNodes = (schema: string): string =>
  `select id, type, fields from ${schema}.nodes where id > $1::bigint order by id limit $2::int`

const nextEdges = (schema: string): string => `
  select * from ${schema}.edges
  where (source, name, time, target) > ($1::bigint, $2::text, $3::bigint, $4::bigint)
  order by source, name, time, target limit $5::int`

const readStatements = (schema: string) => ({
  nodeSizes: `select octet_length(fields::text) from (${nextNodes(schema)}) as node`,
  nodes: nextNodes(schema),
  nodesById: `select id, type, fields from ${schema}.nodes where id = any($1::bigint[])`,
  edgeSizes: `select coalesce(octet_length(data::text), 0) from (${nextEdges(schema)}) as edge`,
  edges: `
    select ${edgeColumns(schema)} from (${nextEdges(schema)}) as edge
    order by edge.source, edge.name, edge.time, edge.target`,
  edgesByKey: `
    select ${edgeColumns(schema)} from ${GIVEN_EDGES} join ${schema}.edges as edge on ${EDGE_IS_GIVEN}`,
  entries: `
    select entry.target, entry.source, entry.name, exists (
      select from ${schema}.edges as edge
      where edge.source = entry.source and edge.name = entry.name and edge.target = entry.target
    )
    from (
      select * from ${schema}.edge_sources
      where (target, source, name) > ($1::bigint, $2::bigint, $3::text)
      order by target, source, name limit $4::int
    ) as entry
    order by entry.target, entry.source, entry.name`,
  countRows: `
    select source, name, shard from ${schema}.edge_counts
    where (source, name, shard) > ($1::bigint, $2::text, $3::int)
    order by source, name, shard limit $4::int`,
  counts: `
    select ${countColumns(schema)} from unnest($1::bigint[], $2::text[]) with ordinality as list (source, name, index)
    order by index`,
})

/**
 * Limits the waits for locks in a transaction, because all writers wait behind it. The limit is longer than
 * `deadlock_timeout` (default 1 s), after which Postgres ends an automatic vacuum that has the lock.
 */
export const LIMIT_LOCK_WAITS: Statement = { text: `set local lock_timeout = '2s'` }

const repairStatements = (schema: string) => ({
  findNodes: `select id from ${schema}.nodes where id = any($1::bigint[])`,
  // No other transaction can put a missing node before this transaction ends.
  lockTable: `lock table ${schema}.nodes in share row exclusive mode`,
  lockNodes: `select id from ${schema}.nodes where id = any($1::bigint[]) order by id for update`,
  addEntry: `
    insert into ${schema}.edge_sources (target, source, name)
    select edge.target, edge.source, edge.name from ${GIVEN_EDGES} join ${schema}.edges as edge on ${EDGE_IS_GIVEN}
    on conflict do nothing returning 1`,
  removeEntry: `
    delete from ${schema}.edge_sources as entry using ${GIVEN_EDGES}
    where entry.target = given.target and entry.source = given.source and entry.name = given.name
      and not exists (select from ${schema}.edges as edge where ${EDGE_IS_GIVEN})
    returning 1`,
  // Adds the difference, so that a concurrent change of the same list stays counted.
  correctCount: `
    with list as (
      select ${countColumns(schema)} from (values ($1::bigint, $2::text)) as list (source, name)
    ), difference (source, name, value) as (
      select source, name, count - coalesce(sum, 0) from list where count <> coalesce(sum, 0)
    )
    insert into ${schema}.edge_counts as part (source, name, shard, count)
    select source, name, coalesce((
      select min(shard) from ${schema}.edge_counts as old
      where old.source = difference.source and old.name = difference.name
    ), 0), value from difference
    on conflict (source, name, shard) do update set count = part.count + excluded.count
    returning 1`,
  removeCount: `
    delete from ${schema}.edge_counts as part where part.source = $1::bigint and part.name = $2::text
      and not exists (
        select from ${schema}.edges as edge where edge.source = part.source and edge.name = part.name
      )
      and 0 = (
        select sum(count) from ${schema}.edge_counts as other
        where other.source = part.source and other.name = part.name
      )
    returning 1`,
})

type StatementsOf<TTexts> = { readonly [name in keyof TTexts]: Statement }

/** The statements of an inspection. They have no names, so that Postgres plans each for its parameters. */
export type InspectionStatements = StatementsOf<
  ReturnType<typeof readStatements> & ReturnType<typeof repairStatements>
>

const toStatements = <TTexts extends { readonly [name: string]: string }>(texts: TTexts) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { text }])) as StatementsOf<TTexts>

export const createInspectionStatements = (schemaName: string): InspectionStatements => {
  const schema = quoteIdentifier(schemaName)
  return { ...toStatements(readStatements(schema)), ...toStatements(repairStatements(schema)) }
}
