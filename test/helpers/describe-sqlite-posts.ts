import fc from 'fast-check'
import type { SqliteDatabase } from 'kithgraph/sqlite'
import { createTableStore } from 'kithgraph/tables'
import { describeReadOnlyStore } from 'kithgraph/testing'
import { describe, it } from 'vitest'
import { createSqlitePosts, sqlitePostRecords, sqlitePosts } from './sqlite-posts.ts'

const runner = { describe, it, fc, runs: process.env.KITHGRAPH_LONG ? 500 : 20 }

/** Tests a store over tables with hostile names and keys, with one client of SQLite. */
export const describeSqlitePosts = (name: string, open: () => SqliteDatabase): void => {
  describe('a store over tables with hostile names and keys', () => {
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
  })
}
