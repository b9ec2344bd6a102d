import { isNonArrayObject, isText } from '../base/json.ts'
import type { Tables } from '../tables/define-tables.ts'
import { CommandError } from './command-error.ts'
import { loadModule } from './load-module.ts'

const isTables = (value: unknown): value is Tables =>
  isNonArrayObject(value) && isNonArrayObject(value['~model'])

/** A graph over tables, and the tables whose row-level security its store must check. */
export type LoadedTables = { readonly tables: Tables; readonly rowSecurity: readonly string[] }

/**
 * Imports the tables of a graph: the export `tables` of a module, which `defineTables` returned. An export
 * `rowSecurity` is the option of `createTableStore`.
 *
 * @throws CommandError if there is no such file, or the exports are others.
 */
export const loadTables = async (file: string, folder: string): Promise<LoadedTables> => {
  const { tables, rowSecurity = [] } = await loadModule(file, folder, 'graph')
  if (!isTables(tables))
    throw new CommandError(`the graph file ${file} must export the tables of "defineTables" as "tables"`)
  if (!Array.isArray(rowSecurity) || !rowSecurity.every(isText))
    throw new CommandError(
      `the export "rowSecurity" of the graph file ${file} must be an array of names of tables`,
    )
  return { tables, rowSecurity }
}
