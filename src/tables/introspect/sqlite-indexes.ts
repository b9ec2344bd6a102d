import type { FoundTable } from './assemble-description.ts'
import { type IndexColumn, toIndexDescription } from './index-columns.ts'
import { splitSql } from './split-sql.ts'
import type { CatalogIndexColumn } from './sqlite-catalog.ts'

/** An index, and its columns in its order. */
export type SqliteIndex = {
  readonly origin: CatalogIndexColumn['origin']
  readonly isUnique: boolean
  /** The condition of an index of some rows. */
  readonly where: string | undefined
  readonly columns: readonly CatalogIndexColumn[]
}

/** Groups the columns of all indexes of a table. Those of one index follow each other. */
export const groupIndexes = (columns: readonly CatalogIndexColumn[]): readonly SqliteIndex[] => {
  const names = [...new Set(columns.map(({ index }) => index))]
  return names.flatMap(name => {
    const own = columns.filter(({ index }) => index === name)
    return own.slice(0, 1).map(({ origin, isUnique, sql }) => ({
      origin,
      isUnique: isUnique === 1,
      where: sql === null ? undefined : splitSql(sql, 'where')[1],
      columns: own,
    }))
  })
}

/**
 * Returns the columns that an index begins with and that are in the order of their values: `collated` have another
 * collation than BINARY. The last one can be the rowid, which SQLite adds.
 */
const findOrderedColumns = (
  { origin, columns }: SqliteIndex,
  rowid: string | undefined,
  collated: ReadonlySet<string>,
): readonly IndexColumn[] => {
  const ordered: IndexColumn[] = []
  for (const { name, isRowid, isDescending, collation, isDeclared } of columns) {
    // The index of a key without a rowid is the table itself: its other columns do not sort it.
    if (origin === 'pk' && isDeclared === 0) break
    const column = isRowid === 1 ? rowid : (name ?? undefined)
    if (column === undefined || collated.has(column) === (collation.toUpperCase() === 'BINARY')) break
    if (ordered.every(({ name }) => name !== column))
      ordered.push({ name: column, isDescending: isDescending === 1 })
  }
  return ordered
}

const findUnique = ({ origin, isUnique, where, columns }: SqliteIndex): readonly (readonly string[])[] => {
  const declared = columns.filter(({ isDeclared }) => isDeclared === 1)
  const names = declared.flatMap(({ name }) => name ?? [])
  const isWhole = isUnique && where === undefined && origin !== 'pk' && names.length === declared.length
  return isWhole ? [names] : []
}

/** Describes the indexes of a table. The table itself is an index of its rowid. */
export const describeIndexes = (
  indexes: readonly SqliteIndex[],
  rowid: string | undefined,
  collated: ReadonlySet<string>,
): Pick<FoundTable, 'uniques' | 'indexes'> => ({
  uniques: indexes.flatMap(findUnique),
  indexes: [
    ...(rowid === undefined ? [] : [{ columns: [rowid] }]),
    ...indexes.flatMap(
      index => toIndexDescription(findOrderedColumns(index, rowid, collated), index.where) ?? [],
    ),
  ],
})
