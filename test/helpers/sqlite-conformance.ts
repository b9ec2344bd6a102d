import { join } from 'node:path'
import fc from 'fast-check'
import type { IdKind } from 'kithgraph'
import { createSqliteStore, type SqliteStore } from 'kithgraph/sqlite'
import { describeStore } from 'kithgraph/testing'
import { describe, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'
import { closeDatabaseWithStore, createTemporaryFolder, type OpenDatabase } from './sqlite-databases.ts'

/** The number of runs of each property. Each run creates a database. */
const runs = process.env.KITHGRAPH_LONG ? 2000 : 20

/** Creates a store in a file, with snapshots. */
const createFileStore = (open: OpenDatabase, ids: IdKind = 'digits'): SqliteStore => {
  const folder = createTemporaryFolder()
  const connect = () => open(join(folder.path, 'graph.db'))
  const database = connect()
  return closeDatabaseWithStore(createSqliteStore(database, { connect, ids }), database, folder.remove)
}

/** Creates a store in memory, which cannot have a second connection. */
const createInMemoryStore = (open: OpenDatabase, ids: IdKind = 'digits'): SqliteStore => {
  const database = open(':memory:')
  return closeDatabaseWithStore(createSqliteStore(database, { ids }), database, () => {})
}

/** Declares the conformance suite for a driver: with and without a guard, with and without snapshots. */
export const describeSqlite = (driver: string, open: OpenDatabase): void => {
  const runner = { describe, it, fc, runs }
  describeStore(runner, { name: `${driver}, a file`, create: () => createFileStore(open) })
  describeStore(runner, {
    name: `${driver}, in memory and guarded`,
    create: () => guardStore(createInMemoryStore(open)),
  })
  describeStore(runner, {
    name: `${driver}, a file and guarded`,
    create: () => guardStore(createFileStore(open)),
  })
  describeStore(runner, {
    name: `${driver}, a file of named ids`,
    create: () => createFileStore(open, 'named'),
  })
}
