import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createSqliteStore } from 'kithgraph/sqlite'
import { createGraphReader, fillStore, toMutations } from '../contenders/graph.ts'
import { createPointReader, createStatementReader } from '../contenders/sqlite-readers.ts'
import { createTokenKeys } from '../contenders/token-keys.ts'
import { createSocialData } from '../data/social-data.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import { temporaryFolder } from '../servers/temporary-folder.ts'
import { comparePhotos } from './compare-photos.ts'
import type { Row } from './row.ts'

/**
 * The number of reads per viewer before the measurement. After these reads, V8 has compiled the code of all
 * contenders, as in a service that has run for a while.
 */
const WARM_UP = 80

export const createSqliteRow = (shutdown: Shutdown): Row => ({
  name: 'stores-sqlite',
  title: 'the query for 71 nodes from a SQLite file',
  async measure() {
    const path = join(temporaryFolder(shutdown), 'graph.db')
    // Each contender gets its own connection.
    const connect = () => {
      const database = new Database(path)
      shutdown.add(() => database.close())
      return database
    }
    const data = createSocialData()
    const store = createSqliteStore(connect())
    store.open()
    await fillStore(store, toMutations(data))
    const graph = await createGraphReader('kithgraph over SQLite', store, data.viewers)
    const byPoints = createPointReader(connect())
    const byStatement = createStatementReader(connect())
    const keys = createTokenKeys(graph, data.viewers)
    for (let round = 0; round < WARM_UP; round++) {
      for (const [viewer, key] of keys) {
        await graph.getPhotos(viewer)
        byPoints(key)
        byStatement(key)
      }
    }
    return comparePhotos(data.viewers, graph, [
      { name: 'hand-written, one statement per record', read: byPoints, bar: { max: 0.6 } },
      { name: 'hand-written, one statement in total', read: byStatement, bar: { max: 1.1 } },
    ])
  },
})
