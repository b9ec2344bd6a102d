/**
 * Serves the people of a novel over HTTP, with a page to explore them, and prints requests to try:
 *
 *     npm start
 *     PORT=8080 npm start -- --store sqlite:./graph.db
 *
 * Ctrl-C stops it. Without the URL of a store, nothing is kept.
 */
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { openStore } from '../shared/open-store.ts'
import { stopOnSignal } from '../shared/stop-on-signal.ts'
import { createDemo, SCOPES } from './graph.ts'
import { listenOn } from './listen.ts'
import { createListener } from './listener.ts'
import { novelSize } from './novel.ts'
import { createRequests } from './requests.ts'

/** Ends with the message only, since a stack trace would not help the user. */
const endWith = (error: Error): never => {
  console.error(error.message)
  process.exit(2)
}

const { values } = parseArgs({ options: { store: { type: 'string', default: 'memory:' } } })
const store = await openStore(values.store, 'demo').catch(endWith)
const demo = await createDemo(store)
const server = createServer(createListener(demo))
stopOnSignal(server, demo.graph)

const origin = await listenOn(server, process.env.PORT).catch(async error => {
  await demo.graph.close()
  return endWith(error)
})

console.log(`\
The ${novelSize.people} people of Les Misérables are friends if they appear together. Explore them in a browser:

  ${origin}/explorer/

The graph itself is served at

  ${origin}/v1.0

Marius has two tokens, one with the scopes ${SCOPES.join(', ')}, one without scopes:

  ${demo.token}
  ${demo.unscopedToken}

Try, in another terminal:
`)
for (const { title, line } of createRequests(`${origin}/v1.0`, demo)) console.log(`# ${title}\n${line}\n`)
console.log(`All requests: ${origin}/openapi.json. Ctrl-C stops.`)
