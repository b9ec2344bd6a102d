import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createSqliteStore } from 'kithgraph/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NodeRecord, Store } from '../../../src/store/contract.ts'
import { guardStore } from '../../../src/store/guard.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import { createBatch } from '../../helpers/sqlite-batches.ts'
import { createTemporaryFolder } from '../../helpers/sqlite-databases.ts'

const WRITE = { signal: undefined }
const READ = { signal: undefined, deadline: undefined, minRevision: undefined }

let folder = createTemporaryFolder()
let path = ''
beforeEach(() => {
  folder = createTemporaryFolder()
  path = join(folder.path, 'graph.db')
})
afterEach(() => folder.remove())

const write = async (store: Store, ...mutations: readonly StoreMutation[]) =>
  await store.write(mutations, WRITE)
const readNode = async (store: Store, id: string): Promise<NodeRecord | undefined> =>
  (await store.read({ ...EMPTY_REQUEST, nodes: [id] }, READ)).nodes[0]
const putNode = (id: string, fields = {}): StoreMutation => ({
  op: 'putNode',
  node: { id, type: 'user', fields },
})

/** Matches the documented error with an error of SQLite or of the store as its cause. */
const storeError = (cause: object) => ({
  reason: 'store_error',
  cause: expect.objectContaining(cause),
})
const errorWithText = (text: string) => storeError({ message: expect.stringContaining(text) })

/** Creates a database with one node, as a store writes it. */
const createDatabase = async (): Promise<void> => {
  const database = new Database(path)
  const store = createSqliteStore(database)
  store.open()
  store.write([putNode('1', { name: 'Ada' })])
  database.close()
}

/** Opens a store on the file at the path. */
const openStoreAtPath = async (options: Database.Options = {}): Promise<void> => {
  const database = new Database(path, options)
  try {
    await guardStore(createSqliteStore(database)).open()
  } finally {
    database.close()
  }
}

describe('opening a SQLite database of an older version', () => {
  it('adds the tables that it lacks, and keeps its data', async () => {
    await createDatabase()
    const older = new Database(path)
    older.exec('drop table batches; drop table flags; pragma user_version = 1')
    older.close()
    const database = new Database(path)
    const store = createSqliteStore(database)
    store.open()
    const batch = { id: 'a', digest: 'b', keepMs: 1000 }
    store.write([{ op: 'patchNode', id: '1', fields: { name: 'Grace' } }], { signal: undefined, batch })
    expect(await readNode(store, '1')).toMatchObject({ fields: { name: 'Grace' } })
    database.close()
  })
})

describe('opening a SQLite database that cannot be used', () => {
  it('fails for a file that is not a database', async () => {
    writeFileSync(path, 'This file is a text, and its length is more than that of a database header.')
    await expect(openStoreAtPath()).rejects.toMatchObject(storeError({ code: 'SQLITE_NOTADB' }))
  })

  it('fails for a database of another program, and changes nothing', async () => {
    const other = new Database(path)
    other.exec('create table nodes (id)')
    await expect(openStoreAtPath()).rejects.toMatchObject(
      errorWithText('expected an empty database or one of kithgraph'),
    )
    expect(other.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'nodes' }])
    expect(other.pragma('journal_mode', { simple: true })).toBe('delete')
    other.close()
  })

  it('fails for a database of a newer version', async () => {
    await createDatabase()
    const newer = new Database(path)
    newer.pragma('user_version = 99')
    newer.close()
    await expect(openStoreAtPath()).rejects.toMatchObject(
      errorWithText('version 3 or older; received version 99'),
    )
  })

  it('fails for a database without one of its tables', async () => {
    await createDatabase()
    const database = new Database(path)
    database.exec('drop table edges')
    database.close()
    await expect(openStoreAtPath()).rejects.toMatchObject(errorWithText('no such table: edges'))
  })

  it('fails for an empty database that cannot be written', async () => {
    new Database(path).exec('vacuum').close()
    await expect(openStoreAtPath({ readonly: true })).rejects.toMatchObject(
      storeError({ code: 'SQLITE_READONLY' }),
    )
  })
})

describe('a SQLite database that can be read but not written', () => {
  it('serves reads from a read-only file', async () => {
    await createDatabase()
    const database = new Database(path, { readonly: true })
    const store = guardStore(createSqliteStore(database))
    expect(await readNode(store, '1')).toEqual({ id: '1', type: 'user', fields: { name: 'Ada' } })
    await expect(write(store, putNode('2'))).rejects.toMatchObject(storeError({ code: 'SQLITE_READONLY' }))
    expect(await readNode(store, '2')).toBeUndefined()
    database.close()
  })

  it('serves reads while another connection has the write lock, and writes after its release', async () => {
    await createDatabase()
    const database = new Database(path)
    const store = guardStore(createSqliteStore(database))
    await store.open()
    database.pragma('busy_timeout = 20')
    const other = new Database(path)
    other.exec('begin immediate')
    await expect(write(store, putNode('2'))).rejects.toMatchObject(storeError({ code: 'SQLITE_BUSY' }))
    expect(await readNode(store, '1')).toBeDefined()
    other.exec('commit')
    other.close()
    await write(store, putNode('2'))
    expect(await readNode(store, '2')).toBeDefined()
    database.close()
  })

  it('writes nothing of a batch on a full disk, and keeps the existing data', async () => {
    await createDatabase()
    const database = new Database(path)
    const store = guardStore(createSqliteStore(database))
    await store.open()
    const pages = database.pragma('page_count', { simple: true })
    database.pragma(`max_page_count = ${pages}`)
    const large = putNode('2', { text: 'x'.repeat(100_000) })
    await expect(write(store, putNode('1', {}), large)).rejects.toMatchObject(
      storeError({ code: 'SQLITE_FULL' }),
    )
    expect(await readNode(store, '1')).toMatchObject({ fields: { name: 'Ada' } })
    database.pragma('max_page_count = 100000')
    await write(store, ...createBatch('2', 1))
    expect(await readNode(store, '2')).toMatchObject({ fields: { batch: 1 } })
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    database.close()
  })
})
