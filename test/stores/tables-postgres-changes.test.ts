import { isGraphError } from 'kithgraph'
import { back, createTableStore, defineTables } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EdgePosition, Store, StoreReadOptions } from '../../src/store/contract.ts'
import { guardStore } from '../../src/store/guard.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { createRange } from '../../src/testing/records.ts'
import { hasPgBouncer, startPgBouncer } from '../helpers/pgbouncer.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { watchPool } from '../helpers/watched-clients.ts'

const OPTIONS: StoreReadOptions = { signal: undefined, deadline: undefined, minRevision: undefined }
const NO_KEYS = { foreignKeys: [], uniques: [], indexes: [] }
const WIDE_COLUMNS = Array.from({ length: 250 }, (_, index) => `column_${index}`)
const text = { type: 'text', nullable: true } as const

const description = {
  dialect: 'postgres',
  tables: {
    owner: { name: 'owner', schema: 'public', columns: { id: { type: 'int8' } }, key: ['id'], ...NO_KEYS },
    item: {
      name: 'item',
      schema: 'public',
      columns: {
        id: { type: 'int4' },
        owner: { type: 'int8' },
        at: { type: 'timestamptz' },
        label: text,
        json: { type: 'json', nullable: true },
        jsonb: { type: 'jsonb', nullable: true },
        float: { type: 'float8', nullable: true },
        big: { type: 'int8', nullable: true },
        padded: { type: 'bpchar', nullable: true },
        bigs: { type: 'int8', array: true, nullable: true },
        day: { type: 'date', nullable: true },
        amount: { type: 'numeric', nullable: true },
      },
      key: ['id'],
      ...NO_KEYS,
    },
    wide: {
      name: 'wide',
      schema: 'public',
      columns: { id: { type: 'int4' }, ...Object.fromEntries(WIDE_COLUMNS.map(name => [name, text])) },
      key: ['id'],
      ...NO_KEYS,
    },
  },
} as const

const shop = defineTables(
  description,
  {
    owner: {
      over: 'owner',
      fields: {},
      edges: {
        items: back('item', 'owner', { by: 'at' }),
        by_amount: back('item', 'owner', { by: 'amount', nulls: 'skip' }),
      },
    },
    item: {
      over: 'item',
      fields: {
        label: { default: true },
        float: true,
        big: true,
        padded: true,
        day: true,
        amount: true,
        time: { column: 'at' },
        json: true,
        jsonb: true,
        bigs: true,
      },
    },
    wide: { over: 'wide', fields: Object.fromEntries(WIDE_COLUMNS.map(name => [name, true as const])) },
  },
  { viewers: ['owner'] },
)

let server: PostgresServer
let pool: pg.Pool

const DDL = `
create table owner (id bigint primary key);
create table item (
  id int primary key, owner bigint not null, at timestamptz not null, label text, json json, jsonb jsonb, float float8,
  big bigint, padded char(8), bigs bigint[], day date, amount numeric
);
create index on item (owner, at, id);
insert into owner values (1);
insert into item select i, 1, '2024-01-01'::timestamptz + i * interval '1 microsecond', 'label ' || i from generate_series(1, 9) as i;
create table wide (id int primary key, ${WIDE_COLUMNS.map(name => `${name} text`).join(', ')});
insert into wide (id, ${WIDE_COLUMNS.join(', ')}) values (1, ${WIDE_COLUMNS.map(name => `'value of ${name}'`).join(', ')})`

beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool()
  await pool.query(DDL)
})
afterAll(() => server.stop())

const readItem = async (): Promise<unknown> => {
  const store = createTableStore(pool, { tables: shop.tables })
  return (await store.read({ ...EMPTY_REQUEST, nodes: ['item-1'] }, OPTIONS)).nodes[0]?.fields
}

describe('values that are hard to read', () => {
  it.each([
    [
      'json',
      String.raw`'{"a":"\u0000\ud800","b":1e400}'`,
      { a: '\u0000\ud800', b: Number.POSITIVE_INFINITY },
    ],
    ['jsonb', `'{"b":[null,1.50]}'`, { b: [null, 1.5] }],
    ['float', `'NaN'`, 'NaN'],
    ['float', `'-Infinity'`, '-Infinity'],
    ['float', '0.1', 0.1],
    ['big', '9223372036854775807', '9223372036854775807'],
    ['padded', `'ab'`, 'ab'],
    ['bigs', `'{9007199254740993,null}'`, ['9007199254740993', null]],
    ['day', `'infinity'`, 'infinity'],
    ['day', `'0044-03-15 BC'`, '0044-03-15 BC'],
    ['amount', '1.500', '1.500'],
    ['amount', `'NaN'`, 'NaN'],
    ['at', `'1969-12-31 23:59:59.9999+00'`, -1],
    ['at', `'0044-03-15 00:00:00+00 BC'`, Date.parse('-000043-03-15T00:00:00Z')],
    ['at', `'infinity'`, 'Infinity'],
    ['at', `'294276-12-31 23:59:59.999999+00'`, Number('9224318015999999')],
  ])('are read one by one: %s = %s', async (column, literal, expected) => {
    await pool.query(`update item set ${column} = ${literal} where id = 1`)
    expect(await readItem()).toMatchObject({ [column === 'at' ? 'time' : column]: expected })
    await pool.query(`update item set ${column} = ${column === 'at' ? "'2024-01-01'" : 'null'} where id = 1`)
  })

  it('do not depend on settings of the connection', async () => {
    const expected = await readItem()
    await pool.query(`update item set day = '2024-02-01', padded = 'x' where id = 1`)
    const other = server.pool({
      options: '-c TimeZone=Asia/Kolkata -c DateStyle=German -c IntervalStyle=sql_standard',
    })
    const store = createTableStore(other, { tables: shop.tables })
    const { nodes } = await store.read({ ...EMPTY_REQUEST, nodes: ['item-1'] }, OPTIONS)
    expect(nodes[0]?.fields).toEqual({ ...(expected as object), day: '2024-02-01', padded: 'x' })
  })

  it('may be in more columns than a function has arguments', async () => {
    const store = createTableStore(pool, { tables: shop.tables })
    const { nodes } = await store.read({ ...EMPTY_REQUEST, nodes: ['wide-1'] }, OPTIONS)
    expect(nodes[0]?.fields).toEqual(Object.fromEntries(WIDE_COLUMNS.map(name => [name, `value of ${name}`])))
  })
})

describe('ids and cursors that no row can have', () => {
  it('are missing nodes, and send no statement if nothing else is read', async () => {
    const { client, statements } = watchPool(pool)
    const store = createTableStore(client, { tables: shop.tables })
    const nodes = [
      'item-2147483648',
      'item-01',
      'item--0',
      'item-1~2',
      'item-.00',
      'nothing-1',
      'owner-1e3',
      'item-',
    ]
    expect((await store.read({ ...EMPTY_REQUEST, nodes }, OPTIONS)).nodes).toEqual(nodes.map(() => undefined))
    expect(statements).toEqual([])
  })

  it.each<[string, EdgePosition]>([
    ['items', { time: 0, key: 'not a number', target: 'item-1' }],
    ['items', { time: 0, key: '99999999999999999999', target: 'item-1' }],
    ['items', { time: 1, key: '0', target: 'item-1' }],
    ['items', { time: 0, key: '=0', target: 'item-1' }],
    ['items', { time: 0, key: 'null', target: 'item-1' }],
    ['items', { time: 0, target: 'item-1' }],
    ['items', { time: 0, key: '0', target: 'owner-1' }],
    ['items', { time: 0, key: '0', target: 'item-9999999999' }],
    ['by_amount', { time: 0, key: "=1'; drop table item; --", target: 'item-1' }],
    ['by_amount', { time: 0, key: 'null', target: 'item-1' }],
    ['by_amount', { time: 0, key: '1.5', target: 'item-1' }],
  ])('are an invalid parameter: %s after %j', async (name, from) => {
    const store = createTableStore(pool, { tables: shop.tables })
    const ranges = [createRange('owner-1', name, { from, limit: 2 })]
    await expect(store.read({ ...EMPTY_REQUEST, ranges }, OPTIONS)).rejects.toMatchObject({
      reason: 'invalid_parameter',
    })
  })
})

describe('changes of tables while a store reads them', () => {
  /** Reads one field of the items of an owner. */
  const readItems = async (store: Store, field: string): Promise<unknown> => {
    const ranges = [createRange('owner-1', 'items', { limit: 2 })]
    const fields = new Map([['item', new Set([field])]])
    const result = await store.read({ ...EMPTY_REQUEST, ranges, fields }, OPTIONS)
    return result.ranges[0]?.entries.map(({ node }) => node.fields)
  }

  it('change nothing if the graph does not use the columns', async () => {
    await pool.query('alter table item add column unused int, add column renamed int')
    const store = guardStore(createTableStore(server.pool({ max: 1 }), { tables: shop.tables }))
    const expected = await readItems(store, 'label')
    expect(expected).toHaveLength(2)
    for (const change of [
      'add column added text',
      'alter column unused type bigint',
      'rename column renamed to other',
      'drop column unused',
      'alter column big type numeric',
      'alter column label type varchar(500)',
    ]) {
      // A statement is prepared at its second use.
      for (let repeat = 0; repeat < 3; repeat++) await readItems(store, 'label')
      await pool.query(`alter table item ${change}`)
      expect(await readItems(store, 'label'), change).toEqual(expected)
    }
  })

  it('fail only the reads that need a dropped column, and name it for the operator alone', async () => {
    const store = guardStore(createTableStore(pool, { tables: shop.tables }))
    await pool.query('alter table item drop column padded')
    const error: unknown = await readItems(store, 'padded').catch((thrown: unknown) => thrown)
    if (!isGraphError(error)) return expect.fail('expected a GraphError')
    expect(error.reason).toBe('store_error')
    expect(String(error.cause)).toContain('padded')
    expect(JSON.stringify(error)).not.toContain('padded')
    expect(await readItems(store, 'label')).toHaveLength(2)
  })
})

describe('the statements of a store read', () => {
  it('are one, for nodes, ranges, checks and flags together', async () => {
    const { client, statements } = watchPool(pool)
    const store = createTableStore(client, { tables: shop.tables })
    const wanted = new Map([['item', new Set(['label'])]])
    const request = {
      ...EMPTY_REQUEST,
      nodes: ['owner-1', 'item-2', 'wide-1'],
      ranges: [
        createRange('owner-1', 'items', { limit: 2, count: true }),
        createRange('owner-1', 'by_amount', {}),
      ],
      checks: [{ source: 'owner-1', name: 'items', target: 'item-3' }],
      flags: [{ name: 'complete', value: 'yes' }],
      fields: wanted,
    }
    const result = await store.read(request, OPTIONS)
    expect(result).toMatchObject({ checks: [true], flags: [true], ranges: [{ total: 9 }, { entries: [] }] })
    expect(statements).toHaveLength(1)
    expect(statements[0]).not.toContain('"json"')
  })

  it('return no count under conditions for a list that is too long to be counted', async () => {
    await pool.query(`insert into owner values (2); insert into item (id, owner, at, label)
      select i + 1000, 2, now(), 'a' from generate_series(1, 10001) as i`)
    const store = guardStore(createTableStore(pool, { tables: shop.tables }))
    const conditions = [{ kind: 'field', field: 'label', anyOf: ['a'] }] as const
    const range = {
      ...createRange('owner-2', 'items', { limit: 1, count: true }),
      conditions,
      maxExamined: 50_000,
    }
    const { ranges } = await store.read({ ...EMPTY_REQUEST, ranges: [range], fields: new Map() }, OPTIONS)
    expect(ranges[0]).toMatchObject({ total: undefined, examined: 1, hasMore: true })
    expect(ranges[0]).not.toHaveProperty('passing')
  })

  it('have texts that do not depend on values of a caller', async () => {
    const { client, statements } = watchPool(pool)
    const store = createTableStore(client, { tables: shop.tables })
    for (const [id, limit] of [
      ['owner-1', 1],
      ['owner-77', 5],
    ] as const) {
      const condition = { kind: 'field', field: 'label', anyOf: [`secret of ${id}`] } as const
      const range = {
        ...createRange(id, 'items', { limit }),
        conditions: [condition],
        maxExamined: limit * 10,
      }
      const wanted = new Map([['item', new Set(['label'])]])
      await store.read({ ...EMPTY_REQUEST, ranges: [range], fields: wanted }, OPTIONS)
    }
    expect(new Set(statements).size).toBe(1)
  })
})

describe.runIf(hasPgBouncer('the tests of tables behind a pooler'))('a table store behind a pooler', () => {
  it('reads with and without settings, and opens snapshots', async () => {
    const pooler = await startPgBouncer(server, 2)
    try {
      const pooled = server.pool({ port: pooler.port, max: 8 })
      for (const settings of [undefined, () => ({ 'app.name': 'x' })]) {
        const without =
          settings === undefined ? {} : { settings, withoutRowSecurity: ['owner', 'item', 'wide'] }
        const store = createTableStore(pooled, { tables: shop.tables, prepare: false, ...without })
        const request = { ...EMPTY_REQUEST, nodes: ['owner-1'] }
        const reads = Array.from({ length: 20 }, () => store.read(request, OPTIONS))
        for (const { nodes } of await Promise.all(reads)) expect(nodes[0]?.id).toBe('owner-1')
        const view = await store.snapshot()
        expect((await view.read(request, OPTIONS)).nodes[0]?.id).toBe('owner-1')
        await view.close()
      }
    } finally {
      await pooler.stop()
    }
  })
})
