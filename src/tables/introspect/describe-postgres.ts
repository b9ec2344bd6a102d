import { type DatabaseSnapshot, type Row, UNTIMED_OPTIONS } from '../../stores/postgres/database.ts'
import { quoteIdentifier } from '../../stores/quote-identifier.ts'
import type { DatabaseDescription } from '../description/database-description.ts'
import { assembleDescription, type FoundTable } from './assemble-description.ts'
import { COLUMNS, FOREIGN_KEYS, INDEXES, RELATIONS, SCHEMAS, SEARCH_PATH } from './postgres-catalog.ts'
import { describeColumn, describeForeignKey, isTrue, parseIndex } from './postgres-rows.ts'
import { createNameFilter, type TableSelection } from './table-selection.ts'

/** A view of the database in which all statements see the same catalog. */
type Catalog = Pick<DatabaseSnapshot, 'query'>

/** The rows of one statement about each table, by the number of the table. */
type RowsByTable = ReadonlyMap<string, readonly Row[]>

const groupByTable = (rows: readonly Row[]): RowsByTable => {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const table = row[0] ?? ''
    const group = groups.get(table)
    if (group === undefined) groups.set(table, [row])
    else group.push(row)
  }
  return groups
}

const describeRelation = (
  [number, schema, name, isView, hasRowSecurity]: Row,
  columns: RowsByTable,
  foreignKeys: RowsByTable,
  indexRows: RowsByTable,
): FoundTable => {
  const identity = number ?? ''
  const indexes = (indexRows.get(identity) ?? []).map(parseIndex)
  return {
    identity,
    schema: schema ?? undefined,
    name: name ?? '',
    isView: isTrue(isView),
    hasRowSecurity: isTrue(hasRowSecurity),
    columns: new Map((columns.get(identity) ?? []).map(row => [row[1] ?? '', describeColumn(row)])),
    key: indexes.find(({ isPrimary }) => isPrimary)?.unique ?? [],
    foreignKeys: (foreignKeys.get(identity) ?? []).map(describeForeignKey),
    uniques: indexes.flatMap(({ isPrimary, unique }) => (isPrimary || unique === undefined ? [] : [unique])),
    indexes: indexes.flatMap(({ described }) => described ?? []),
  }
}

/** @throws Error if one of the schemas does not exist. */
const findSchemas = async (
  catalog: Catalog,
  schemas: TableSelection['schemas'],
): Promise<readonly string[]> => {
  const rows = await (schemas === undefined
    ? catalog.query(SEARCH_PATH, [], UNTIMED_OPTIONS)
    : catalog.query(SCHEMAS, [schemas], UNTIMED_OPTIONS))
  const found = rows.flatMap(([name]) => name ?? [])
  const missing = schemas?.find(schema => !found.includes(schema))
  if (missing !== undefined) throw new Error(`the database has no schema ${quoteIdentifier(missing)}`)
  return found
}

/**
 * Describes the tables of a Postgres database, with a few statements for all of them.
 *
 * @throws Error if one of the schemas does not exist, or the unchanged error of the client.
 */
export const describePostgres = async (
  catalog: Catalog,
  selection: TableSelection,
): Promise<DatabaseDescription> => {
  const schemas = await findSchemas(catalog, selection.schemas)
  const isSelected = createNameFilter(selection)
  const found = await catalog.query(RELATIONS, [schemas], UNTIMED_OPTIONS)
  const relations = found.filter(([, , name]) => isSelected(name ?? ''))
  const numbers = [relations.flatMap(([number]) => number ?? [])]
  const columns = groupByTable(await catalog.query(COLUMNS, numbers, UNTIMED_OPTIONS))
  const foreignKeys = groupByTable(await catalog.query(FOREIGN_KEYS, numbers, UNTIMED_OPTIONS))
  const indexes = groupByTable(await catalog.query(INDEXES, numbers, UNTIMED_OPTIONS))
  const tables = relations.map(relation => describeRelation(relation, columns, foreignKeys, indexes))
  return assembleDescription('postgres', tables)
}
