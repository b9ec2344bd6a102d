import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isNonArrayObject } from '../base/json.ts'
import { isSchema } from '../schema/define-schema.ts'
import type { Schema } from '../schema/schema.ts'
import { CommandError } from './command-error.ts'

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'it throws')

const importFile = async (path: string, file: string): Promise<unknown> => {
  try {
    return await import(/* @vite-ignore */ pathToFileURL(path).href)
  } catch (cause) {
    if (isNonArrayObject(cause) && cause.code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?tsx?$/.test(path))
      throw new CommandError(
        `a schema in TypeScript needs Node 22.18 or newer, or a loader (NODE_OPTIONS="--import tsx"); this is Node ${process.version}`,
        { cause },
      )
    throw new CommandError(`the schema file ${file} cannot be imported: ${messageOf(cause)}`, { cause })
  }
}

/**
 * Imports a schema: the default export of a module, or its export `schema`.
 *
 * @throws CommandError if there is no such file or no schema in it.
 */
export const loadSchema = async (file: string, folder: string): Promise<Schema> => {
  const path = resolve(folder, file)
  if (!existsSync(path)) throw new CommandError(`the schema file ${file} does not exist`)
  const module = await importFile(path, file)
  const exported = isNonArrayObject(module) ? [module.default, module.schema] : []
  const schema = exported.find(isSchema)
  if (schema === undefined)
    throw new CommandError(`the schema file ${file} must export a schema as "default" or "schema"`)
  return schema
}
