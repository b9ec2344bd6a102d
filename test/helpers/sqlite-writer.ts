/**
 * Writes one batch after another to a database, until it is killed, and prints the number of each finished
 * batch:
 *
 *     node --import tsx test/helpers/sqlite-writer.ts FILE HUB
 */
import { writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { createBatch } from './sqlite-batches.ts'

const [path = '', hub = ''] = process.argv.slice(2)
const store = createSqliteStore(new Database(path))
store.open()
for (let batch = 1; ; batch++) {
  store.write(createBatch(hub, batch))
  writeSync(1, `${batch}\n`)
}
