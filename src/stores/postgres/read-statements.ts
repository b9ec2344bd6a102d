import type { ReadAhead } from '../../store/contract.ts'
import { quoteIdentifier } from '../quote-identifier.ts'
import { type AheadExpression, createAheadExpression, type RecordColumns } from './ahead-statements.ts'
import type { Statement } from './database.ts'
import type { IdColumn } from './id-column.ts'
import { StatementCache } from './statement-cache.ts'

/** Selects one node, because the planner would plan every execution again for an array of ids. */
const selectNodeSql = (schema: string, ids: IdColumn): string => `
select id, type, fields from ${schema}.nodes where id = $1::${ids.type}`

const selectNodesSql = (schema: string, ids: IdColumn): string => `
select id, type, fields from ${schema}.nodes where id = any($1::${ids.arrayType})`

/**
 * Selects tokens by a JSON array. For an SQL array of digests, the planner would plan every execution again, as for
 * `createRequestedRowsSql`.
 */
const selectTokensSql = (schema: string): string => `
select token.digest, token.record
from json_array_elements_text($1::json) as requested (digest)
cross join lateral (
  select digest, record from ${schema}.tokens where digest = requested.digest limit 1
) as token`

const selectFlagsSql = (schema: string): string => `
select name, value from ${schema}.flags where name = any($1::text[])
union all
select null, null where not exists (select from ${schema}.nodes)`

/**
 * Expands a JSON array of objects to rows, numbered from 1. For SQL arrays, the planner would consider their
 * length and plan every execution again, which takes as long as running the statement.
 */
const createRequestedRowsSql = (columns: { readonly [name: string]: string }): string => `rows from (
  json_to_recordset($1::json) as (${Object.entries(columns)
    .map(column => column.join(' '))
    .join(', ')})
) with ordinality as requested (${Object.keys(columns).join(', ')}, ordinal)`

/** The columns of a range; its bounds are exclusive. */
const rangeColumns = ({ type }: IdColumn) => ({
  source: type,
  name: 'text',
  newest: 'boolean',
  low_time: 'bigint',
  low_target: type,
  high_time: 'bigint',
  high_target: type,
  row_limit: 'bigint',
  with_count: 'boolean',
})

const selectChecksSql = (schema: string, { type }: IdColumn): string => `
select requested.ordinal
from ${createRequestedRowsSql({ source: type, name: 'text', target: type })}
cross join lateral (
  select from ${schema}.edges as edge
  where edge.source = requested.source and edge.name = requested.name and edge.target = requested.target
  limit 1
) as found`

/** Selects the time of each existing edge, and the data of those whose data is requested. */
const selectChecksWithDataSql = (schema: string, { type }: IdColumn): string => `
select requested.ordinal, found.time, case when requested.data then found.data end
from ${createRequestedRowsSql({ source: type, name: 'text', target: type, data: 'boolean' })}
cross join lateral (
  select edge.time, edge.data from ${schema}.edges as edge
  where edge.source = requested.source and edge.name = requested.name and edge.target = requested.target
  limit 1
) as found`

/**
 * Selects the entries of ranges in one direction. The comparison of (time, target) is one range of the index.
 */
const selectEntriesSql = (schema: string, condition: string, order: 'asc' | 'desc'): string => `(
    select edge.target, edge.time, edge.data
    from ${schema}.edges as edge
    where ${condition} and edge.source = requested.source and edge.name = requested.name
      and (edge.time, edge.target) > (requested.low_time, requested.low_target)
      and (edge.time, edge.target) < (requested.high_time, requested.high_target)
    order by edge.time ${order}, edge.target ${order}
    limit requested.row_limit
  )`

/**
 * Selects entries and totals. The row of an entry has no total, and the row of a total has no target. The
 * limits in the lateral subqueries make the planner use an index lookup for each source and each target, even
 * with wrong statistics.
 */
const selectRangesSql = (schema: string, ids: IdColumn, ahead?: AheadExpression): string => `
select requested.ordinal, result.*
from ${createRequestedRowsSql(rangeColumns(ids))}
cross join lateral (
  select walk.target, walk.time, walk.data, node.type, node.fields, null::bigint as total${ahead ? `, ${ahead.sql} as ahead` : ''}
  from (
    ${selectEntriesSql(schema, 'requested.newest', 'desc')}
    union all
    ${selectEntriesSql(schema, 'not requested.newest', 'asc')}
  ) as walk
  cross join lateral (
    select id, type, fields from ${schema}.nodes where id = walk.target limit 1
  ) as node
  union all
  select null, null, null, null, null, coalesce(sum(part.count), 0)::bigint${ahead ? ', null' : ''}
  from ${schema}.edge_counts as part
  where part.source = requested.source and part.name = requested.name
  having requested.with_count
) as result`

const selectNodeAheadSql = (schema: string, ids: IdColumn, { sql }: AheadExpression): string => `
select node.id, node.type, node.fields, ${sql} as ahead
from ${schema}.nodes as node where node.id = $1::${ids.type}`

const selectNodesAheadSql = (schema: string, ids: IdColumn, { sql }: AheadExpression): string => `
select node.id, node.type, node.fields, ${sql} as ahead
from ${createRequestedRowsSql({ id: ids.type })}
cross join lateral (
  select id, type, fields from ${schema}.nodes where id = requested.id limit 1
) as node`

/** A statement that reads ahead, and its parameters after the first one. */
export type AheadStatement = { readonly statement: Statement; readonly values: readonly string[] }

const NODE_COLUMNS: RecordColumns = { id: 'node.id', type: 'node.type', fields: 'node.fields' }

/** Creates the text of a statement that reads ahead. */
type AheadTextFunction = (schema: string, ids: IdColumn, ahead: AheadExpression) => string

/** The statements that read ahead. Hints of the same form share a statement. */
class AheadStatements {
  readonly #cache: StatementCache
  readonly #schema: string
  readonly #ids: IdColumn
  readonly #createText: AheadTextFunction
  readonly #texts = new WeakMap<ReadAhead, { readonly text: string; readonly values: readonly string[] }>()

  constructor(cache: StatementCache, schema: string, ids: IdColumn, createText: AheadTextFunction) {
    this.#cache = cache
    this.#schema = schema
    this.#ids = ids
    this.#createText = createText
  }

  get(ahead: ReadAhead): AheadStatement {
    const { text, values } = this.#texts.get(ahead) ?? this.#create(ahead)
    return { statement: this.#cache.use(text), values }
  }

  #create(ahead: ReadAhead): { readonly text: string; readonly values: readonly string[] } {
    const expression = createAheadExpression(this.#schema, this.#ids, ahead, NODE_COLUMNS)
    const created = { text: this.#createText(this.#schema, this.#ids, expression), values: expression.values }
    this.#texts.set(ahead, created)
    return created
  }
}

/** The statements of a read. Each statement selects by the first column of a key: an id or a digest. */
export type ReadStatements = {
  readonly selectNode: Statement
  readonly selectNodes: Statement
  readonly selectRanges: Statement
  readonly selectChecks: Statement
  readonly selectChecksWithData: Statement
  readonly selectTokens: Statement
  readonly selectFlags: Statement
  readonly nodeAhead: AheadStatements
  readonly nodesAhead: AheadStatements
  readonly rangesAhead: AheadStatements
}

export const createReadStatements = (schema: string, ids: IdColumn): ReadStatements => {
  const quotedSchema = quoteIdentifier(schema)
  const cache = new StatementCache(schema)
  const createStatement = (name: string, text: string) => ({ name: `kithgraph ${name} of ${schema}`, text })
  return {
    selectNode: createStatement('node', selectNodeSql(quotedSchema, ids)),
    selectNodes: createStatement('nodes', selectNodesSql(quotedSchema, ids)),
    selectRanges: createStatement('ranges', selectRangesSql(quotedSchema, ids)),
    selectChecks: createStatement('checks', selectChecksSql(quotedSchema, ids)),
    selectChecksWithData: createStatement('checks with data', selectChecksWithDataSql(quotedSchema, ids)),
    selectTokens: createStatement('tokens', selectTokensSql(quotedSchema)),
    selectFlags: createStatement('flags', selectFlagsSql(quotedSchema)),
    nodeAhead: new AheadStatements(cache, quotedSchema, ids, selectNodeAheadSql),
    nodesAhead: new AheadStatements(cache, quotedSchema, ids, selectNodesAheadSql),
    rangesAhead: new AheadStatements(cache, quotedSchema, ids, selectRangesSql),
  }
}
