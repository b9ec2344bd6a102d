/**
 * Serves the people of a novel over HTTP, with a page to look at them, and prints requests to try:
 *
 *     npm start
 *     PORT=8080 npm start -- --store sqlite:./graph.db
 *
 * Ctrl-C stops it. Without a store named by its URL, nothing is left afterwards.
 */
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { openStore } from '../shared/open-store.ts'
import { stopOnSignal } from '../shared/stop-on-signal.ts'
import { createDemo, SCOPES } from './graph.ts'
import { listenOn } from './listen.ts'
import { createListener } from './listener.ts'
import { novelSize } from './novel.ts'
import { requestsTo } from './requests.ts'

/** Ends with a message alone: what went wrong is nothing that the code could be changed for. */
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
The ${novelSize.people} people of Les Misérables are friends where they appear together. Look at them in a browser:

  ${origin}/explorer/

The graph itself is served at

  ${origin}/v1.0

Two tokens are for Marius, one with the scopes ${SCOPES.join(', ')}, one without any:

  ${demo.token}
  ${demo.bareToken}

Try, in another terminal:
`)
for (const { title, line } of requestsTo(`${origin}/v1.0`, demo)) console.log(`# ${title}\n${line}\n`)
console.log(`All that can be asked: ${origin}/openapi.json. Ctrl-C stops.`)
