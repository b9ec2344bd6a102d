import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createSqliteStore } from 'kithgraph/sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../../helpers/sqlite-databases.ts'

const folder = createTemporaryFolder()
afterAll(folder.remove)

/** Returns the busy timeout of a connection after a store has opened it. */
const busyTimeoutAfterOpen = (timeoutMs: number): unknown => {
  const database = new Database(join(folder.path, `${timeoutMs}.db`), { timeout: timeoutMs })
  createSqliteStore(database).open()
  const busyTimeout = database.pragma('busy_timeout', { simple: true })
  database.close()
  return busyTimeout
}

describe('the busy timeout of a SQLite connection', () => {
  it('stays as the owner of the connection set it', () => {
    expect(busyTimeoutAfterOpen(123)).toBe(123)
  })

  it('is two seconds if the connection has none', () => {
    expect(busyTimeoutAfterOpen(0)).toBe(2000)
  })
})
