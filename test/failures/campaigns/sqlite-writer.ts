/**
 * Writes the batches of one writer of a ledger workload to a database, until it is killed. Prints the number
 * of each batch after its write has returned. Arguments: file, driver, seed, writer, number of writers.
 */
import { writeSync } from 'node:fs'
import { isGraphError } from 'kithgraph'
import { createSqliteStore } from 'kithgraph/sqlite'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import { createLedgerWorkload } from './common/ledger-workload.ts'
import { createCampaignGraph } from './common/schema.ts'
import { openDatabase } from './common/sqlite-drivers.ts'

const [path = '', driver = '', seed, writerText, writers] = process.argv.slice(2)
const writer = Number(writerText)
const workload = createLedgerWorkload(Number(seed), Number(writers))
const store = createSqliteStore(openDatabase(driver, path))
const graph = createCampaignGraph(store)

/** Whether the write waited too long for another process, and has written nothing. */
const isBusy = (error: unknown): boolean =>
  isGraphError(error) && /database is locked|SQLITE_BUSY/.test(String(error.cause))

const writeOnce = async (batch: number): Promise<boolean> => {
  try {
    await graph.write(workload.createBatch(writer, batch, 0))
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

store.open()
const { nodes } = store.read({ ...EMPTY_REQUEST, nodes: [workload.ledgerIds[writer] ?? ''] })
for (let batch = Number(nodes[0]?.fields.batch) + 1; ; ) {
  if (!(await writeOnce(batch))) continue
  writeSync(1, `${batch}\n`)
  batch++
}
