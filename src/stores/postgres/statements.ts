import type { Statement } from './database.ts'

/** The name of a schema as SQL has it. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

const nodesOf = (schema: string): string => `
select id, type, fields from ${schema}.nodes where id = any($1::bigint[])`

const tokensOf = (schema: string): string => `
select digest, record from ${schema}.tokens where digest = any($1::text[])`

const testsOf = (schema: string): string => `
select asked.place
from unnest($1::bigint[], $2::text[], $3::bigint[]) with ordinality as asked (source, name, target, place)
cross join lateral (
  select from ${schema}.edges as edge
  where edge.source = asked.source and edge.name = asked.name and edge.target = asked.target
  limit 1
) as found`

/** One direction of the walk; the row comparison is one stretch of the index. */
const walkOf = (schema: string, condition: string, order: 'asc' | 'desc'): string => `(
    select edge.target, edge.time, edge.data
    from ${schema}.edges as edge
    where ${condition} and edge.source = asked.source and edge.name = asked.name
      and (edge.time, edge.target) > (asked.low_time, asked.low_target)
      and (edge.time, edge.target) < (asked.high_time, asked.high_target)
    order by edge.time ${order}, edge.target ${order}
    limit asked.most
  )`

/**
 * Entries have no total, totals no target. The limits within the laterals hold the planner to a look into an index for
 * each parent and each target, however wrong its statistics are.
 */
const rangesOf = (schema: string): string => `
select asked.place, answer.target, answer.time, answer.data, answer.type, answer.fields, answer.total
from unnest(
  $1::bigint[], $2::text[], $3::boolean[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
  $9::boolean[]
) with ordinality as asked (
  source, name, newest, low_time, low_target, high_time, high_target, most, counted, place
)
cross join lateral (
  select walk.target, walk.time, walk.data, node.type, node.fields, null::bigint as total
  from (
    ${walkOf(schema, 'asked.newest', 'desc')}
    union all
    ${walkOf(schema, 'not asked.newest', 'asc')}
  ) as walk
  cross join lateral (
    select type, fields from ${schema}.nodes where id = walk.target limit 1
  ) as node
  union all
  select null, null, null, null, null, coalesce(sum(part.count), 0)::bigint
  from ${schema}.edge_counts as part
  where part.source = asked.source and part.name = asked.name
  having asked.counted
) as answer`

/** The statements that read: each begins with the ids, names or digests that the tables are keyed by. */
export type ReadStatements = {
  readonly nodes: Statement
  readonly ranges: Statement
  readonly tests: Statement
  readonly tokens: Statement
}

export const readStatements = (schema: string): ReadStatements => {
  const quoted = quoteIdentifier(schema)
  const statement = (name: string, text: string) => ({ name: `kithgraph ${name} of ${schema}`, text })
  return {
    nodes: statement('nodes', nodesOf(quoted)),
    ranges: statement('ranges', rangesOf(quoted)),
    tests: statement('tests', testsOf(quoted)),
    tokens: statement('tokens', tokensOf(quoted)),
  }
}
