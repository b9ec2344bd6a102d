import { getOwn } from '../../schema/node.ts'
import { findColumnType, isColumnType } from '../compile/column-types.ts'
import { canBeKey } from '../compile/compile-key.ts'
import { isSameSet } from '../description/column-sets.ts'
import type {
  ColumnDescription,
  DatabaseDescription,
  Dialect,
  ForeignKeyDescription,
  TableDescription,
} from '../description/database-description.ts'
import type { LeftOut, TableReason } from './derived-graph.ts'
import { toGraphName, toSingular, UniqueNames } from './graph-names.ts'
import { isSecretName } from './secret-names.ts'

/** A table whose rows are nodes. */
export type NodeTable = {
  readonly table: string
  readonly type: string
  readonly key: readonly string[]
  readonly description: TableDescription
}

/** A table whose rows only connect the rows of two tables. */
export type JoinTable = {
  readonly table: string
  readonly description: TableDescription
  readonly ends: readonly [ForeignKeyDescription, ForeignKeyDescription]
}

/** The tables of a database by what they are in a graph. */
export type ClassifiedTables = {
  readonly nodes: readonly NodeTable[]
  readonly joins: readonly JoinTable[]
  readonly leftOut: readonly LeftOut[]
}

/** Returns the description of a column of a table. */
export const columnOf = ({ columns }: TableDescription, name: string): ColumnDescription | undefined =>
  getOwn(columns, name)

const canBeKeyColumn = (dialect: Dialect, column: ColumnDescription | undefined): boolean => {
  if (column === undefined) return false
  const type = findColumnType(dialect, column, undefined)
  if (!isColumnType(type)) return false
  return canBeKey({ kind: type.kind, isArray: column.array === true, scale: column.scale })
}

/** Returns the key, or for a table without one the first unique columns that always have a value. */
const findKey = (dialect: Dialect, table: TableDescription): readonly string[] | undefined => {
  const uniques = table.uniques.filter(names => names.every(name => columnOf(table, name)?.nullable !== true))
  const candidates = table.key.length > 0 ? [table.key] : uniques
  return candidates.find(names => names.every(name => canBeKeyColumn(dialect, columnOf(table, name))))
}

/** Whether a column is a foreign key, or a part of one. */
export const isForeign = ({ foreignKeys }: TableDescription, column: string): boolean =>
  foreignKeys.some(({ columns }) => columns.includes(column))

/** Whether the ids of the nodes would contain secrets. A number is none. */
const hasSecretKey = (table: TableDescription, key: readonly string[]): boolean =>
  key.some(name => {
    const isNumber = /^int|^numeric/.test(columnOf(table, name)?.type ?? '')
    return !isNumber && !isForeign(table, name) && name.toLowerCase() !== 'key' && isSecretName(name)
  })

/** Returns why a table has no key. */
const findKeyReason = (dialect: Dialect, table: TableDescription): TableReason => {
  const name = table.key.find(name => !canBeKeyColumn(dialect, columnOf(table, name)))
  const column = name === undefined ? undefined : columnOf(table, name)
  if (name === undefined || column === undefined) return { reason: 'noKey' }
  return { reason: 'keyType', key: { column: name, type: `${column.type}${column.array ? '[]' : ''}` } }
}

type NodeKey = { readonly key: readonly string[]; readonly reason?: undefined } | TableReason

/** Returns the key of the nodes of a table, or why the table has none. */
const findNodeKey = (dialect: Dialect, table: TableDescription): NodeKey => {
  const key = findKey(dialect, table)
  if (key === undefined) return findKeyReason(dialect, table)
  return hasSecretKey(table, key) ? { reason: 'secret' } : { key }
}

/** Returns the two foreign keys that together are the key of a table, if both lead to nodes. */
const findEnds = (
  { dialect, tables }: DatabaseDescription,
  { key, foreignKeys }: TableDescription,
): JoinTable['ends'] | undefined => {
  const [first, second, third] = foreignKeys
  if (first === undefined || second === undefined || third !== undefined) return undefined
  const areNodes = [first, second].every(({ table, references }) => {
    const target = tables[table]
    const found = target && findNodeKey(dialect, target)
    return found !== undefined && found.reason === undefined && isSameSet(found.key, references)
  })
  return areNodes && isSameSet([...first.columns, ...second.columns], key) ? [first, second] : undefined
}

/** Divides the tables of a database into those of nodes, those of joins, and those that a graph cannot contain. */
export const classifyTables = (database: DatabaseDescription): ClassifiedTables => {
  const entries = Object.entries(database.tables)
  const referenced = new Set(entries.flatMap(([, { foreignKeys }]) => foreignKeys.map(({ table }) => table)))
  const names = new UniqueNames(['root'])
  const nodes: NodeTable[] = []
  const joins: JoinTable[] = []
  const leftOut: LeftOut[] = []
  for (const [table, description] of entries) {
    const ends = referenced.has(table) ? undefined : findEnds(database, description)
    const found = findNodeKey(database.dialect, description)
    if (ends !== undefined) joins.push({ table, description, ends })
    else if (found.reason !== undefined) leftOut.push({ table, column: undefined, ...found })
    else {
      const name = toGraphName(table, 'table')
      const type = names.take(toSingular(name), name, `${name}_row`)
      nodes.push({ table, type, key: found.key, description })
    }
  }
  return { nodes, joins, leftOut }
}
