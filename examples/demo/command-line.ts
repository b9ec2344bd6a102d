import { parseArgs } from 'node:util'
import type { Store } from 'kithgraph'
import { openStore, STORE_URLS } from '../shared/open-store.ts'

/** A command of the demo, such as `npm start`, and the text that `--help` prints about it. */
export type Command = {
  readonly name: string
  readonly description: string
  readonly environment?: string
  /** Whether the command serves a graph, and has the options `--tables` and `--actions`. */
  readonly isServer?: boolean
}

/** The arguments of a command. */
export type CommandLine = {
  readonly store: string
  readonly help: boolean
  /** The URL after `--tables`, or an empty text without one. Absent without `--tables`. */
  readonly tables?: string
  /** Whether the tokens may run the actions of the demo. Absent without `--actions`. */
  readonly actions?: true
}

const OPTIONS = { store: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
const SERVER_OPTIONS = { tables: { type: 'string' }, actions: { type: 'boolean' } } as const

const SERVER_HELP = `
  --tables [URL]
               serve the tables of Chinook, a music shop, instead: in SQLite in memory, or in the schema music_shop of
               a Postgres database, which is created if it is missing
  --actions    let the first token run actions, which write to the graph in memory`

/** Ends the program with a message and without a stack trace, which would not help the user. */
export const exitWithError = (error: Error): never => {
  console.error(error.message)
  process.exit(2)
}

const helpOf = ({ name, description, environment, isServer }: Command): string => `\
${description}

Usage: ${name} -- [options]

Options:
  --store URL  the store of the graph (default: memory:)${isServer ? SERVER_HELP : ''}
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
  { name, isServer = false }: Command,
  args: readonly string[],
): CommandLine => {
  const options = { ...OPTIONS, ...(isServer && SERVER_OPTIONS) }
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
    const expected = `the option --store URL${isServer ? ', --tables [URL], --actions' : ''} or --help`
    throw failure(expected, JSON.stringify(received))
  }
  const { store = 'memory:', help = false, tables, actions } = values
  if (typeof store !== 'string') throw failure('a URL after --store', 'nothing')
  const sources = (['store', 'tables', 'actions'] as const).filter(option => values[option] !== undefined)
  if (sources.length > 1)
    throw failure(
      'one of the options --store, --tables and --actions',
      sources.map(option => `--${option}`).join(' and '),
    )
  if (typeof tables === 'string' && tables.startsWith('-'))
    throw failure('a URL or nothing after --tables', JSON.stringify(tables))
  // Without a URL after it, the value of --tables is true.
  const tablesUrl = tables !== undefined && { tables: typeof tables === 'string' ? tables : '' }
  return { store, help: help === true, ...tablesUrl, ...(actions === true && { actions }) }
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
