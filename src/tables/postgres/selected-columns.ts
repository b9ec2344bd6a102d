import type { FieldMapping, ListMapping, TableColumn } from '../model/table-model.ts'
import { columnSql } from '../sql/sql-text.ts'

/**
 * Returns the columns of an alias without duplicates. A query never selects all columns of a table, because the role
 * of a session may have the right to read only those that the graph shows.
 */
export const selectedColumnsSql = (alias: string, columns: readonly TableColumn[]): string =>
  [...new Set(columns.map(column => columnSql(alias, column)))].join(', ')

/** Returns the columns of some fields. */
export const columnsOfFields = (fields: readonly FieldMapping[]): readonly TableColumn[] =>
  fields.flatMap(field => (field.kind === 'ref' ? field.columns : [field.column]))

/** Returns the columns of the source of a list that its range uses. A collection has no source. */
export const columnsOfSource = (
  { source, count }: ListMapping,
  isCounted: boolean,
): readonly TableColumn[] => [
  ...(source?.keys ?? []),
  ...(isCounted && count.kind === 'column' ? [count.column] : []),
]
