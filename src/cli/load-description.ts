import { isNonArrayObject } from '../base/json.ts'
import type { DatabaseDescription } from '../tables/description/database-description.ts'
import { CommandError } from './command-error.ts'
import { loadModule } from './load-module.ts'

const isDescription = (value: unknown): value is DatabaseDescription =>
  isNonArrayObject(value) &&
  (value.dialect === 'postgres' || value.dialect === 'sqlite') &&
  isNonArrayObject(value.tables)

/**
 * Imports a description that `introspect` wrote: the export `db` of a module.
 *
 * @throws CommandError if there is no such file or no description in it.
 */
export const loadDescription = async (file: string, folder: string): Promise<DatabaseDescription> => {
  const { db } = await loadModule(file, folder, 'description')
  if (isDescription(db)) return db
  throw new CommandError(`the description file ${file} must export a description of "introspect" as "db"`)
}
