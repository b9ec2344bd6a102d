import Database from 'better-sqlite3'
import fc from 'fast-check'
import type { SqliteDatabase } from 'kithgraph/sqlite'
import { createTableStore } from 'kithgraph/tables'
import { describeReadOnlyStore } from 'kithgraph/testing'
import { describe, it } from 'vitest'
import { openNodeSqlite } from '../helpers/sqlite-databases.ts'
import { createSqlitePosts, sqlitePostRecords, sqlitePosts } from '../helpers/sqlite-posts.ts'

const runner = { describe, it, fc, runs: process.env.KITHGRAPH_LONG ? 500 : 20 }

const describeClient = (name: string, open: () => SqliteDatabase): void => {
  describeReadOnlyStore(runner, {
    name,
    create: () => {
      const database = open()
      createSqlitePosts(database)
      return createTableStore(database, { tables: sqlitePosts.tables })
    },
    records: sqlitePostRecords,
    keepsTokens: false,
  })
}

describe('a store over tables with hostile names and keys', () => {
  describeClient('better-sqlite3', () => new Database(':memory:'))
  const openNode = openNodeSqlite
  if (openNode === undefined) it.skip(`node:sqlite is not tested: Node ${process.version} lacks it`)
  else describeClient('node:sqlite', () => openNode(':memory:'))
})
