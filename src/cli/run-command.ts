import { parseArgs } from 'node:util'
import { runCheckStore } from './check-store-command.ts'
import type { CommandContext } from './command-context.ts'
import { CommandError } from './command-error.ts'
import { loadSchema } from './load-schema.ts'
import { openInspector } from './open-inspector.ts'
import { escapeText, maskUrl, quoteName } from './safe-text.ts'
import { parseStoreUrl, STORE_URL_LINES, type StoreLocation } from './store-url.ts'

const USAGE = 'Usage: kithgraph check store URL [--repair [--remove]] [--schema FILE]'

const HELP = `${USAGE}

Reads a whole store while other processes use it, and reports errors in its data. It prints ids, names and
counts, and no values. Changes nothing without --repair.

URL (or the environment variable KITHGRAPH_URL):
${STORE_URL_LINES.map(line => `  ${line}`).join('\n')}

Options:
  --schema FILE           also check mirrored edges and all values; the module exports a schema as its
                          default export or as "schema"
  --repair                add missing entries, correct counts, and complete unfinished writes
  --remove                with --repair: also remove dangling and stale entries, and empty counts
  --prefix TEXT           the prefix of the keys in Redis (default kithgraph:)
  --postgres-schema NAME  the Postgres schema of the tables (default kithgraph)
  -h, --help              print this help

Exit status: 0 without errors, 1 if the store has errors at the end, 2 if the check failed, 130 if it was
interrupted.`

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  repair: { type: 'boolean' },
  remove: { type: 'boolean' },
  schema: { type: 'string' },
  prefix: { type: 'string' },
  'postgres-schema': { type: 'string' },
} as const

const EXIT_FAILURE = 2
const EXIT_INTERRUPTED = 130

/** The arguments of `check store`. */
type CheckStoreArguments = {
  readonly url: string
  readonly repairs: boolean
  readonly removes: boolean
  readonly schemaFile: string | undefined
  readonly prefix: string | undefined
  readonly postgresSchema: string | undefined
}

const usageProblem = (message: string): CommandError => new CommandError(message, { showsUsage: true })

/** Describes words of the command line. Other text may be a URL with a password. */
const describeCommand = (words: readonly (string | undefined)[]): string => {
  const text = words.filter(word => word !== undefined).join(' ')
  return /^[\w -]{1,60}$/.test(text) ? `"${text}"` : 'other arguments'
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (cause) {
    // The second sentence of Node is about arguments that begin with a hyphen, which this command does not have.
    const message = cause instanceof Error ? cause.message : 'the arguments cannot be parsed'
    throw usageProblem(message.replace(/\. To specify .*$/s, ''))
  }
}

/** Returns the arguments, or undefined if the user requests the help. */
const parseArguments = (
  args: readonly string[],
  environment: CommandContext['environment'],
): CheckStoreArguments | undefined => {
  const { values, positionals } = parse(args)
  if (values.help) return undefined
  const [group, command, urlArgument, ...others] = positionals
  if (group === undefined) throw usageProblem('a command is required')
  if (group !== 'check' || command !== 'store')
    throw usageProblem(`the command must be "check store"; received ${describeCommand([group, command])}`)
  if (others.length > 0) throw usageProblem('only one URL is expected')
  const url = urlArgument ?? environment.KITHGRAPH_URL
  if (url === undefined || url === '')
    throw usageProblem('a URL or the environment variable KITHGRAPH_URL is required')
  if (values.remove && !values.repair) throw usageProblem('--remove requires --repair')
  return {
    url,
    repairs: values.repair ?? false,
    removes: values.remove ?? false,
    schemaFile: values.schema,
    prefix: values.prefix,
    postgresSchema: values['postgres-schema'],
  }
}

/** @throws CommandError for an option that has no effect on this store. */
const assertOptionsOf = ({ kind }: StoreLocation, { prefix, postgresSchema }: CheckStoreArguments): void => {
  if (prefix !== undefined && kind !== 'redis') throw usageProblem('--prefix requires a Redis URL')
  if (prefix?.includes('{')) throw usageProblem('--prefix must be a text without "{"')
  if (postgresSchema !== undefined && kind !== 'postgres')
    throw usageProblem('--postgres-schema requires a Postgres URL')
}

const checkStoreOf = async (given: CheckStoreArguments, context: CommandContext): Promise<number> => {
  const location = parseStoreUrl(given.url)
  assertOptionsOf(location, given)
  const schema =
    given.schemaFile === undefined ? undefined : await loadSchema(given.schemaFile, context.folder)
  const { prefix = 'kithgraph:', postgresSchema = 'kithgraph' } = given
  const inspector = await openInspector(location, context.folder, { prefix, postgresSchema })
  try {
    // A wrong prefix or database would look like a store without errors. Other stores have tables.
    const emptyMessage =
      location.kind === 'redis'
        ? `no key of the Redis database begins with the prefix ${quoteName(prefix)}; pass the prefix of the store with --prefix`
        : undefined
    return await runCheckStore(inspector, schema, { ...given, emptyMessage }, context)
  } finally {
    await inspector.close()
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
    url = given.url
    return await checkStoreOf(given, context)
  } catch (error) {
    if (context.signal.aborted) {
      context.printError('kithgraph: interrupted')
      return EXIT_INTERRUPTED
    }
    printFailure(error, url, context)
    return EXIT_FAILURE
  }
}
