import { setTimeout as sleep } from 'node:timers/promises'
import { createGraph } from 'kithgraph'
import { openStore } from '../../examples/shared/open-store.ts'
import { generateRecords, RECORDS_PER_PERSON } from './generated-records.ts'

const FOREVER = 2 ** 31 - 1

/**
 * A process that loads records and prints a line after each batch. Its arguments are a URL, a name, the
 * number of people, and optionally `stalling`: it then waits forever before the last record, until a test
 * kills it.
 */
const [url = '', name = '', people = '', mode] = process.argv.slice(2)

async function* source() {
  let recordsLeft = RECORDS_PER_PERSON * Number(people)
  for (const record of generateRecords(Number(people))) {
    if (--recordsLeft === 0 && mode === 'stalling') await sleep(FOREVER)
    yield record
  }
}

await using graph = createGraph(await openStore(url, name))
await graph.load(source(), {
  onProgress: ({ nodes, edges }) => {
    globalThis.gc?.()
    const { heapUsed: alive, rss: resident } = process.memoryUsage()
    console.log(JSON.stringify({ nodes, edges, alive, resident }))
  },
})
