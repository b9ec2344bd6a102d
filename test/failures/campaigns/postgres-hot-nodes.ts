/**
 * Lets many writers delete, put and connect the same few nodes in Postgres, each in batches of ten mutations,
 * and prints how long a batch takes:
 *
 *     npx tsx test/failures/campaigns/postgres-hot-nodes.ts [--seconds 20] [--seed 1] [--writers 16]
 *       [--nodes 50]
 *
 * The writers use one process and one pool. Every node exists before and after each batch, so no batch may
 * fail. The program fails if one does, if the server has detected a deadlock, or if mirrors, reverse entries
 * or counts do not match the edges.
 */
import { parseArgs } from 'node:util'
import { isolateTemporaryFiles } from '../../helpers/temporary-files.ts'
import { runHotNodes } from './common/run-hot-nodes.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    writers: { type: 'string', default: '16' },
    nodes: { type: 'string', default: '50' },
  },
})
isolateTemporaryFiles()
const { batches, failures, p50, p99, longest, deadlocks, rollbacks, differences } = await runHotNodes({
  seconds: Number(values.seconds),
  seed: Number(values.seed),
  writers: Number(values.writers),
  nodes: Number(values.nodes),
})
console.log(`${batches} batches of ${values.writers} writers on ${values.nodes} nodes, seed ${values.seed}`)
console.log(`ms per batch: median ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, longest ${longest.toFixed(1)}`)
console.log(
  `batches that failed: ${failures}; deadlocks: ${deadlocks}; transactions that were rolled back and repeated: ${rollbacks}`,
)
console.log(`differences between edges, mirrors, reverse entries and counts: ${differences}`)
if (failures + deadlocks + differences > 0) process.exitCode = 1
