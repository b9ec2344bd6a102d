import type { Statement } from './database.ts'

/** The name of a schema as SQL has it. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

const nodesOf = (schema: string): string => `
select id, type, fields from ${schema}.nodes where id = any($1::bigint[])`

const tokensOf = (schema: string): string => `
select digest, record from ${schema}.tokens where digest = any($1::text[])`

/**
 * The rows of a list of JSON objects, with their places from 1 on. Of arrays, the planner would know how many they hold,
 * and plan every statement anew for it, which takes as long as running it.
 */
const askedOf = (columns: { readonly [name: string]: string }): string => `rows from (
  json_to_recordset($1::json) as (${Object.entries(columns)
    .map(column => column.join(' '))
    .join(', ')})
) with ordinality as asked (${Object.keys(columns).join(', ')}, place)`

/** What is asked of a range: the ends of its stretch are outside of it. */
const RANGE = {
  source: 'bigint',
  name: 'text',
  newest: 'boolean',
  low_time: 'bigint',
  low_target: 'bigint',
  high_time: 'bigint',
  high_target: 'bigint',
  most: 'bigint',
  counted: 'boolean',
} as const

const testsOf = (schema: string): string => `
select asked.place
from ${askedOf({ source: 'bigint', name: 'text', target: 'bigint' })}
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
from ${askedOf(RANGE)}
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

/** The statements that read: each asks by the ids or digests that the keys of the tables begin with. */
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
