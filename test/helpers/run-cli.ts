import { resolve } from 'node:path'
import { runCommand } from '../../src/cli/run-command.ts'

/** The folder of this project, in which the drivers are installed. */
export const PROJECT = resolve(import.meta.dirname, '../..')

/** The result of a command: its exit status, and the lines that it printed. */
export type CliResult = {
  readonly status: number
  readonly lines: readonly string[]
  readonly errors: readonly string[]
}

/** Runs the command line in this process. */
export const runCli = async (
  args: readonly string[],
  options: {
    readonly environment?: { readonly [name: string]: string }
    readonly folder?: string
    readonly signal?: AbortSignal
  } = {},
): Promise<CliResult> => {
  const lines: string[] = []
  const errors: string[] = []
  const status = await runCommand(args, {
    folder: options.folder ?? PROJECT,
    environment: options.environment ?? {},
    signal: options.signal ?? new AbortController().signal,
    print: line => lines.push(line),
    printError: line => errors.push(line),
  })
  return { status, lines, errors }
}
