/**
 * Deletes a node with many edges from each store, and prints how long that takes:
 *
 *     npx tsx test/failures/campaigns/delete-hub.ts [--edges 1000000] [--stores memory,sqlite,postgres]
 *
 * Half of the edges begin at the node, and half end there. The other stores are `redis` and `redis-cluster`.
 * The program fails if an edge of the node is left.
 */
import { parseArgs } from 'node:util'
import { isolateTemporaryFiles } from '../../helpers/temporary-files.ts'
import { measureHubDeletion } from './common/hub-deletion.ts'
import { openEmptyStore } from './common/opened-stores.ts'

const { values } = parseArgs({
  options: {
    edges: { type: 'string', default: '1000000' },
    stores: { type: 'string', default: 'memory,sqlite,postgres' },
  },
})
isolateTemporaryFiles()
for (const kind of values.stores.split(',')) {
  const { store, stop } = await openEmptyStore(kind)
  try {
    const { seconds, remainingEdges } = await measureHubDeletion(store, Number(values.edges))
    console.log(`${kind}: a node with ${values.edges} edges is deleted in ${seconds.toFixed(2)} s`)
    if (remainingEdges > 0) console.error(`A law is broken: ${remainingEdges} edges are left`)
    if (remainingEdges > 0) process.exitCode = 1
  } finally {
    await store.close()
    await stop()
  }
}
