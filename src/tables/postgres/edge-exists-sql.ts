import type { ListMapping, TableColumn, TypeMapping } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { allOf, tableSql } from '../sql/sql-text.ts'
import { aliasesOf, entryRowsSql, sourceKeysOf, tableRowsSql } from './entries-sql.ts'
import { columnsEqualSql, nodeSql } from './row-sql.ts'

/** The key of a row at one end of an edge: expressions, and the columns whose values they are. */
export type EdgeEnd = {
  readonly columns: readonly TableColumn[]
  readonly expressions: readonly string[]
  /** `node` if the row is a node, `known` if it is the same row for all rows that the condition is about. */
  readonly row: 'node' | 'known' | 'any'
}

/** The edge that a condition looks for. */
export type RequiredEdge = {
  readonly list: ListMapping
  readonly source: EdgeEnd
  readonly target: EdgeEnd
  /** Returns the conditions about the data of the edge. */
  readonly data: (entry: string) => readonly string[]
}

/** Not the alias of the source of a list, whose columns an end of the edge may use. */
const SOURCE = 'edge_source'
const EXISTS_DEPTH = 0

/** The key of the source, and the clause and the conditions that make it a node. */
type EdgeSource = {
  readonly keys: readonly string[]
  readonly from: string
  readonly conditions: readonly string[]
}

/**
 * The subqueries for a known source do not depend on the row that the condition is about, so a statement executes them
 * once. They are NULL if the source is not a node.
 */
const edgeSourceSql = (list: ListMapping, source: EdgeEnd, sessionFilters: SessionFilters): EdgeSource => {
  if (source.row === 'node') return { keys: source.expressions, from: '', conditions: [] }
  const type = list.source ?? list.target
  const table = `${tableSql(type.table)} as ${SOURCE}`
  const conditions = [
    ...columnsEqualSql(SOURCE, type.keys, source.expressions, source.columns),
    ...nodeSql(type, SOURCE, sessionFilters),
  ]
  const keys = sourceKeysOf(list, SOURCE)
  if (source.row === 'any') return { keys, from: `${table} cross join `, conditions }
  const lookups = keys.map(key => `(select ${key} from ${table} where ${allOf(conditions)} limit 1)`)
  return { keys: lookups, from: '', conditions: [] }
}

/**
 * Returns the condition that some rows exist: it is NULL if none does. `exists` would let the planner hash all rows that
 * do not depend on the outer row, such as all edges of the viewer, of which there may be any number.
 */
const someRowSql = (from: string, conditions: readonly string[]): string =>
  `(select true from ${from} where ${allOf(conditions)} limit 1)`

/** Returns the condition that the row that a key refers to is a node. */
const isNodeSql = (
  type: TypeMapping,
  { columns, expressions }: EdgeEnd,
  sessionFilters: SessionFilters,
): string =>
  someRowSql(`${tableSql(type.table)} as node`, [
    ...columnsEqualSql('node', type.keys, expressions, columns),
    ...nodeSql(type, 'node', sessionFilters),
  ])

/** The condition that an edge exists, in two parts. */
export type EdgeExistsSql = {
  /** The rows of the edge exist. */
  readonly edge: string
  /** The target is a node. Undefined if the other part says so. */
  readonly isNode: string | undefined
}

/**
 * Returns the condition that an edge exists. A row that is a node is not looked up again. The target of an entry of a
 * join table is looked up by the key of the end, which is equal to that of the entry: a join would take longer.
 */
export const edgeExistsSql = (
  { list, source, target, data }: RequiredEdge,
  sessionFilters: SessionFilters,
): EdgeExistsSql => {
  const { keys, from, conditions } = edgeSourceSql(list, source, sessionFilters)
  const aliases = aliasesOf(list, EXISTS_DEPTH)
  const isTargetJoined = !list.isJoin || target.row === 'known'
  const rowsSql = isTargetJoined ? entryRowsSql : tableRowsSql
  const rows = rowsSql(list, aliases, keys, sessionFilters)
  const edge = someRowSql(`${from}${rows.from}`, [
    ...conditions,
    ...columnsEqualSql(aliases.entry, list.targetColumns, target.expressions, target.columns),
    ...rows.conditions,
    ...data(aliases.entry),
  ])
  const isKnownNode = isTargetJoined || target.row === 'node'
  return { edge, isNode: isKnownNode ? undefined : isNodeSql(list.target, target, sessionFilters) }
}
