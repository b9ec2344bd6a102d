import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

const run = (flags: readonly string[], example: string, input: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const command = ['--import', 'tsx', ...flags, join('examples', example), ...input]
    execFile(process.execPath, command, { cwd: root }, (error, stdout, stderr) =>
      error ? reject(new Error(`${example} failed with ${error.code}:\n${stderr}`)) : resolve(stdout),
    )
  })

/** Runs an example as a reader does, and returns its output. Rejects if one of its assertions fails. */
export const runExample = (example: string, ...input: string[]): Promise<string> => run([], example, input)

const toModuleUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`

/** Runs an example as if a package were not installed. */
export const runExampleWithout = (name: string, example: string, ...input: string[]): Promise<string> => {
  const hooks = toModuleUrl(`
    export const resolve = (specifier, context, next) => {
      if (specifier !== '${name}') return next(specifier, context)
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    }`)
  const register = toModuleUrl(`import { register } from 'node:module'; register(${JSON.stringify(hooks)})`)
  return run(['--import', register], example, input)
}
