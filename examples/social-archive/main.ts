/**
 * Loads an archive of a social network, and runs the seven short reads of the LDBC social-network workload:
 *
 *     npx tsx examples/social-archive/main.ts ARCHIVE.tar.gz [--store URL] [--json]
 */
import { parseArgs } from 'node:util'
import { openStore } from '../shared/open-store.ts'
import { printJson } from '../shared/print-json.ts'
import { createArchiveGraph } from './graph.ts'
import { loadArchive } from './load.ts'
import { readPersonIds } from './records.ts'
import { findDiscussion, runShortReads } from './run-short-reads.ts'

const LONGEST_LIST = 3

/** Removes the cursors and links of nested pages, so that a result fits on one screen. */
const withoutPaging = (result: object): unknown =>
  JSON.parse(JSON.stringify(result, (name, value: unknown) => (name === 'paging' ? undefined : value)))

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
const reads = await runShortReads(archive, await findDiscussion(archive, readPersonIds(path)))
await archive.graph.close()

if (values.json) {
  console.log(JSON.stringify({ load, reads }, undefined, 2))
} else {
  const { nodes, edges, seconds, recordsPerSecond, peakMegabytes } = load
  console.log(`\
Loaded ${nodes} nodes and ${edges} edges in ${seconds.toFixed(1)} s: ${recordsPerSecond} records/s, ${peakMegabytes} MB of memory at most.
An edge that is kept on both sides counts once. Tags and organisations are not loaded, because no short read needs them.
The results below omit "paging", and all but the first ${LONGEST_LIST} items of long lists.
Each time is the median of many runs. Use the times only to compare the reads with each other.`)
  for (const {
    name,
    description,
    missing,
    about,
    id,
    fields,
    result,
    milliseconds,
    reads: readCount,
  } of reads) {
    console.log(`\n${name}. ${description}`)
    console.log(`   missing: ${missing}`)
    console.log(`   ${milliseconds.toFixed(3)} ms, store reads: ${readCount}, ${about}: ${id}, fields:`)
    console.log(`   ${fields}`)
    console.log(printJson(withoutPaging(result), LONGEST_LIST))
  }
}
