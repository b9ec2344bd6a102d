import { once } from 'node:events'
import { isGraphError } from 'kithgraph'
import { openStore } from '../../examples/shared/open-store.ts'
import { openCountedFeed, publish } from './counted-feed.ts'

/**
 * A process that calls an action with one key many times at once. Its arguments are the URL and the name of a store,
 * the key, the message, the number of calls, and optionally the point of the run at which the process dies. It prints
 * `ready`, waits for its input, and prints its distinct results as JSON.
 */
const [url = '', name = '', key = '', message = '', count = '1', death] = process.argv.slice(2)

await using graph = openCountedFeed(await openStore(url, name), point => {
  if (point === death) process.kill(process.pid, 'SIGKILL')
})
console.log('ready')
await once(process.stdin, 'data')
const results = await Promise.all(
  Array.from({ length: Number(count) }, () =>
    publish(graph, key, message).catch((error: unknown) => {
      if (!isGraphError(error)) throw error
      return `${error.reason} ${error.data.failure}`
    }),
  ),
)
console.log(JSON.stringify([...new Set(results)]))
process.stdin.destroy()
