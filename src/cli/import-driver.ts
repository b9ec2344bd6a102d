import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isObject } from '../base/json.ts'
import { CommandError } from './command-error.ts'

/** Returns a package of the user's project, or undefined if it is not installed there. */
export const importFromProject = (folder: string, name: string): unknown => {
  const requireFromProject = createRequire(join(folder, 'package.json'))
  try {
    requireFromProject.resolve(name)
  } catch {
    return undefined
  }
  return requireFromProject(name)
}

/** @throws CommandError if the package is not installed. */
export const importDriver = (folder: string, name: string): unknown => {
  const driver = importFromProject(folder, name)
  if (driver !== undefined) return driver
  throw new CommandError(
    `this command needs the package ${name} in the project of the current folder: npm install ${name}`,
  )
}

type Constructor<TInstance> = new (...args: readonly unknown[]) => TInstance

const isConstructor = <TInstance>(value: unknown): value is Constructor<TInstance> =>
  typeof value === 'function'

/**
 * Creates an instance of a class of a driver. The caller states the type of the instance, because the driver
 * is not a dependency of this package.
 */
export const createInstance = <TInstance extends object>(
  driver: unknown,
  name: string,
  args: readonly unknown[],
): TInstance => {
  const member: unknown =
    isObject(driver) || typeof driver === 'function' ? Reflect.get(driver, name) : undefined
  // Some drivers export the class itself.
  const type = member ?? driver
  if (isConstructor<TInstance>(type)) return new type(...args)
  throw new CommandError(`the driver exports no class ${name}; install its newest version`)
}
