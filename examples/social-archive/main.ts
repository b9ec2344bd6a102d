/**
 * Loads the archive of a social network, and answers the seven short reads of the social-network workload.
 *
 *     npx tsx examples/social-archive/main.ts ARCHIVE.tar.gz [--store URL] [--json]
 */
import { parseArgs } from 'node:util'
import { openStore } from '../shared/open-store.ts'
import { printJson } from '../shared/print-json.ts'
import { askShortReads, findDiscussion } from './ask.ts'
import { createArchiveGraph } from './graph.ts'
import { loadArchive } from './load.ts'
import { personIds } from './records.ts'

const LONGEST_LIST = 3

/** Answers go on one screen: the cursors and links of every nested page are left out of what is printed. */
const withoutPaging = (answer: object): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value: unknown) => (name === 'paging' ? undefined : value)))

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean' }, store: { type: 'string', default: 'memory:' } },
  allowPositionals: true,
})
const [path] = positionals
if (path === undefined) {
  console.error('Usage: main.ts ARCHIVE.tar.gz [--store URL] [--json]')
  process.exit(2)
}

const store = await openStore(values.store, 'archive').catch((error: Error) => {
  console.error(error.message)
  process.exit(2)
})
const archive = createArchiveGraph(store)
const load = await loadArchive(archive, path)
const reads = await askShortReads(archive, await findDiscussion(archive, personIds(path)))
await archive.graph.close()

if (values.json) {
  console.log(JSON.stringify({ load, reads }, undefined, 2))
} else {
  const { nodes, edges, seconds, recordsPerSecond, peakMegabytes } = load
  console.log(`\
Loaded ${nodes} nodes and ${edges} edges in ${seconds.toFixed(1)} s: ${recordsPerSecond} records/s, ${peakMegabytes} MB at the most.
An edge with two sides is counted once. Tags and organisations were left out: no short read asks for them.
Of the answers below "paging" is left out, and of long lists what is behind the first ${LONGEST_LIST} items.
Times are medians of many runs on this machine, for comparing the reads with each other; they are no benchmark.`)
  for (const { name, question, missing, about, id, fields, answer, milliseconds, waves } of reads) {
    console.log(`\n${name}. ${question}`)
    console.log(`   missing: ${missing}`)
    console.log(`   ${milliseconds.toFixed(3)} ms, waves: ${waves}, ${about}: ${id}, fields:`)
    console.log(`   ${fields}`)
    console.log(printJson(withoutPaging(answer), LONGEST_LIST))
  }
}
