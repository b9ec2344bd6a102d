import { parseArgs } from 'node:util'
import type { Store } from 'kithgraph'
import { openStore, STORE_URLS } from '../shared/open-store.ts'

/** A command of the demo, such as `npm start`, and the text that `--help` prints about it. */
export type Command = {
  readonly name: string
  readonly description: string
  readonly environment?: string
  /** Whether the command has the option `--tables`. */
  readonly servesTables?: boolean
}

/** The arguments of a command. */
export type CommandLine = {
  readonly store: string
  readonly help: boolean
  /** The URL after `--tables`, or an empty text without one. Absent without `--tables`. */
  readonly tables?: string
}

const OPTIONS = { store: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
const TABLES_OPTION = { tables: { type: 'string' } } as const

const TABLES_HELP = `
  --tables [URL]
               serve the tables of Chinook, a music shop, instead: in SQLite in memory, or in the schema music_shop of
               a Postgres database, which is created if it is missing`

/** Ends the program with a message and without a stack trace, which would not help the user. */
export const exitWithError = (error: Error): never => {
  console.error(error.message)
  process.exit(2)
}

const helpOf = ({ name, description, environment, servesTables }: Command): string => `\
${description}

Usage: ${name} -- [options]

Options:
  --store URL  the store of the graph (default: memory:)${servesTables ? TABLES_HELP : ''}
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
  { name, servesTables = false }: Command,
  args: readonly string[],
): CommandLine => {
  const options = { ...OPTIONS, ...(servesTables && TABLES_OPTION) }
  const { values, tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options,
  })
  const failure = (expected: string, received: string): Error =>
    new Error(`Expected ${expected}; received ${received}. Help: ${name} -- --help`)
  for (const token of tokens) {
    if (token.kind === 'option' && Object.hasOwn(options, token.name)) continue
    const received = token.kind === 'option' ? token.rawName : args[token.index]
    const expected = `the option --store URL${servesTables ? ', --tables [URL]' : ''} or --help`
    throw failure(expected, JSON.stringify(received))
  }
  const { store = 'memory:', help = false, tables } = values
  if (typeof store !== 'string') throw failure('a URL after --store', 'nothing')
  if (tables !== undefined && values.store !== undefined)
    throw failure('one of the options --store and --tables', 'both')
  if (typeof tables === 'string' && tables.startsWith('-'))
    throw failure('a URL or nothing after --tables', JSON.stringify(tables))
  // Without a URL after it, the value of --tables is true.
  const tablesUrl = tables !== undefined && { tables: typeof tables === 'string' ? tables : '' }
  return { store, help: help === true, ...tablesUrl }
}

/**
 * Reads the arguments of the process. Prints the help and exits if they contain `--help`. Exits with a message if an
 * argument is wrong.
 */
export const readCommandLine = (command: Command): CommandLine => {
  try {
    const commandLine = parseCommandLine(command, process.argv.slice(2))
    if (!commandLine.help) return commandLine
  } catch (error) {
    return exitWithError(error instanceof Error ? error : new Error(String(error)))
  }
  console.log(helpOf(command))
  process.exit(0)
}

/** Waits for a database. Exits with its message if it cannot be opened. */
export const openOrExit = <TOpened>(opening: Promise<TOpened>): Promise<TOpened> =>
  opening.catch(error => exitWithError(error instanceof Error ? error : new Error(String(error))))

/** Opens the store that the arguments of the process name. Exits as {@link readCommandLine} and {@link openOrExit}. */
export const openStoreOf = (command: Command): Promise<Store> =>
  openOrExit(openStore(readCommandLine(command).store, 'demo'))
