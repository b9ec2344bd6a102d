import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createPostgresStore } from 'kithgraph/postgres'
import { createSqliteStore, type SqliteDatabase } from 'kithgraph/sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { createTemporaryFolder } from '../helpers/sqlite-databases.ts'

const NODE_COUNT = process.env.KITHGRAPH_LONG ? 1000 : 60
const TEXT = 'x'.repeat(600_000)
/** The maximum size of a page, with room for keys and quotes. */
const MAX_PAGE_LENGTH = 8 * 1024 * 1024 + 2 * TEXT.length

const folder = createTemporaryFolder()
let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(async () => {
  folder.remove()
  await server?.stop()
})

/** Writes large nodes, and a large edge from each node to itself. */
const writeRecords = async (store: Store): Promise<void> => {
  await store.open()
  for (let index = 1; index <= NODE_COUNT; index++) {
    const id = `${index}`
    const data = { text: TEXT }
    await store.write(
      [
        { op: 'putNode', node: { id, type: 'user', fields: data } },
        { op: 'putEdge', edge: { source: id, name: 'self', target: id, time: 0, data } },
      ],
      { signal: undefined },
    )
  }
}

const countLines = async (lines: AsyncIterable<string> | Iterable<string>) => {
  let count = 0
  for await (const line of lines) if (line.includes(TEXT)) count++
  return count
}

/** Opens a connection that reports the length of each text that it returns. */
const openMeasured = (path: string, onText: (length: number) => void): SqliteDatabase => {
  const database = new Database(path)
  return {
    exec: sql => database.exec(sql),
    close: () => database.close(),
    prepare: sql => {
      const statement = database.prepare(sql)
      return {
        run: (...values) => statement.run(...values),
        get: (...values) => {
          const row: unknown = statement.get(...values)
          onText(JSON.stringify(row ?? '').length)
          return row
        },
      }
    },
  }
}

describe(`the dump of ${NODE_COUNT} nodes and edges of 600 KB`, () => {
  it('is complete in SQLite, and no statement returns more than one page', async () => {
    const path = join(folder.path, 'large.db')
    let longest = 0
    const connect = () =>
      openMeasured(path, length => {
        longest = Math.max(longest, length)
      })
    const database = new Database(path)
    const store = createSqliteStore(database, { connect })
    await writeRecords(store)
    expect(await countLines(store.dump())).toBe(2 * NODE_COUNT)
    expect(longest).toBeGreaterThan(TEXT.length)
    expect(longest).toBeLessThan(MAX_PAGE_LENGTH)
    store.close()
    database.close()
  })

  it('is complete in Postgres, and no statement returns more than one page', async () => {
    let longest = 0
    class MeasuredClient extends pg.Client {
      override query(...given: unknown[]): never {
        const result: unknown = Reflect.apply(super.query, this, given)
        if (result instanceof Promise)
          result.then(
            ({ rows }) => {
              longest = Math.max(longest, JSON.stringify(rows ?? []).length)
            },
            () => undefined,
          )
        return result as never
      }
    }
    const store = createPostgresStore(server.pool({ Client: MeasuredClient }))
    await writeRecords(store)
    expect(await countLines(await store.dump())).toBe(2 * NODE_COUNT)
    expect(longest).toBeGreaterThan(TEXT.length)
    expect(longest).toBeLessThan(MAX_PAGE_LENGTH)
    await store.close()
  })
})
