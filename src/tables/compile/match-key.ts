import { isSameSet } from '../description/column-sets.ts'
import type { TableColumn } from '../model/table-model.ts'
import type { CompileContext, CompiledType } from './compile-context.ts'
import type { DescribedTable, NamedColumn } from './described-table.ts'

/** Columns of a table that are equal to the key of a type. */
export type KeyReference = {
  readonly location: string
  readonly table: DescribedTable
  readonly columns: readonly NamedColumn[]
  readonly owner: CompiledType
}

const formatColumns = (columns: readonly { readonly name: string }[]): string =>
  columns.map(({ name }) => name).join(', ')

/** Columns of a table, by its name in the description. */
type TableColumns = { readonly table: string; readonly columns: readonly string[] }

/** Returns columns as texts: these columns, and all to which foreign keys of exactly these columns lead in turn. */
const followForeignKeys = (context: CompileContext, start: TableColumns): ReadonlySet<string> => {
  const pending = [start]
  const found = new Set<string>()
  for (const { table, columns } of pending) {
    const text = JSON.stringify([table, columns.toSorted()])
    if (found.has(text)) continue
    found.add(text)
    for (const { table: next, references, ...foreignKey } of context.foreignKeysOf(table))
      if (isSameSet(foreignKey.columns, columns)) pending.push({ table: next, columns: references })
  }
  return found
}

/** Whether two tables have the same keys, because their foreign keys lead to the same columns. */
const haveSharedKey = (context: CompileContext, one: TableColumns, other: TableColumns): boolean => {
  const found = followForeignKeys(context, other)
  return [...followForeignKeys(context, one)].some(text => found.has(text))
}

/**
 * Returns the columns in the order of the key by a foreign key of exactly these columns; 'none' without one to the
 * type's table. Adds an error if all lead elsewhere: to other columns than the key, or to tables with other keys. No
 * foreign key can lead to a view, so those of its tables say nothing about it.
 */
const matchForeignKey = (
  context: CompileContext,
  reference: KeyReference,
): readonly NamedColumn[] | 'none' | undefined => {
  const { location, table, columns, owner } = reference
  const names = columns.map(({ name }) => name)
  const foreignKeys = table.description.foreignKeys.filter(foreignKey => isSameSet(foreignKey.columns, names))
  const own = foreignKeys.filter(foreignKey => foreignKey.table === owner.table.key)
  const keys = owner.mapping.keys.map(({ name }) => name)
  const foreignKey = own.find(({ references }) => isSameSet(references, keys))
  if (foreignKey !== undefined)
    return keys.flatMap(key => {
      const name = foreignKey.columns[foreignKey.references.indexOf(key)]
      return columns.filter(column => column.name === name)
    })
  const wrong = own[0] ?? foreignKeys[0]
  const ownerKey = { table: owner.table.key, columns: keys }
  const isShared = foreignKeys.some(({ table, references }) =>
    haveSharedKey(context, { table, columns: references }, ownerKey),
  )
  if (wrong === undefined || isShared || owner.table.description.view) return 'none'
  const expected = `columns with a foreign key to the key of ${owner.table.key}, ${keys.join(', ')}`
  const target = own.length === 0 ? wrong.table : wrong.references.join(', ')
  const received = `${formatColumns(columns)}, with a foreign key to ${target}`
  context.issues.add(location, 'the columns', expected, received)
  return undefined
}

const isEqualType = (column: TableColumn, key: TableColumn): boolean =>
  column.kind === key.kind &&
  column.isArray === key.isArray &&
  (column.kind !== 'enum' || column.sqlType === key.sqlType)

const formatTypes = (columns: readonly TableColumn[]): string =>
  columns.map(({ name, sqlType }) => `${name} of the type ${sqlType}`).join(', ')

/**
 * Returns the columns that are equal to the key of a type, in its order. Adds an error if their number differs, or
 * without a foreign key their types.
 */
export const matchKey = (
  context: CompileContext,
  reference: KeyReference,
): readonly TableColumn[] | undefined => {
  const { location, table, columns, owner } = reference
  const { keys } = owner.mapping
  if (columns.length !== keys.length) {
    const expected = `as many as those of the key of ${owner.mapping.name}, ${formatColumns(keys)}`
    context.issues.add(location, 'the columns', expected, formatColumns(columns))
    return undefined
  }
  const ordered = matchForeignKey(context, reference)
  if (ordered !== 'none') return ordered?.map(column => table.toComparedColumn(column))
  const keyColumns = columns.map(column => table.toComparedColumn(column))
  const areEqual = keyColumns.every((column, index) => {
    const key = keys[index]
    return key !== undefined && isEqualType(column, key)
  })
  if (areEqual) return keyColumns
  const expected = `of the types of the key of ${owner.mapping.name} (${formatTypes(keys)}), or with a foreign key to it`
  context.issues.add(location, 'the columns', expected, formatTypes(keyColumns))
  return undefined
}
