/**
 * Serves the people of a novel over HTTP, with the Explorer, and prints requests to try:
 *
 *     npm start
 *     PORT=8080 npm start -- --store sqlite:./graph.db
 *     npm start -- --tables
 *     npm start -- --actions
 *     npm start -- --help
 *
 * Ctrl-C stops the server. Without `--store`, the graph is in memory and ends with the server. With `--tables`, the
 * graph reads the tables of Chinook, a music shop, instead. With `--actions`, callers can also write to the graph.
 */
import { createServer } from 'node:http'
import { openStore } from '../shared/open-store.ts'
import { stopOnSignal } from '../shared/stop-on-signal.ts'
import { type Command, exitWithError, openOrExit, readCommandLine } from './command-line.ts'
import { listenOn } from './listen.ts'
import { createListener } from './listener.ts'
import { rejectOtherHosts } from './local-hosts.ts'
import { openNovelDemo } from './novel-demo.ts'
import { openTablesDemo } from './tables-demo.ts'

const COMMAND: Command = {
  name: 'npm start',
  description: 'Serves the people of a novel over HTTP, with the Explorer at /explorer/.',
  environment: '  PORT         the port of the server (default: 4000); 0 selects a free port',
  isServer: true,
}

const { store, tables, actions = false } = readCommandLine(COMMAND)
const demo =
  tables === undefined
    ? await openNovelDemo(await openOrExit(openStore(store, 'demo')), { runsActions: actions })
    : await openOrExit(openTablesDemo(tables))
const listener = createListener(demo)
const server = createServer(demo.runsActions ? rejectOtherHosts(listener) : listener)
stopOnSignal(server, demo.graph)

const origin = await listenOn(server, process.env.PORT).catch(async error => {
  await demo.graph.close()
  return exitWithError(error)
})

console.log(`\
${demo.introduction}

Explorer:  ${origin}/explorer/
Graph API: ${origin}${demo.path}
OpenAPI:   ${origin}/openapi.json

${demo.tokens}

Try these requests in another terminal:
`)
for (const { title, line } of demo.createRequests(`${origin}${demo.path}`))
  console.log(`# ${title}\n${line}\n`)
console.log('Ctrl-C stops the server.')
