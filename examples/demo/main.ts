/**
 * Serves the people of a novel over HTTP, with the Explorer, and prints requests to try:
 *
 *     npm start
 *     PORT=8080 npm start -- --store sqlite:./graph.db
 *     npm start -- --help
 *
 * Ctrl-C stops the server. Without `--store`, the graph is in memory and ends with the server.
 */
import { createServer } from 'node:http'
import { stopOnSignal } from '../shared/stop-on-signal.ts'
import { exitWithError, openStoreOf } from './command-line.ts'
import { createDemo, SCOPES } from './graph.ts'
import { listenOn } from './listen.ts'
import { createListener } from './listener.ts'
import { novelSize } from './novel.ts'
import { createRequests } from './requests.ts'

const store = await openStoreOf({
  name: 'npm start',
  description: 'Serves the people of a novel over HTTP, with the Explorer at /explorer/.',
  environment: '  PORT         the port of the server (default: 4000); 0 selects a free port',
})
const demo = await createDemo(store)
const server = createServer(createListener(demo))
stopOnSignal(server, demo.graph)

const origin = await listenOn(server, process.env.PORT).catch(async error => {
  await demo.graph.close()
  return exitWithError(error)
})

console.log(`\
The graph has the ${novelSize.people} people of Les Misérables. Two people who appear together are friends.

Explorer:  ${origin}/explorer/
Graph API: ${origin}/v1.0
OpenAPI:   ${origin}/openapi.json

Two access tokens of Marius. The first has the scopes ${SCOPES.join(', ')}.
The second has no scopes.

  ${demo.token}
  ${demo.unscopedToken}

Try these requests in another terminal:
`)
for (const { title, line } of createRequests(`${origin}/v1.0`, demo)) console.log(`# ${title}\n${line}\n`)
console.log('Ctrl-C stops the server.')
