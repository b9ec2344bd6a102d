import { quoteIdentifier } from '../quote-identifier.ts'
import type { Statement } from './database.ts'
import type { IdColumn } from './id-column.ts'

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

const givenEdges = ({ arrayType }: IdColumn): string =>
  `unnest($1::${arrayType}, $2::text[], $3::${arrayType}) as given (source, name, target)`
const EDGE_IS_GIVEN = 'edge.source = given.source and edge.name = given.name and edge.target = given.target'

const nextNodes = (schema: string, ids: IdColumn): string =>
  `select id, type, fields from ${schema}.nodes where id > $1::${ids.type} order by id limit $2::int`

const nextEdges = (schema: string, ids: IdColumn): string => `
  select * from ${schema}.edges
  where (source, name, time, target) > ($1::${ids.type}, $2::text, $3::bigint, $4::${ids.type})
  order by source, name, time, target limit $5::int`

const readStatements = (schema: string, ids: IdColumn) => ({
  nodeSizes: `select octet_length(fields::text) from (${nextNodes(schema, ids)}) as node`,
  nodes: nextNodes(schema, ids),
  nodesById: `select id, type, fields from ${schema}.nodes where id = any($1::${ids.arrayType})`,
  edgeSizes: `select coalesce(octet_length(data::text), 0) from (${nextEdges(schema, ids)}) as edge`,
  edges: `
    select ${edgeColumns(schema)} from (${nextEdges(schema, ids)}) as edge
    order by edge.source, edge.name, edge.time, edge.target`,
  edgesByKey: `
    select ${edgeColumns(schema)} from ${givenEdges(ids)} join ${schema}.edges as edge on ${EDGE_IS_GIVEN}`,
  entries: `
    select entry.target, entry.source, entry.name, exists (
      select from ${schema}.edges as edge
      where edge.source = entry.source and edge.name = entry.name and edge.target = entry.target
    )
    from (
      select * from ${schema}.edge_sources
      where (target, source, name) > ($1::${ids.type}, $2::${ids.type}, $3::text)
      order by target, source, name limit $4::int
    ) as entry
    order by entry.target, entry.source, entry.name`,
  countRows: `
    select source, name, shard from ${schema}.edge_counts
    where (source, name, shard) > ($1::${ids.type}, $2::text, $3::int)
    order by source, name, shard limit $4::int`,
  counts: `
    select ${countColumns(schema)} from unnest($1::${ids.arrayType}, $2::text[]) with ordinality as list (source, name, index)
    order by index`,
})

/**
 * Limits the waits for locks in a transaction, because all writers wait behind it. The limit is longer than
 * `deadlock_timeout` (default 1 s), after which Postgres ends an automatic vacuum that has the lock.
 */
export const LIMIT_LOCK_WAITS: Statement = { text: `set local lock_timeout = '2s'` }

const repairStatements = (schema: string, ids: IdColumn) => ({
  findNodes: `select id from ${schema}.nodes where id = any($1::${ids.arrayType})`,
  // No other transaction can put a missing node before this transaction ends.
  lockTable: `lock table ${schema}.nodes in share row exclusive mode`,
  lockNodes: `select id from ${schema}.nodes where id = any($1::${ids.arrayType}) order by id for update`,
  addEntry: `
    insert into ${schema}.edge_sources (target, source, name)
    select edge.target, edge.source, edge.name from ${givenEdges(ids)} join ${schema}.edges as edge on ${EDGE_IS_GIVEN}
    on conflict do nothing returning 1`,
  removeEntry: `
    delete from ${schema}.edge_sources as entry using ${givenEdges(ids)}
    where entry.target = given.target and entry.source = given.source and entry.name = given.name
      and not exists (select from ${schema}.edges as edge where ${EDGE_IS_GIVEN})
    returning 1`,
  // Adds the difference, so that a concurrent change of the same list stays counted.
  correctCount: `
    with list as (
      select ${countColumns(schema)} from (values ($1::${ids.type}, $2::text)) as list (source, name)
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
    delete from ${schema}.edge_counts as part where part.source = $1::${ids.type} and part.name = $2::text
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

export const createInspectionStatements = (schemaName: string, ids: IdColumn): InspectionStatements => {
  const schema = quoteIdentifier(schemaName)
  return { ...toStatements(readStatements(schema, ids)), ...toStatements(repairStatements(schema, ids)) }
}
