import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isNonArrayObject } from '../base/json.ts'
import { CommandError } from './command-error.ts'

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'it throws')

const importFile = async (path: string, file: string, content: string): Promise<unknown> => {
  try {
    return await import(/* @vite-ignore */ pathToFileURL(path).href)
  } catch (cause) {
    if (isNonArrayObject(cause) && cause.code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?tsx?$/.test(path))
      throw new CommandError(
        `a ${content} in TypeScript needs Node 22.18 or newer, or a loader (NODE_OPTIONS="--import tsx"); this is Node ${process.version}`,
        { cause },
      )
    throw new CommandError(`the ${content} file ${file} cannot be imported: ${messageOf(cause)}`, { cause })
  }
}

/**
 * Imports a module of the user. `content` says in messages what the module contains. Returns its exports.
 *
 * @throws CommandError if there is no such file, or it cannot be imported.
 */
export const loadModule = async (
  file: string,
  folder: string,
  content: 'schema' | 'description' | 'graph',
): Promise<{ readonly [name: string]: unknown }> => {
  const path = resolve(folder, file)
  if (!existsSync(path)) throw new CommandError(`the ${content} file ${file} does not exist`)
  const module = await importFile(path, file, content)
  return isNonArrayObject(module) ? module : {}
}
