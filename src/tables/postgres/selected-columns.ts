import { quoteIdentifier } from '../../stores/postgres/database.ts'
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

/** Columns of some aliases under names of their own, and the clause that makes them columns of the aliases again. */
export type RenamedColumns = { readonly columns: string; readonly from: string }

/**
 * Renames columns of some aliases, so that they can leave a query together.
 *
 * @param rows The alias of the query that selects them.
 */
export const renameColumns = (
  columnsByAlias: ReadonlyMap<string, readonly TableColumn[]>,
  rows: string,
): RenamedColumns => {
  const renamed: string[] = []
  const aliases = [...columnsByAlias].map(([alias, columns]) => {
    const names = new Set(columns.map(({ name }) => quoteIdentifier(name)))
    const restored = [...names].map(name => {
      const newName = `c${renamed.length}`
      renamed.push(`${alias}.${name} as ${newName}`)
      return `${rows}.${newName} as ${name}`
    })
    return `cross join lateral (select ${restored.join(', ')}) as ${alias}`
  })
  return { columns: renamed.join(', '), from: aliases.join(' ') }
}
