import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { createSqliteStore } from 'kithgraph/sqlite'
import { createSampleRecords, describeReadOnlyStore, type StoreRecords } from 'kithgraph/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { toMutations } from '../../src/testing/read-only/store-records.ts'
import { createTemporaryFolder } from '../helpers/sqlite-databases.ts'
import { createTableStore, tableRecords } from '../helpers/table-store.ts'

const runner = { describe, it, fc, runs: process.env.KITHGRAPH_LONG ? 2000 : 10 }

const fill = (database: Database.Database, records: StoreRecords): void => {
  const store = createSqliteStore(database)
  store.open()
  store.write(toMutations(records))
  store.close()
}

/** Creates a store on a database that another store has filled. SQLite itself rejects the writes. */
const createQueryStore = (database: Database.Database): Store => {
  const store = createSqliteStore(database)
  return delegateStore(store, {
    open: () => {
      store.open()
      database.pragma('query_only = on')
    },
    close: () => {
      store.close()
      database.close()
    },
  })
}

describeReadOnlyStore(runner, {
  name: 'SQLite, filled for each test',
  create: records => {
    const database = new Database(':memory:')
    fill(database, records)
    return createQueryStore(database)
  },
})

describe('a database that is filled once', () => {
  const folder = createTemporaryFolder()
  const path = join(folder.path, 'graph.db')
  const records = createSampleRecords()

  beforeAll(() => {
    const database = new Database(path)
    fill(database, records)
    database.close()
  })
  afterAll(folder.remove)

  describeReadOnlyStore(runner, {
    name: 'SQLite',
    create: () => createQueryStore(new Database(path)),
    records,
  })
})

describeReadOnlyStore(runner, {
  name: 'the tables of an application',
  create: createTableStore,
  records: tableRecords,
})
