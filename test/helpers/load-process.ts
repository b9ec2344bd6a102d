import { setTimeout as sleep } from 'node:timers/promises'
import { createGraph } from 'kithgraph'
import { openStore } from '../../examples/shared/open-store.ts'
import { manyRecords, RECORDS_OF_ONE } from './many-records.ts'

const FOREVER = 2 ** 31 - 1

/**
 * A process that loads, and writes a line after each batch. Its arguments: a URL, a name, how many people, and `stalling`
 * where it is to wait in front of the last record, so that it is always killed before its end.
 */
const [url = '', name = '', people = '', manner] = process.argv.slice(2)

async function* source() {
  let left = RECORDS_OF_ONE * Number(people)
  for (const record of manyRecords(Number(people))) {
    if (--left === 0 && manner === 'stalling') await sleep(FOREVER)
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
