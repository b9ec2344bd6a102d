import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createSqliteStore } from 'kithgraph/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mutation, NodeRecord, Store } from '../../../src/store/contract.ts'
import { guardStore } from '../../../src/store/guard.ts'
import { NOTHING } from '../../../src/store/nothing.ts'
import { batchOf } from '../../helpers/sqlite-batches.ts'
import { createFolder } from '../../helpers/sqlite-databases.ts'

const WRITE = { signal: undefined }
const READ = { signal: undefined, deadline: undefined, atLeast: undefined }

let folder = createFolder()
let path = ''
beforeEach(() => {
  folder = createFolder()
  path = join(folder.path, 'graph.db')
})
afterEach(() => folder.remove())

const write = async (store: Store, ...mutations: readonly Mutation[]) => await store.write(mutations, WRITE)
const nodeOf = async (store: Store, id: string): Promise<NodeRecord | undefined> =>
  (await store.read({ ...NOTHING, nodes: [id] }, READ)).nodes[0]
const putNode = (id: string, fields = {}): Mutation => ({ op: 'putNode', node: { id, type: 'user', fields } })

/** The fault that is documented, with what SQLite or the store said of it as its cause. */
const storeFault = (cause: object) => ({
  data: { reason: 'store_fault' },
  cause: expect.objectContaining(cause),
})
const saying = (text: string) => storeFault({ message: expect.stringContaining(text) })

/** A database as a store leaves it. */
const createDatabase = async (): Promise<void> => {
  const database = new Database(path)
  const store = createSqliteStore(database)
  store.open()
  store.write([putNode('1', { name: 'Ada' })])
  database.close()
}

/** Opens what is at the path, and says what becomes of that. */
const opening = async (options: Database.Options = {}): Promise<void> => {
  const database = new Database(path, options)
  try {
    await guardStore(createSqliteStore(database)).open()
  } finally {
    database.close()
  }
}

describe('a database that cannot be used is refused when it is opened', () => {
  it('a file that is no database', async () => {
    writeFileSync(path, 'once upon a time there was a file that was no database at all')
    await expect(opening()).rejects.toMatchObject(storeFault({ code: 'SQLITE_NOTADB' }))
  })

  it('a database of somebody else, of which nothing is changed', async () => {
    const other = new Database(path)
    other.exec('create table nodes (id)')
    await expect(opening()).rejects.toMatchObject(saying('expected an empty database or one of kithgraph'))
    expect(other.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'nodes' }])
    expect(other.pragma('journal_mode', { simple: true })).toBe('delete')
    other.close()
  })

  it('a database of a newer version', async () => {
    await createDatabase()
    const newer = new Database(path)
    newer.pragma('user_version = 99')
    newer.close()
    await expect(opening()).rejects.toMatchObject(saying('version 1 or older, came 99'))
  })

  it('one that misses a table', async () => {
    await createDatabase()
    const database = new Database(path)
    database.exec('drop table edges')
    database.close()
    await expect(opening()).rejects.toMatchObject(saying('no such table: edges'))
  })

  it('an empty one that cannot be written', async () => {
    new Database(path).exec('vacuum').close()
    await expect(opening({ readonly: true })).rejects.toMatchObject(storeFault({ code: 'SQLITE_READONLY' }))
  })
})

describe('a database that can be read but not written', () => {
  it('a file that is read-only answers reads', async () => {
    await createDatabase()
    const database = new Database(path, { readonly: true })
    const store = guardStore(createSqliteStore(database))
    expect(await nodeOf(store, '1')).toEqual({ id: '1', type: 'user', fields: { name: 'Ada' } })
    await expect(write(store, putNode('2'))).rejects.toMatchObject(storeFault({ code: 'SQLITE_READONLY' }))
    expect(await nodeOf(store, '2')).toBeUndefined()
    database.close()
  })

  it('one that another process has locked answers reads, and writes again when it is free', async () => {
    await createDatabase()
    const database = new Database(path)
    const store = guardStore(createSqliteStore(database))
    await store.open()
    database.pragma('busy_timeout = 20')
    const other = new Database(path)
    other.exec('begin immediate')
    await expect(write(store, putNode('2'))).rejects.toMatchObject(storeFault({ code: 'SQLITE_BUSY' }))
    expect(await nodeOf(store, '1')).toBeDefined()
    other.exec('commit')
    other.close()
    await write(store, putNode('2'))
    expect(await nodeOf(store, '2')).toBeDefined()
    database.close()
  })

  it('a full disk takes nothing of a batch, and keeps what was there', async () => {
    await createDatabase()
    const database = new Database(path)
    const store = guardStore(createSqliteStore(database))
    await store.open()
    const pages = database.pragma('page_count', { simple: true })
    database.pragma(`max_page_count = ${pages}`)
    const large = putNode('2', { text: 'x'.repeat(100_000) })
    await expect(write(store, putNode('1', {}), large)).rejects.toMatchObject(
      storeFault({ code: 'SQLITE_FULL' }),
    )
    expect(await nodeOf(store, '1')).toMatchObject({ fields: { name: 'Ada' } })
    database.pragma('max_page_count = 100000')
    await write(store, ...batchOf('2', 1))
    expect(await nodeOf(store, '2')).toMatchObject({ fields: { batch: 1 } })
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    database.close()
  })
})
