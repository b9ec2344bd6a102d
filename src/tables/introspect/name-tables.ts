import { compareTexts } from './sort-texts.ts'

/** A table that needs a name in a description. */
type UnnamedTable = { readonly identity: string; readonly schema: string | undefined; readonly name: string }

/**
 * Returns the names of tables in a description, by their identities: their names in the database, or `schema_name`
 * for tables of equal names in several schemas. A number makes a name unique that another table has.
 */
export const nameTables = (tables: readonly UnnamedTable[]): ReadonlyMap<string, string> => {
  const bySchema = tables.toSorted((a, b) => compareTexts(a.schema ?? '', b.schema ?? ''))
  const shared = new Set<string>()
  const taken = new Set<string>()
  for (const { name } of bySchema) (taken.has(name) ? shared : taken).add(name)
  const toUnusedName = ({ schema = '', name }: UnnamedTable): string => {
    if (!shared.has(name)) return name
    const longName = `${schema}_${name}`
    let unusedName = longName
    for (let number = 2; taken.has(unusedName); number++) unusedName = `${longName}_${number}`
    taken.add(unusedName)
    return unusedName
  }
  return new Map(bySchema.map(table => [table.identity, toUnusedName(table)]))
}
