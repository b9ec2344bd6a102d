import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createTableStore } from 'kithgraph/tables'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../../src/store/requests.ts'
import { createTemporaryFolder } from '../../helpers/sqlite-databases.ts'
import { SHOP_DDL, SHOP_SESSION, shop } from '../../helpers/sqlite-shop.ts'
import { studio } from '../../helpers/table-declaration.ts'

const OPTIONS = { ...UNTIMED_OPTIONS, session: { ...SHOP_SESSION, issuedAt: 0, expiresAt: undefined } }
const REQUEST = { ...EMPTY_REQUEST, nodes: ['customer-1'] }

describe('a store over tables of SQLite', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  let open: () => Database.Database
  let database: Database.Database

  beforeEach(() => {
    folder = createTemporaryFolder()
    open = () => new Database(join(folder.path, 'shop.db'))
    database = open()
    database.pragma('journal_mode = wal')
    database.exec(`${SHOP_DDL} insert into customer (id, tenant, name) values (1, 1, 'before')`)
  })
  afterEach(() => {
    database.close()
    folder.remove()
  })

  it('shows the state of its snapshot, and the newest state in other reads', async () => {
    const store = createTableStore(database, { tables: shop.tables, connect: open })
    const snapshot = await store.snapshot({ session: OPTIONS.session })
    database.exec("update customer set name = 'after'")
    const [inSnapshot, now] = [await snapshot.read(REQUEST, OPTIONS), await store.read(REQUEST, OPTIONS)]
    expect([inSnapshot, now].map(({ nodes }) => nodes[0]?.fields.name)).toEqual(['before', 'after'])
    await snapshot.close()
    await expect(async () => snapshot.read(REQUEST, OPTIONS)).rejects.toThrow(TypeError)
    await store.close()
  })

  it('keeps reading while tables get new columns, and fails only reads of a column that is gone', async () => {
    const store = createTableStore(database, { tables: shop.tables })
    await store.read(REQUEST, OPTIONS)
    database.exec('alter table customer add column more text; alter table customer drop column avatar')
    const fields = new Map([['customer', new Set(['name'])]])
    expect((await store.read({ ...REQUEST, fields }, OPTIONS)).nodes[0]?.fields).toEqual({ name: 'before' })
    await expect(async () => store.read(REQUEST, OPTIONS)).rejects.toThrow(/no such column: node.avatar/)
  })

  it('does not change the settings of its connection', async () => {
    database.pragma('synchronous = off')
    await createTableStore(database, { tables: shop.tables }).read(REQUEST, OPTIONS)
    expect(database.pragma('synchronous', { simple: true })).toBe(0)
  })

  it('reads the rows of an open transaction of its connection, and leaves it open, even after an error', async () => {
    const store = createTableStore(database, { tables: shop.tables })
    const readName = async (): Promise<unknown> => (await store.read(REQUEST, OPTIONS)).nodes[0]?.fields.name
    database.exec("begin; update customer set name = 'within'")
    expect(await readName()).toBe('within')
    database.exec('alter table customer drop column avatar')
    await expect(async () => store.read(REQUEST, OPTIONS)).rejects.toThrow(/no such column/)
    expect(database.inTransaction).toBe(true)
    database.exec('rollback')
    expect(await readName()).toBe('before')
    expect(database.inTransaction).toBe(false)
  })

  it('reads synchronously', () => {
    const result = createTableStore(database, { tables: shop.tables }).read(REQUEST, OPTIONS)
    expect(result).toHaveProperty('nodes')
  })

  it('has no snapshots without "connect"', async () => {
    const store = createTableStore(database, { tables: shop.tables })
    expect(store.capabilities.snapshots).toBe(false)
    await expect(async () => store.snapshot()).rejects.toThrow(/"connect" must be given for a snapshot/)
  })

  it('rejects a path, and does not show it, since it may be a URL with a password', () => {
    expect(() =>
      createTableStore('postgres://reader:secret@host/db' as never, { tables: shop.tables }),
    ).toThrow(
      new TypeError(
        'createTableStore: "database" must be an open database: a Pool of pg, a PGlite, a Database of better-sqlite3 or a DatabaseSync of node:sqlite; received a string',
      ),
    )
  })

  it.each([{}, null])('rejects %j as the store of tokens', tokens => {
    const options = { tables: shop.tables, tokens: tokens as never }
    expect(() => createTableStore(database, options)).toThrow(/^createTableStore: "tokens" must be a store/)
  })

  it('rejects tables of Postgres, and the options of Postgres', () => {
    expect(() => createTableStore(database, { tables: studio.tables })).toThrow(
      /"tables" must be tables of a description with the dialect sqlite/,
    )
    expect(() => createTableStore(database, { tables: shop.tables, settings: () => ({}) })).toThrow(
      /"settings" must be left out for SQLite/,
    )
  })
})
