import { parseArgs } from 'node:util'
import type { CommandContext } from './command-context.ts'
import { CommandError } from './command-error.ts'
import { type GivenUrl, STORE_URL_LINES, type StoreLocation } from './store-url.ts'

export const USAGE = `Usage: kithgraph check store [URL] [--repair [--remove]] [--schema FILE]
       kithgraph collect [URL] --schema FILE`

export const HELP = `${USAGE}

check store reads a whole store while other processes use it, and reports errors in its data. It prints ids,
names and counts, and no values. It changes nothing without --repair.

collect builds the collections and the further orders of a schema over existing data, while other processes
write with this schema. At its end, they can be read. It can be interrupted and repeated.

URL (default: the environment variable KITHGRAPH_URL, which other users of the machine cannot see):
${STORE_URL_LINES.map(line => `  ${line}`).join('\n')}

Options:
  --schema FILE           a module that exports a schema as its default export or as "schema"; check store
                          then also checks mirrored edges, values, collections and orders
  --repair                add missing entries, correct counts, derive the entries of collections and orders
                          again, and complete unfinished writes
  --remove                with --repair: also remove dangling and stale entries, and empty counts
  --prefix TEXT           the prefix of the keys in Redis (default kithgraph:)
  --postgres-schema NAME  the Postgres schema of the tables (default kithgraph)
  -h, --help              print this help

Exit status: 0 without errors; 1 if the store has errors at the end, or records that collect cannot put in
order; 2 if the command failed; 130 if it was interrupted.`

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  repair: { type: 'boolean' },
  remove: { type: 'boolean' },
  schema: { type: 'string' },
  prefix: { type: 'string' },
  'postgres-schema': { type: 'string' },
} as const

/** The arguments that all commands have. */
type StoreArguments = {
  readonly url: GivenUrl
  readonly prefix: string | undefined
  readonly postgresSchema: string | undefined
}

/** A command with its arguments. */
export type GivenCommand = StoreArguments &
  (
    | {
        readonly command: 'check store'
        readonly repairs: boolean
        readonly removes: boolean
        readonly schemaFile: string | undefined
      }
    | { readonly command: 'collect'; readonly schemaFile: string }
  )

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
    // The second sentence of Node is about arguments that begin with a hyphen, which no command has.
    const message = cause instanceof Error ? cause.message : 'the arguments cannot be parsed'
    throw usageProblem(message.replace(/\. To specify .*$/s, ''))
  }
}

const findUrl = (urls: readonly string[], { KITHGRAPH_URL }: CommandContext['environment']): GivenUrl => {
  const [text, ...others] = urls
  if (others.length > 0) throw usageProblem('only one URL is expected')
  if (text !== undefined && text !== '') return { text, origin: 'the arguments' }
  if (KITHGRAPH_URL !== undefined && KITHGRAPH_URL !== '')
    return { text: KITHGRAPH_URL, origin: 'the environment variable KITHGRAPH_URL' }
  throw usageProblem('a URL or the environment variable KITHGRAPH_URL is required')
}

/** Divides the words of a command line into the name of the command and the URLs after it. */
const findCommand = ([first, second, ...others]: readonly string[]): {
  readonly command: GivenCommand['command']
  readonly urls: readonly string[]
} => {
  if (first === undefined) throw usageProblem('a command is required')
  if (first === 'check' && second === 'store') return { command: 'check store', urls: others }
  if (first === 'collect')
    return { command: 'collect', urls: second === undefined ? [] : [second, ...others] }
  const received = describeCommand([first, second])
  throw usageProblem(`the command must be "check store" or "collect"; received ${received}`)
}

/**
 * Parses a command line. Returns undefined if the user requests the help.
 *
 * @throws CommandError for wrong arguments.
 */
export const parseArguments = (
  args: readonly string[],
  environment: CommandContext['environment'],
): GivenCommand | undefined => {
  const { values, positionals } = parse(args)
  if (values.help) return undefined
  const { command, urls } = findCommand(positionals)
  const url = findUrl(urls, environment)
  const { repair = false, remove = false, schema: schemaFile, prefix } = values
  const storeArguments = { url, prefix, postgresSchema: values['postgres-schema'] }
  if (command === 'check store') {
    if (remove && !repair) throw usageProblem('--remove requires --repair')
    return { ...storeArguments, command, repairs: repair, removes: remove, schemaFile }
  }
  if (repair || remove) throw usageProblem('--repair and --remove are options of "check store"')
  if (schemaFile === undefined) throw usageProblem('collect requires --schema FILE')
  return { ...storeArguments, command, schemaFile }
}

/** @throws CommandError for an option that has no effect on this store. */
export const assertOptionsOf = (
  { kind }: StoreLocation,
  { prefix, postgresSchema }: StoreArguments,
): void => {
  if (prefix !== undefined && kind !== 'redis') throw usageProblem('--prefix requires a Redis URL')
  if (prefix?.includes('{')) throw usageProblem('--prefix must be a text without "{"')
  if (postgresSchema !== undefined && kind !== 'postgres')
    throw usageProblem('--postgres-schema requires a Postgres URL')
}
