import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createSqliteStore } from 'kithgraph/sqlite'
import { createGraphReader, fillStore, mutationsOf } from '../contenders/graph.ts'
import { createPointReader, createStatementReader } from '../contenders/sqlite-readers.ts'
import { tokenKeysOf } from '../contenders/token-keys.ts'
import { createSocialData } from '../data/social-data.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import { temporaryFolder } from '../servers/temporary-folder.ts'
import { comparePhotos } from './compare-photos.ts'
import type { Row } from './row.ts'

/** Reads by each viewer before anything is timed: all contenders are compiled by then, as in a service that has run a while. */
const WARM_UP = 80

export const createSqliteRow = (shutdown: Shutdown): Row => ({
  name: 'stores-sqlite',
  title: '71 nodes in 4 levels from a SQLite file, beside hand-written code over the same file',
  async measure() {
    const path = join(temporaryFolder(shutdown), 'graph.db')
    // All are given the same: a connection of their own.
    const connect = () => {
      const database = new Database(path)
      shutdown.add(() => database.close())
      return database
    }
    const data = createSocialData()
    const store = createSqliteStore(connect())
    store.open()
    await fillStore(store, mutationsOf(data))
    const graph = await createGraphReader('kithgraph over SQLite', store, data.viewers)
    const byPoints = createPointReader(connect())
    const byStatement = createStatementReader(connect())
    const keys = tokenKeysOf(graph, data.viewers)
    for (let round = 0; round < WARM_UP; round++) {
      for (const [viewer, key] of keys) {
        await graph.getPhotos(viewer)
        byPoints(key)
        byStatement(key)
      }
    }
    return comparePhotos(data.viewers, graph, [
      { name: 'point reads by hand', read: byPoints, bar: { atMost: 0.6 } },
      { name: 'one statement by hand', read: byStatement, bar: { atMost: 1.1 } },
    ])
  },
})
