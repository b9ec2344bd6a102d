import type { ListMapping, TableColumn } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { allOf, tableSql } from '../sql/sql-text.ts'
import { aliasesOf, entryRowsSql, sourceKeysOf } from './entries-sql.ts'
import { columnsEqualSql, nodeSql } from './row-sql.ts'

/** The key of a row at one end of an edge: expressions, and the columns whose values they are. */
export type EdgeEnd = { readonly columns: readonly TableColumn[]; readonly expressions: readonly string[] }

/** The edge that a condition looks for. */
export type RequiredEdge = {
  readonly list: ListMapping
  readonly source: EdgeEnd
  readonly target: EdgeEnd
  /** Whether the source is the same row for all rows that the condition is about. */
  readonly isSourceKnown: boolean
  /** Returns the conditions about the data of the edge. */
  readonly data: (entry: string) => readonly string[]
}

const SOURCE = 'source'
const EXISTS_DEPTH = 0

/**
 * Returns the condition that an edge exists. The subqueries for a known source do not depend on the row that the
 * condition is about, so a statement executes them once. They are NULL if the source is not a node.
 */
export const edgeExistsSql = (
  { list, source, target, isSourceKnown, data }: RequiredEdge,
  sessionFilters: SessionFilters,
): string => {
  const sourceType = list.source ?? list.target
  const sourceTable = `${tableSql(sourceType.table)} as ${SOURCE}`
  const isSource = [
    ...columnsEqualSql(SOURCE, sourceType.keys, source.expressions, source.columns),
    ...nodeSql(sourceType, SOURCE, sessionFilters),
  ]
  const sourceKeys = sourceKeysOf(list, SOURCE)
  const keysOfKnown = sourceKeys.map(
    key => `(select ${key} from ${sourceTable} where ${allOf(isSource)} limit 1)`,
  )
  const aliases = aliasesOf(list, EXISTS_DEPTH)
  const rows = entryRowsSql(list, aliases, isSourceKnown ? keysOfKnown : sourceKeys, sessionFilters)
  const conditions = [
    ...(isSourceKnown ? [] : isSource),
    ...columnsEqualSql(aliases.entry, list.targetColumns, target.expressions, target.columns),
    ...rows.conditions,
    ...data(aliases.entry),
  ]
  const from = isSourceKnown ? rows.from : `${sourceTable} cross join ${rows.from}`
  return `exists (select from ${from} where ${allOf(conditions)})`
}
