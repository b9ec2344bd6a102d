import type {
  ColumnDescription,
  DatabaseDescription,
  Dialect,
  ForeignKeyDescription,
  IndexDescription,
  TableDescription,
} from '../description/database-description.ts'
import { nameTables } from './name-tables.ts'
import { compareTexts, sortUnique } from './sort-texts.ts'

/** A foreign key as a catalog has it: `target` is the identity of the other table. */
export type FoundForeignKey = Omit<ForeignKeyDescription, 'table'> & { readonly target: string }

/** A table as a catalog has it, in any order. `identity` is its name or number there. */
export type FoundTable = {
  readonly identity: string
  readonly schema: string | undefined
  readonly name: string
  readonly isView: boolean
  readonly hasRowSecurity: boolean
  readonly columns: ReadonlyMap<string, ColumnDescription>
  readonly key: readonly string[]
  readonly foreignKeys: readonly FoundForeignKey[]
  readonly uniques: readonly (readonly string[])[]
  readonly indexes: readonly IndexDescription[]
}

const describeForeignKeys = (
  { foreignKeys }: FoundTable,
  names: ReadonlyMap<string, string>,
): readonly ForeignKeyDescription[] => {
  const described = foreignKeys.flatMap(({ columns, target, references }) => {
    const table = names.get(target)
    return table === undefined ? [] : [{ columns, table, references }]
  })
  return sortUnique(described, JSON.stringify)
}

const describeTable = (found: FoundTable, names: ReadonlyMap<string, string>): TableDescription => ({
  name: found.name,
  ...(found.schema !== undefined && { schema: found.schema }),
  ...(found.isView && { view: true }),
  ...(found.hasRowSecurity && { rowSecurity: true }),
  columns: Object.fromEntries([...found.columns].sort(([a], [b]) => compareTexts(a, b))),
  key: found.key,
  foreignKeys: describeForeignKeys(found, names),
  uniques: sortUnique(found.uniques, JSON.stringify),
  indexes: sortUnique(found.indexes, JSON.stringify),
})

/**
 * Describes the tables that were found in a database. Everything is sorted, so that the same tables always give the
 * same description. A foreign key to a table that is not among them is left out.
 */
export const assembleDescription = (dialect: Dialect, found: readonly FoundTable[]): DatabaseDescription => {
  const names = nameTables(found)
  const tables = found.map(
    table => [names.get(table.identity) ?? table.name, describeTable(table, names)] as const,
  )
  return { dialect, tables: Object.fromEntries(tables.toSorted(([a], [b]) => compareTexts(a, b))) }
}
