import { parseArgs } from 'node:util'
import { formatChoices } from '../base/usage-error.ts'
import type { TableSelection } from '../tables/introspect/table-selection.ts'
import type { CommandContext } from './command-context.ts'
import { CommandError } from './command-error.ts'
import type { GivenUrl, StoreLocation } from './store-url.ts'

/** A command with its arguments. */
export type GivenCommand = { readonly url: GivenUrl } & (
  | (StoreNames & {
      readonly command: 'check store'
      readonly repairs: boolean
      readonly removes: boolean
      readonly schemaFile: string | undefined
    })
  | (StoreNames & { readonly command: 'collect'; readonly schemaFile: string })
  | {
      readonly command: 'introspect'
      readonly outFile: string | undefined
      readonly graphFile: string | undefined
      /** Whether to compare the file with the database instead of writing it. */
      readonly isChecked: boolean
      readonly selection: TableSelection
    }
  | {
      readonly command: 'check tables'
      readonly graphFile: string
      /** Whether to print only the statements that create the missing indexes. */
      readonly printsSql: boolean
    }
  | { readonly command: 'serve'; readonly port: number; readonly selection: TableSelection }
)

/** The arguments of one command. */
export type CommandOf<TCommand extends GivenCommand['command']> = Extract<
  GivenCommand,
  { readonly command: TCommand }
>

/** The names that separate several stores of one server. */
type StoreNames = { readonly prefix: string | undefined; readonly postgresSchema: string | undefined }

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  repair: { type: 'boolean' },
  remove: { type: 'boolean' },
  schema: { type: 'string' },
  prefix: { type: 'string' },
  'postgres-schema': { type: 'string' },
  out: { type: 'string' },
  graph: { type: 'string' },
  check: { type: 'boolean' },
  schemas: { type: 'string' },
  tables: { type: 'string' },
  port: { type: 'string' },
  sql: { type: 'boolean' },
} as const

type CommandName = GivenCommand['command']

/** The options of each command, besides the help. */
const COMMAND_OPTIONS: { readonly [command in CommandName]: readonly string[] } = {
  introspect: ['out', 'graph', 'check', 'schemas', 'tables'],
  'check tables': ['sql'],
  serve: ['port', 'schemas', 'tables'],
  'check store': ['repair', 'remove', 'schema', 'prefix', 'postgres-schema'],
  collect: ['schema', 'prefix', 'postgres-schema'],
}

const COMMAND_NAMES = ['introspect', 'check tables', 'serve', 'check store', 'collect'] as const

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

/** Divides the words of a command line into the name of the command and the words after it. */
const findCommand = (
  words: readonly string[],
): { readonly command: CommandName; readonly words: readonly string[] } => {
  if (words.length === 0) throw usageProblem('a command is required')
  for (const command of COMMAND_NAMES) {
    const length = command.split(' ').length
    if (words.slice(0, length).join(' ') === command) return { command, words: words.slice(length) }
  }
  const received = describeCommand(words.slice(0, 2))
  throw usageProblem(`the command must be ${formatChoices(COMMAND_NAMES)}; received ${received}`)
}

type Values = ReturnType<typeof parse>['values']

/** @throws CommandError for an option of another command. */
const assertOptions = (command: CommandName, values: Values): void => {
  for (const name of Object.keys(values)) {
    if (COMMAND_OPTIONS[command].includes(name)) continue
    const commands = COMMAND_NAMES.filter(other => COMMAND_OPTIONS[other].includes(name))
    throw usageProblem(
      `--${name} is an option of ${commands.map(other => `"${other}"`).join(' and ')}, not of "${command}"`,
    )
  }
}

const splitList = (text: string | undefined): readonly string[] | undefined =>
  text?.split(',').filter(part => part !== '')

const toSelection = ({ schemas, tables }: Values): TableSelection => ({
  schemas: splitList(schemas),
  patterns: splitList(tables),
})

const toStoreNames = ({ prefix, 'postgres-schema': postgresSchema }: Values): StoreNames => ({
  prefix,
  postgresSchema,
})

/** The highest number of a port. */
const MAX_PORT = 65_535

/** Parses the number of a port. 0, the default, selects a free one. */
const parsePort = (text: string | undefined): number => {
  if (text === undefined) return 0
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT) return Number(text)
  throw usageProblem(`--port must be a number from 0 to ${MAX_PORT}`)
}

type Environment = CommandContext['environment']

const toCheckStore = (words: readonly string[], values: Values, environment: Environment): GivenCommand => {
  const { repair = false, remove = false, schema: schemaFile } = values
  const url = findUrl(words, environment)
  if (remove && !repair) throw usageProblem('--remove requires --repair')
  return {
    command: 'check store',
    url,
    ...toStoreNames(values),
    repairs: repair,
    removes: remove,
    schemaFile,
  }
}

const toCollect = (words: readonly string[], values: Values, environment: Environment): GivenCommand => {
  const url = findUrl(words, environment)
  if (values.schema === undefined) throw usageProblem('collect requires --schema FILE')
  return { command: 'collect', url, ...toStoreNames(values), schemaFile: values.schema }
}

const toIntrospect = (words: readonly string[], values: Values, environment: Environment): GivenCommand => {
  const { out: outFile, graph: graphFile, check: isChecked = false } = values
  const url = findUrl(words, environment)
  if (isChecked && outFile === undefined) throw usageProblem('--check requires --out FILE')
  if (isChecked && graphFile !== undefined) throw usageProblem('--check and --graph exclude each other')
  return { command: 'introspect', url, outFile, graphFile, isChecked, selection: toSelection(values) }
}

const toCheckTables = (words: readonly string[], values: Values, environment: Environment): GivenCommand => {
  const { sql: printsSql = false } = values
  const graphFile = words.at(-1)
  if (graphFile === undefined) throw usageProblem('check tables requires a file, such as graph.ts')
  return { command: 'check tables', url: findUrl(words.slice(0, -1), environment), graphFile, printsSql }
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
  const { command, words } = findCommand(positionals)
  assertOptions(command, values)
  switch (command) {
    case 'check store':
      return toCheckStore(words, values, environment)
    case 'collect':
      return toCollect(words, values, environment)
    case 'introspect':
      return toIntrospect(words, values, environment)
    case 'check tables':
      return toCheckTables(words, values, environment)
    case 'serve':
      return {
        command,
        url: findUrl(words, environment),
        port: parsePort(values.port),
        selection: toSelection(values),
      }
  }
}

/** @throws CommandError for an option that has no effect on this store. */
export const assertOptionsOf = ({ kind }: StoreLocation, { prefix, postgresSchema }: StoreNames): void => {
  if (prefix !== undefined && kind !== 'redis') throw usageProblem('--prefix requires a Redis URL')
  if (prefix?.includes('{')) throw usageProblem('--prefix must be a text without "{"')
  if (postgresSchema !== undefined && kind !== 'postgres')
    throw usageProblem('--postgres-schema requires a Postgres URL')
}
