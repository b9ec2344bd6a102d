import { parseArgs } from 'node:util'
import { openStore, STORE_URLS } from '../shared/open-store.ts'

/** A command of the demo, such as `npm start`, and the text that `--help` prints about it. */
export type Command = {
  readonly name: string
  readonly description: string
  readonly environment?: string
}

const OPTIONS = { store: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const

/** Ends the program with a message and without a stack trace, which would not help the user. */
export const exitWithError = (error: Error): never => {
  console.error(error.message)
  process.exit(2)
}

const helpOf = ({ name, description, environment }: Command): string => `\
${description}

Usage: ${name} -- [options]

Options:
  --store URL  the store of the graph (default: memory:)
  --help, -h   print this help
${environment === undefined ? '' : `\nEnvironment:\n${environment}\n`}
Stores:
${STORE_URLS}`

/**
 * Reads the arguments of a command.
 *
 * @throws Error with a message of one line for arguments that the command does not have.
 */
export const parseCommandLine = (
  { name }: Command,
  args: readonly string[],
): { readonly store: string; readonly help: boolean } => {
  const { values, tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: OPTIONS,
  })
  const failure = (expected: string, received: string): Error =>
    new Error(`Expected ${expected}; received ${received}. Help: ${name} -- --help`)
  for (const token of tokens) {
    if (token.kind === 'option' && Object.hasOwn(OPTIONS, token.name)) continue
    const received = token.kind === 'option' ? token.rawName : args[token.index]
    throw failure('the option --store URL or --help', JSON.stringify(received))
  }
  const { store = 'memory:', help = false } = values
  if (typeof store !== 'string') throw failure('a URL after --store', 'nothing')
  return { store, help: help === true }
}

/**
 * Opens the store that the arguments of the process name. Prints the help and exits if the arguments contain
 * `--help`. Exits with a message if an argument is wrong, or if the store cannot be opened.
 */
export const openStoreOf = async (command: Command) => {
  try {
    const { store, help } = parseCommandLine(command, process.argv.slice(2))
    if (!help) return await openStore(store, 'demo')
  } catch (error) {
    return exitWithError(error instanceof Error ? error : new Error(String(error)))
  }
  console.log(helpOf(command))
  process.exit(0)
}
