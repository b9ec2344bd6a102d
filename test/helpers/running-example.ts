import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A program that goes on until it is told to stop. */
export type Running = {
  /** What it has printed by the time that it is ready. */
  readonly printed: string
  /** Tells it to stop, by default as Ctrl-C does, and answers how it ended. */
  readonly stop: (
    signal?: 'SIGINT' | 'SIGTERM',
  ) => Promise<{ readonly code: number | null; readonly errors: string }>
}

/** Starts an example that serves, by default on a free port, and waits until it has printed that it is ready. */
export const startExample = (
  example: string,
  ready: RegExp,
  input: readonly string[] = [],
  port = '0',
): Promise<Running> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', join('examples', example), ...input], {
      cwd: root,
      env: { ...process.env, PORT: port },
    })
    let printed = ''
    let errors = ''
    const ended = new Promise<number | null>(end => child.once('exit', end))
    const stop: Running['stop'] = async (signal = 'SIGINT') => {
      child.kill(signal)
      return { code: await ended, errors }
    }
    child.stderr.setEncoding('utf8').on('data', text => {
      errors += text
    })
    child.stdout.setEncoding('utf8').on('data', text => {
      printed += text
      if (ready.test(printed)) resolve({ printed, stop })
    })
    ended.then(code => reject(new Error(`${example} failed with ${code}:\n${errors}`)))
  })
