import { assertOptionsOf, type CommandOf, type GivenCommand, parseArguments } from './arguments.ts'
import { runCheckStore } from './check-store-command.ts'
import { runCheckTables } from './check-tables-command.ts'
import { runCollect } from './collect-command.ts'
import type { CommandContext } from './command-context.ts'
import { CommandError } from './command-error.ts'
import { HELP, USAGE } from './help.ts'
import { runIntrospect } from './introspect-command.ts'
import { loadSchema } from './load-schema.ts'
import { openConnection } from './open-store.ts'
import { escapeText, maskUrl, quoteName } from './safe-text.ts'
import { runServe } from './serve-command.ts'
import type { StoreConnection } from './store-connection.ts'
import { parseStoreUrl } from './store-url.ts'

const EXIT_FAILURE = 2
const EXIT_INTERRUPTED = 130

/** A command whose schema is loaded. `emptyMessage` is the error if the store contains nothing at all. */
type LoadedCommand = (connection: StoreConnection, emptyMessage: string | undefined) => Promise<number>

/** A command over a store. */
type StoreCommand = CommandOf<'check store' | 'collect'>

const loadCommand = async (given: StoreCommand, context: CommandContext): Promise<LoadedCommand> => {
  if (given.command === 'collect') {
    const schema = await loadSchema(given.schemaFile, context.folder)
    return (connection, emptyMessage) => runCollect(connection, schema, emptyMessage, context)
  }
  const schema =
    given.schemaFile === undefined ? undefined : await loadSchema(given.schemaFile, context.folder)
  return (connection, emptyMessage) => runCheckStore(connection, schema, { ...given, emptyMessage }, context)
}

const runWithStore = async (given: StoreCommand, context: CommandContext): Promise<number> => {
  const location = parseStoreUrl(given.url)
  assertOptionsOf(location, given)
  const run = await loadCommand(given, context)
  const { prefix = 'kithgraph:', postgresSchema = 'kithgraph' } = given
  const names = { prefix, postgresSchema }
  const connection = await openConnection(location, given.url.origin, context.folder, names)
  try {
    // A wrong prefix or database would look like an empty store. Other stores have tables.
    const emptyMessage =
      location.kind === 'redis'
        ? `no key of the Redis database begins with the prefix ${quoteName(prefix)}; pass the prefix of the store with --prefix`
        : undefined
    return await run(connection, emptyMessage)
  } finally {
    await connection.close()
  }
}

const run = (given: GivenCommand, context: CommandContext): Promise<number> => {
  switch (given.command) {
    case 'introspect':
      return runIntrospect(given, context)
    case 'check tables':
      return runCheckTables(given, context)
    case 'serve':
      return runServe(given, context)
    case 'check store':
    case 'collect':
      return runWithStore(given, context)
  }
}

/**
 * Returns the words of an error and of its cause. An error of several addresses has only a code. The client of
 * a Redis Cluster keeps the error of the last server.
 */
const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'an unexpected error'
  // The message of a parser contains the text, which can be a stored value.
  if (error instanceof SyntaxError) return 'a text in the store cannot be parsed'
  const { code, cause, lastNodeError }: { code?: unknown; cause?: unknown; lastNodeError?: unknown } = error
  const reason = lastNodeError ?? (error instanceof CommandError ? undefined : cause)
  const details = reason instanceof Error ? `: ${messageOf(reason)}` : ''
  return `${error.message || (typeof code === 'string' ? code : error.name)}${details}`
}

const printFailure = (error: unknown, url: string, { printError }: CommandContext): void => {
  printError(`kithgraph: ${escapeText(maskUrl(messageOf(error), url), true)}`)
  if (error instanceof CommandError && error.showsUsage)
    printError(`${USAGE}\nRun "kithgraph --help" for all options.`)
}

/** Runs a command line without the name of the program. Returns the exit status. */
export const runCommand = async (args: readonly string[], context: CommandContext): Promise<number> => {
  let url = context.environment.KITHGRAPH_URL ?? ''
  try {
    const given = parseArguments(args, context.environment)
    if (given === undefined) {
      context.print(HELP)
      return 0
    }
    url = given.url.text
    return await run(given, context)
  } catch (error) {
    if (context.signal.aborted) {
      context.printError('kithgraph: interrupted')
      return EXIT_INTERRUPTED
    }
    printFailure(error, url, context)
    return EXIT_FAILURE
  }
}
