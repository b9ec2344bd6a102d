import Database from 'better-sqlite3'
import { createGraph } from 'kithgraph'
import type { SqliteDatabase } from 'kithgraph/sqlite'
import { back, createTableStore, defineTables } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import type { EdgePosition, Store } from '../../../src/store/contract.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../../src/store/requests.ts'
import { SHOP_DDL, SHOP_SESSION, shop } from '../../helpers/sqlite-shop.ts'

const SESSION = { ...SHOP_SESSION, issuedAt: 0, expiresAt: undefined }
const OPTIONS = { ...UNTIMED_OPTIONS, session: SESSION }

const openShop = (rows: string): Database.Database => {
  const database = new Database(':memory:')
  database.exec(`${SHOP_DDL} ${rows}`)
  return database
}
const openStore = (rows: string): Store => createTableStore(openShop(rows), { tables: shop.tables })
const readNode = async (store: Store, id: string, options: typeof OPTIONS = OPTIONS) =>
  (await store.read({ ...EMPTY_REQUEST, nodes: [id] }, options)).nodes[0]
const rangeOf = (name: string, details: object = {}) => ({
  source: 'customer-1',
  name,
  direction: 'oldest' as const,
  from: undefined,
  minTime: undefined,
  maxTime: undefined,
  limit: 10,
  count: true,
  ...details,
})
const CUSTOMER = "insert into customer (id, tenant, name) values (1, 1, 'Ada');"

describe('values of SQLite', () => {
  it('become the values of their fields', async () => {
    const store = openStore(
      `insert into customer values (1, 1, 'Ada', 1, 12.5, '2024-02-29', '{"a": [1]}', x'00ff', 0, null);`,
    )
    expect((await readNode(store, 'customer-1'))?.fields).toEqual({
      name: 'Ada',
      active: true,
      balance: '12.50',
      born: '2024-02-29',
      settings: { a: [1] },
      avatar: '00ff',
    })
  })

  it('of another class become values that their field rejects, and fail no read', async () => {
    const store = openStore(
      `insert into customer values (1, 1, x'61', 2, 'abc', 5, '{', 'text', 0, null);
      insert into item (sku, title, price, rank, ms, seconds, iso) values
        ('a', x'00', 'dear', 9007199254740993, 'soon', 1e300, '2024-01-01 10:00+02:00');`,
    )
    const graph = createGraph(store, { schema: shop.schema, checkValues: 'report' })
    const session = graph.session(SHOP_SESSION)
    const customer = {
      type: 'customer',
      id: 'customer-1',
      fields: 'name,active,balance,born,avatar',
    } as const
    expect(await graph.getNode(session, customer)).toEqual({ id: 'customer-1', avatar: 'text' })
    const item = {
      type: 'item',
      id: 'item-a',
      fields: 'title,price,rank,made_time,seconds_time,iso_time',
    } as const
    expect(await graph.getNode(session, item)).toEqual({ id: 'item-a' })
    expect((await readNode(store, 'customer-1'))?.fields.settings).toBeNaN()
    await graph.close()
  })

  it('beyond the safe integers keep all digits in ids', async () => {
    const id = '9007199254740993'
    const store = openStore(`insert into customer (id, tenant, name) values (${id}, 1, 'Big');`)
    expect(await readNode(store, `customer-${id}`)).toMatchObject({ id: `customer-${id}` })
    expect(await readNode(store, 'customer-9007199254740992')).toBeUndefined()
  })
})

describe('texts of SQLite that are not well-formed', () => {
  it.each(['ff', '80', 'c3', 'e98061', 'c38080', 'eda080', 'f8888080', '610062'])(
    'are neither keys nor in an order: x%s',
    async bytes => {
      const store = openStore(`${CUSTOMER}
        insert into item (sku, customer_id, title, ms) values
          ('a', 1, cast(x'${bytes}' as text), 1), (cast(x'${bytes}' as text), 1, 'b', 2), ('c', 1, 'é', 3);`)
      const { ranges } = await store.read(
        { ...EMPTY_REQUEST, ranges: [rangeOf('by_title'), rangeOf('by_sku')] },
        OPTIONS,
      )
      expect(ranges.map(({ entries, total }) => [entries.map(({ target }) => target), total])).toEqual([
        [['item-c'], 1],
        [['item-a', 'item-c'], 2],
      ])
    },
  )
})

describe('the session of a read of SQLite', () => {
  it.each([[undefined], [null], ['1'], [1.5], [true], [2], [{}]])(
    'shows rows only if the value of its filter is of the type of its column: %j',
    async tenant => {
      const store = openStore(CUSTOMER)
      const session = { ...SESSION, claims: tenant === undefined ? {} : { tenant } }
      const options = { ...OPTIONS, session } as typeof OPTIONS
      // The text of an integer is the integer, because ids are texts.
      const isFound = tenant === '1'
      expect((await readNode(store, 'customer-1', options)) !== undefined).toBe(isFound)
    },
  )

  it('shows no row without a session', async () => {
    const { nodes } = await openStore(CUSTOMER).read(
      { ...EMPTY_REQUEST, nodes: ['customer-1'] },
      UNTIMED_OPTIONS,
    )
    expect(nodes).toEqual([undefined])
  })
})

describe('a position that no row can have', () => {
  const positions: readonly [string, EdgePosition][] = [
    ['by_ms', { time: 0, target: 'item-a', key: '=1e' }],
    ['by_ms', { time: 5, target: 'item-a', key: '=1' }],
    ['by_ms', { time: 0, target: 'customer-1', key: '=0' }],
    ['by_ms', { time: 0, target: 'item-a', key: 'null' }],
    ['by_ms', { time: 0, target: 'item-a' }],
    ['by_iso', { time: 0, target: 'item-a', key: "='; drop table item" }],
    ['by_price', { time: 0, target: 'item-a', key: '=NaNa' }],
    ['by_sku', { time: 0, target: 'item-a', key: '=' }],
    ['by_title', { time: 1, target: 'item-a', key: '=a' }],
  ]
  it.each(positions)('is an invalid parameter: %s %j', async (name, from) => {
    const read = async () =>
      openStore(CUSTOMER).read({ ...EMPTY_REQUEST, ranges: [rangeOf(name, { from })] }, OPTIONS)
    await expect(read).rejects.toMatchObject({ reason: 'invalid_parameter' })
  })
})

describe('keys of a collation that ignores case', () => {
  const description = {
    dialect: 'sqlite',
    tables: {
      tag: {
        name: 'tag',
        columns: { name: { type: 'text', inexact: true } },
        key: ['name'],
        foreignKeys: [],
        uniques: [],
        indexes: [],
      },
      use: {
        name: 'use',
        columns: { id: { type: 'integer' }, tag: { type: 'text' } },
        key: ['id'],
        foreignKeys: [{ columns: ['tag'], table: 'tag', references: ['name'] }],
        uniques: [],
        indexes: [],
      },
    },
  } as const
  const { tables } = defineTables(description, {
    tag: { over: 'tag', fields: {}, edges: { uses: back('use', 'tag') } },
    use: { over: 'use', fields: {} },
  })

  it('have one id, and the rows of other spellings are in no list', async () => {
    const database = new Database(':memory:')
    database.exec(`create table tag (name text collate nocase primary key); create table use (id integer primary key, tag text);
      insert into tag values ('News'); insert into use values (1, 'News'), (2, 'news');`)
    const store = createTableStore(database, { tables })
    const { nodes, ranges } = await store.read(
      {
        ...EMPTY_REQUEST,
        nodes: ['tag-News', 'tag-news'],
        ranges: ['tag-News', 'tag-news'].map(source => rangeOf('uses', { source })),
      },
      UNTIMED_OPTIONS,
    )
    expect(nodes.map(node => node?.id)).toEqual(['tag-News', undefined])
    expect(ranges.map(({ entries }) => entries.map(({ target }) => target))).toEqual([['use-1'], []])
  })
})

describe('the plans of lists in SQLite', () => {
  const texts: string[] = []
  const record = (database: Database.Database): SqliteDatabase => ({
    prepare: sql => {
      texts.push(sql)
      return database.prepare(sql)
    },
    exec: sql => database.exec(sql),
    close: () => database.close(),
  })
  const starts: { readonly [name: string]: string } = {
    by_ms: '=0',
    by_seconds: '=0',
    by_iso: '=1970-01-01',
    by_title: '=a',
    by_price: '=0',
    by_sku: '',
    likes: '=1970-01-01',
  }
  const isTimed = (name: string): boolean => ['by_ms', 'by_seconds', 'by_iso', 'likes'].includes(name)

  it.each(Object.keys(starts))('search one index and sort nothing: %s', async name => {
    const database = openShop(CUSTOMER)
    const store = createTableStore(record(database), { tables: shop.tables })
    texts.length = 0
    for (const direction of ['newest', 'oldest'])
      for (const from of [undefined, { time: 0, target: 'item-a', key: starts[name] }])
        for (const conditions of [undefined, [{ kind: 'field', field: 'title', anyOf: ['a'] }]])
          for (const times of isTimed(name) ? [{}, { minTime: 0, maxTime: 9 }] : [{}])
            await store.read(
              { ...EMPTY_REQUEST, ranges: [rangeOf(name, { direction, from, conditions, ...times })] },
              OPTIONS,
            )
    const lists = texts.filter(sql => sql.includes('order by'))
    expect(lists.length).toBeGreaterThanOrEqual(8)
    for (const sql of lists) {
      const values = [...sql.matchAll(/\?/g)].map(() => 1)
      const plan = database
        .prepare(`explain query plan ${sql}`)
        .all(...values)
        .map(row => (row as { detail: string }).detail)
      expect(
        plan.filter(step => /TEMP B-TREE|SCAN (?:entry|target)/.test(step)),
        sql,
      ).toEqual([])
      expect(plan.some(step => /SEARCH (?:entry|target) USING (?:COVERING )?INDEX/.test(step))).toBe(true)
    }
  })
})

describe('a read of SQLite', () => {
  it('ends if its deadline passes between two statements', async () => {
    const store = openStore(CUSTOMER)
    const read = async () =>
      store.read({ ...EMPTY_REQUEST, ranges: [rangeOf('by_ms')] }, { ...OPTIONS, deadline: Date.now() - 1 })
    await expect(read).rejects.toMatchObject({ reason: 'timeout' })
  })
})
