import { join } from 'node:path'
import fc from 'fast-check'
import { createSqliteStore, type SqliteStore } from 'kithgraph/sqlite'
import { describeStore } from 'kithgraph/testing'
import { describe, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'
import { createFolder, type OpenDatabase, ownDatabase } from './sqlite-databases.ts'

/** How often each property is tried: a database each time. */
const runs = process.env.KITHGRAPH_LONG ? 2000 : 20

/** A store in a file, with snapshots. */
const inFile = (open: OpenDatabase): SqliteStore => {
  const folder = createFolder()
  const connect = () => open(join(folder.path, 'graph.db'))
  const database = connect()
  return ownDatabase(createSqliteStore(database, { connect }), database, folder.remove)
}

/** A store in memory, which has no second connection. */
const inMemory = (open: OpenDatabase): SqliteStore => {
  const database = open(':memory:')
  return ownDatabase(createSqliteStore(database), database, () => {})
}

/** Declares the conformance suite over a driver: bare and guarded, with snapshots and without. */
export const describeSqlite = (driver: string, open: OpenDatabase): void => {
  const runner = { describe, it, fc, runs }
  describeStore(runner, { name: `${driver}, a file`, create: () => inFile(open) })
  describeStore(runner, {
    name: `${driver}, in memory and guarded`,
    create: () => guardStore(inMemory(open)),
  })
  describeStore(runner, { name: `${driver}, a file and guarded`, create: () => guardStore(inFile(open)) })
}
