/**
 * Writes batches of `describeStoreFailures` to a store until it is killed:
 *
 *     node --import tsx test/helpers/failure-writer.ts URL NAME TASK
 */
import { writeUntilKilled } from 'kithgraph/testing'
import { openStore } from '../../examples/shared/open-store.ts'

const [url = '', name = '', task = ''] = process.argv.slice(2)
const store = await openStore(url, name)
await store.open()
await writeUntilKilled(
  store,
  task,
  line => new Promise<void>(resolve => process.stdout.write(line, () => resolve())),
)
