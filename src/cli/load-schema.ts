import { isSchema } from '../schema/define-schema.ts'
import type { Schema } from '../schema/schema.ts'
import { CommandError } from './command-error.ts'
import { loadModule } from './load-module.ts'

/**
 * Imports a schema: the default export of a module, or its export `schema`.
 *
 * @throws CommandError if there is no such file or no schema in it.
 */
export const loadSchema = async (file: string, folder: string): Promise<Schema> => {
  const { default: defaultExport, schema: namedExport } = await loadModule(file, folder, 'schema')
  const schema = [defaultExport, namedExport].find(isSchema)
  if (schema === undefined)
    throw new CommandError(`the schema file ${file} must export a schema as "default" or "schema"`)
  return schema
}
