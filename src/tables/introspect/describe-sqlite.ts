import type { SqliteDatabase } from '../../stores/sqlite/connection.ts'
import type { ColumnDescription, DatabaseDescription } from '../description/database-description.ts'
import { assembleDescription, type FoundForeignKey, type FoundTable } from './assemble-description.ts'
import {
  type CatalogColumn,
  type CatalogReference,
  type CatalogTable,
  createSqliteCatalog,
  type SqliteCatalog,
} from './sqlite-catalog.ts'
import { describeIndexes, groupIndexes, type SqliteIndex } from './sqlite-indexes.ts'
import { scaleOfType, storesTextsAsNumbers, toColumnType } from './sqlite-types.ts'
import { createNameFilter, type TableSelection } from './table-selection.ts'

/** A table as the catalog has it. */
type SqliteTable = {
  readonly name: string
  readonly isView: boolean
  readonly columns: readonly CatalogColumn[]
  readonly key: readonly string[]
  /** Whether the columns of the key always have a value. In other tables they can be NULL. */
  readonly isKeyPresent: boolean
  /** The column that is the rowid. */
  readonly rowid: string | undefined
  readonly indexes: readonly SqliteIndex[]
}

/** Reads a table. Returns undefined for a view that SQLite cannot compile, because its tables have changed. */
const readTable = (catalog: SqliteCatalog, table: CatalogTable): SqliteTable | undefined => {
  const { name, isView, isWithoutRowid } = table
  const columns = readColumns(catalog, table)
  if (columns === undefined) return undefined
  const keyColumns = columns.filter(({ keyPosition }) => keyPosition > 0)
  const key = keyColumns.toSorted((a, b) => a.keyPosition - b.keyPosition).map(column => column.name)
  const indexes = groupIndexes(catalog.readIndexColumns(name))
  // Only a key that is the rowid has no index.
  const hasKeyIndex = indexes.some(({ origin }) => origin === 'pk')
  const rowid = isWithoutRowid === 1 || hasKeyIndex ? undefined : key[0]
  const isKeyPresent = isWithoutRowid === 1 || rowid !== undefined
  return { name, isView: isView === 1, columns, key, isKeyPresent, rowid, indexes }
}

const readColumns = (
  catalog: SqliteCatalog,
  { name, isView }: CatalogTable,
): readonly CatalogColumn[] | undefined => {
  try {
    return catalog.readColumns(name)
  } catch (cause) {
    if (isView === 1) return undefined
    throw cause
  }
}

const describeColumn = (
  table: SqliteTable,
  collated: ReadonlySet<string>,
  { name, declaredType, isNotNull, hasDefault, keyPosition }: CatalogColumn,
): ColumnDescription => {
  const type = toColumnType(declaredType)
  const scale = type === 'numeric' ? scaleOfType(declaredType) : undefined
  const isPresent = isNotNull === 1 || (keyPosition > 0 && table.isKeyPresent)
  return {
    type,
    ...(!isPresent && { nullable: true }),
    ...((hasDefault === 1 || name === table.rowid) && { default: true }),
    ...(scale !== undefined && { scale }),
    ...((collated.has(name) || storesTextsAsNumbers(declaredType)) && { inexact: true }),
  }
}

/** Finds a name as SQLite does, regardless of its case. */
const findName = (names: Iterable<string>, wanted: string): string | undefined =>
  [...names].find(name => name.toLowerCase() === wanted.toLowerCase())

const describeForeignKey = (
  references: readonly CatalogReference[],
  { columns }: SqliteTable,
  tables: readonly SqliteTable[],
): FoundForeignKey | undefined => {
  const target = tables.find(({ name }) => name.toLowerCase() === references[0]?.table.toLowerCase())
  if (target === undefined) return undefined
  const columnNames = columns.map(({ name }) => name)
  const targetNames = target.columns.map(({ name }) => name)
  const own = references.flatMap(({ column }) => findName(columnNames, column) ?? [])
  const others = references.flatMap(({ otherColumn }, index) =>
    otherColumn === null ? (target.key[index] ?? []) : (findName(targetNames, otherColumn) ?? []),
  )
  const isComplete = own.length === references.length && others.length === references.length
  return isComplete ? { columns: own, target: target.name, references: others } : undefined
}

const describeForeignKeys = (
  catalog: SqliteCatalog,
  table: SqliteTable,
  tables: readonly SqliteTable[],
): readonly FoundForeignKey[] => {
  const references = catalog.readReferences(table.name)
  return [...new Set(references.map(({ id }) => id))].flatMap(
    id =>
      describeForeignKey(
        references.filter(reference => reference.id === id),
        table,
        tables,
      ) ?? [],
  )
}

const describeTable = (
  catalog: SqliteCatalog,
  table: SqliteTable,
  tables: readonly SqliteTable[],
): FoundTable => {
  const names = table.columns.map(({ name }) => name)
  const collated = new Set(names.filter(name => catalog.isCollated(table.name, name)))
  const columns = new Map(table.columns.map(column => [column.name, describeColumn(table, collated, column)]))
  return {
    identity: table.name,
    schema: undefined,
    name: table.name,
    isView: table.isView,
    hasRowSecurity: false,
    columns,
    key: table.key,
    foreignKeys: describeForeignKeys(catalog, table, tables),
    ...describeIndexes(table.indexes, table.rowid, collated),
  }
}

/**
 * Describes the tables of a SQLite database.
 *
 * @throws Error the unchanged error of the driver.
 */
export const describeSqlite = (database: SqliteDatabase, selection: TableSelection): DatabaseDescription => {
  const catalog = createSqliteCatalog(database)
  const isSelected = createNameFilter(selection)
  const selected = catalog.readTables().filter(({ name }) => isSelected(name))
  const tables = selected.flatMap(table => readTable(catalog, table) ?? [])
  return assembleDescription(
    'sqlite',
    tables.map(table => describeTable(catalog, table, tables)),
  )
}
