import type { IncomingMessage, ServerResponse } from 'node:http'
import { createExplorer } from '../explorer/index.ts'
import type { AnyGraph } from '../graph-interface.ts'
import { createHandler, toNodeListener } from '../http/index.ts'
import { createGraph, createStaticAuth } from '../index.ts'
import { defineTables } from '../tables/define-tables.ts'
import { deriveGraph } from '../tables/derive/derive-graph.ts'
import type { LeftOut } from '../tables/derive/derived-graph.ts'
import { toDeclaration } from '../tables/derive/to-declaration.ts'
import type { CommandOf } from './arguments.ts'
import type { CommandContext } from './command-context.ts'
import { CommandError } from './command-error.ts'
import { formatCount } from './format-count.ts'
import { createToken, startLocalServer } from './local-server.ts'
import { openTables } from './open-database.ts'
import { escapeText, quoteName } from './safe-text.ts'

const EXIT_CLEAN = 0
const REDIRECT_STATUS = 307

const LEFT_OUT_TITLES: { readonly [reason in LeftOut['reason']]: string } = {
  secret: 'Left out, because the names suggest secrets',
  binary: 'Left out, because the values are binary',
  noKey: 'Left out, because the tables have no key',
  keyType: 'Left out, because the values of their keys cannot be ids',
}

const formatLeftOut = (left: LeftOut): string => {
  const name = [left.table, left.column]
    .flatMap(part => (part === undefined ? [] : [quoteName(part)]))
    .join('.')
  if (left.reason !== 'keyType') return name
  return `${name} (${quoteName(left.key.column)} of the type ${escapeText(left.key.type)})`
}

const printLeftOut = (leftOut: readonly LeftOut[], { print }: CommandContext): void => {
  for (const reason of ['secret', 'binary', 'noKey', 'keyType'] as const) {
    const names = leftOut.filter(left => left.reason === reason).map(formatLeftOut)
    if (names.length > 0) print(`${LEFT_OUT_TITLES[reason]}: ${names.join(', ')}`)
  }
}

/** Creates the function that responds with the graph and its Explorer under `/<token>/`. */
const createResponder = (graph: AnyGraph, token: string, sessionToken: string) => {
  const graphPath = `/${token}/graph`
  const respondWithGraph = toNodeListener(createHandler(graph, { basePath: graphPath }))
  const respondWithExplorer = toNodeListener(createExplorer(graph, { graphPath, demoToken: sessionToken }))
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { url = '' } = request
    if (url.startsWith(`${graphPath}/`)) {
      // Who knows the path may read everything.
      request.headers.authorization = `Bearer ${sessionToken}`
      void respondWithGraph(request, response)
    } else if (url.startsWith(`/${token}/explorer`)) void respondWithExplorer(request, response)
    else {
      response.writeHead(REDIRECT_STATUS, {
        Location: `/${token}/explorer/`,
        'Referrer-Policy': 'no-referrer',
        'Content-Type': 'text/plain; charset=UTF-8',
      })
      response.end(`The Graph API is at ${graphPath}/, and the Explorer at /${token}/explorer/.\n`)
    }
  }
}

const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/**
 * Serves a database in the Explorer until the user interrupts the command. Returns the exit status.
 *
 * @throws CommandError if no table has a key whose values can be ids.
 */
export const runServe = async (
  { url, port, selection }: CommandOf<'serve'>,
  context: CommandContext,
): Promise<number> => {
  const { print, signal } = context
  const { database, description } = await openTables(url, context.folder, selection)
  try {
    const derived = deriveGraph(description, database.findTimeForm)
    if (derived.types.length === 0)
      throw new CommandError('the database has no such tables with a key whose values can be ids')
    const { types, options } = toDeclaration(derived)
    const { schema, tables } = defineTables(description, types, options)
    const sessionToken = createToken()
    const auth = createStaticAuth({ [sessionToken]: { app: 'kithgraph serve' } })
    await using graph = createGraph(database.openStore(tables), { schema, auth, secret: createToken() })
    const token = createToken()
    const server = await startLocalServer(port, token, createResponder(graph, token, sessionToken))
    print(
      `Explorer of ${formatCount(derived.types.length, ['table', 'tables'])}, until Ctrl-C: ${server.url}explorer/`,
    )
    const [collection] = derived.collections
    if (collection !== undefined)
      print(`Graph API: curl '${server.url}graph/root/${collection.name}?limit=3'`)
    print(
      'The graph has no policies: everyone who knows this URL can read the tables. It is not for production.',
    )
    printLeftOut(derived.leftOut, context)
    await waitForAbort(signal)
    await server.close()
    return EXIT_CLEAN
  } finally {
    await database.close()
  }
}
