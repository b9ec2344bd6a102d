import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A program that runs until it is stopped. */
export type RunningExample = {
  /** The output that the program printed before it was ready. */
  readonly printed: string
  /** Stops the program, by default as Ctrl-C does, and returns its exit code and error output. */
  readonly stop: (
    signal?: 'SIGINT' | 'SIGTERM',
  ) => Promise<{ readonly code: number | null; readonly errors: string }>
}

/**
 * Starts an example that is a server, by default on a free port, and waits until its output matches
 * `readyPattern`.
 */
export const startExample = (
  example: string,
  readyPattern: RegExp,
  input: readonly string[] = [],
  port = '0',
): Promise<RunningExample> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', join('examples', example), ...input], {
      cwd: root,
      env: { ...process.env, PORT: port },
    })
    let printed = ''
    let errors = ''
    const ended = new Promise<number | null>(end => child.once('exit', end))
    const stop: RunningExample['stop'] = async (signal = 'SIGINT') => {
      child.kill(signal)
      return { code: await ended, errors }
    }
    child.stderr.setEncoding('utf8').on('data', text => {
      errors += text
    })
    child.stdout.setEncoding('utf8').on('data', text => {
      printed += text
      if (readyPattern.test(printed)) resolve({ printed, stop })
    })
    ended.then(code => reject(new Error(`${example} failed with ${code}:\n${errors}`)))
  })
