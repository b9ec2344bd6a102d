import type { ListMapping, TableColumn } from '../model/table-model.ts'
import { allOf, tableSql } from '../sql/sql-text.ts'
import { aliasesOf, entryRowsSql, sourceKeysOf } from './entries-sql.ts'
import { columnsEqualSql, type FilterContext, nodeSql } from './row-sql.ts'

/** The key of a row at one end of an edge: expressions, and the columns whose values they are. */
type EndKey = { readonly columns: readonly TableColumn[]; readonly expressions: readonly string[] }

const SOURCE = 'source'
const EXISTS_DEPTH = 0

/** Returns the row of the source of an edge, if it is a node. */
const sourceLookup = (
  context: FilterContext,
  { source, target }: ListMapping,
  alias: string,
  { columns, expressions }: EndKey,
): { readonly from: string; readonly conditions: readonly string[] } => {
  const type = source ?? target
  return {
    from: `${tableSql(type.table)} as ${alias}`,
    conditions: [
      ...columnsEqualSql(alias, type.keys, expressions, columns),
      ...nodeSql(type, alias, context),
    ],
  }
}

/**
 * Returns the condition that the edge from a known row to the subject exists. The subqueries for the known row do not
 * depend on the subject, so a statement executes them once, and they are NULL if the row is not a node.
 */
export const edgeFromKnownSql = (
  context: FilterContext,
  list: ListMapping,
  known: EndKey,
  subject: EndKey,
  where: (entry: string) => readonly string[],
): string => {
  const aliases = aliasesOf(list, EXISTS_DEPTH)
  const { from, conditions } = sourceLookup(context, list, SOURCE, known)
  const sourceKeys = sourceKeysOf(list, SOURCE).map(
    key => `(select ${key} from ${from} where ${allOf(conditions)} limit 1)`,
  )
  const rows = entryRowsSql(list, aliases, sourceKeys, context)
  const targetEquals = columnsEqualSql(
    aliases.entry,
    list.targetColumns,
    subject.expressions,
    subject.columns,
  )
  return `exists (select from ${rows.from} where ${allOf([...targetEquals, ...rows.conditions, ...where(aliases.entry)])})`
}

/** Returns the condition that the edge from the subject to a known row exists. */
export const edgeToKnownSql = (
  context: FilterContext,
  list: ListMapping,
  known: EndKey,
  subject: EndKey,
  where: (entry: string) => readonly string[],
): string => {
  const aliases = aliasesOf(list, EXISTS_DEPTH)
  const source = sourceLookup(context, list, SOURCE, subject)
  const rows = entryRowsSql(list, aliases, sourceKeysOf(list, SOURCE), context)
  const conditions = [
    ...source.conditions,
    ...columnsEqualSql(aliases.entry, list.targetColumns, known.expressions, known.columns),
    ...rows.conditions,
    ...where(aliases.entry),
  ]
  return `exists (select from ${source.from} cross join ${rows.from} where ${allOf(conditions)})`
}
