import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { runCli } from '../helpers/run-cli.ts'
import { SHOP_GRAPH, SHOP_MARKER, SHOP_TABLES } from '../helpers/shop-tables.ts'
import { createTemporaryFolder } from '../helpers/sqlite-databases.ts'
import { compile } from '../types/compiler.ts'

let server: PostgresServer
let pool: pg.Pool
let url: string
let folder: ReturnType<typeof createTemporaryFolder>
let files = 0
beforeAll(async () => {
  folder = createTemporaryFolder()
  server = await startPostgres()
  pool = server.pool()
  const { user, password, host, port, database } = pool.options
  url = `postgres://${user}:${password}@${host}:${port}/${database}`
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

/** Creates the shop again, and writes a graph over it. Returns the path of the graph. */
const createShop = async (graph = SHOP_GRAPH): Promise<string> => {
  await pool.query(`drop schema public cascade; create schema public; ${SHOP_TABLES}`)
  const path = join(folder.path, `${++files}`)
  mkdirSync(path)
  await runCli(['introspect', url, '--out', join(path, 'db.ts')])
  writeFileSync(join(path, 'graph.ts'), graph)
  return join(path, 'graph.ts')
}

const check = (graphFile: string) => runCli(['check', 'tables', url, graphFile])

const INDEXES = [
  'create index on "public"."line" ("purchase_id", "amount", "product_slug")',
  'create index on "public"."product" ("title", "slug")',
  'create index on "public"."purchase" ("customer_id", "state", "note", "id")',
]

describe('kithgraph check tables', () => {
  it('reports missing indexes, wrong counters, long values, long keys and missing row-level security', async () => {
    const { status, lines, errors } = await check(await createShop())
    expect({ errors, lines: lines.toSorted() }).toEqual({
      errors: [],
      lines: [
        'checked 4 tables: 7 errors',
        'unusable keys: "product" lacks 1 row, because the key is too long or not valid for an id',
        'unusable values: "customer.open" lacks 1 row, because "note" is too long or not valid',
        `missing index: "customer.open": ${INDEXES[2]};`,
        `missing index: "purchase.products": ${INDEXES[0]};`,
        `missing index: "root.products": ${INDEXES[1]};`,
        'missing row-level security: "purchase"',
        'wrong counter: "customer.purchases": "order_count" is not the number of rows in 1 of 2 checked nodes, such as customer-2',
      ].toSorted(),
    })
    expect(status).toBe(1)
    expect(lines.join()).not.toContain(SHOP_MARKER)
  })

  it('counts the times that a field cannot show, and prints the id of the first row', async () => {
    const graphFile = await createShop(
      SHOP_GRAPH.replace('fields: { name: true }', 'fields: { name: true, created_at: true }'),
    )
    await pool.query("update customer set created_at = 'infinity' where id = 2")
    const { lines } = await check(graphFile)
    expect(lines).toContain(
      'bad values: "customer"."created_at": "created_at" is not valid in 1 of 2 checked rows, such as customer-2',
    )
  })

  it('reports no index after the statements that it printed, and each list is then one range of an index', async () => {
    const graphFile = await createShop()
    const { lines } = await check(graphFile)
    const statements = lines.flatMap(line => /create index .*;/.exec(line)?.[0] ?? [])
    expect(statements).toHaveLength(INDEXES.length)
    await pool.query(statements.join('\n'))
    const second = await check(graphFile)
    expect(second.lines.filter(line => line.startsWith('missing index'))).toEqual([])
    for (const { from, constants, sorted, values } of [
      { from: 'line', constants: 'purchase_id = 1', sorted: ['amount', 'product_slug'], values: "5, 'tea'" },
      { from: 'product', constants: 'true', sorted: ['title', 'slug'], values: "'a', 'b'" },
      {
        from: 'purchase',
        constants: "customer_id = 1 and state = 'open'",
        sorted: ['note', 'id'],
        values: "'a', 5",
      },
    ]) {
      const order = sorted.map(column => `${column} desc`).join(', ')
      const page = `select * from ${from} where ${constants} and (${sorted.join(', ')}) < (${values}) order by ${order} limit 26`
      const client = await pool.connect()
      // The tables are so small that scanning them whole would be cheaper.
      await client.query('set enable_seqscan = off; set enable_bitmapscan = off')
      const { rows } = await client.query(`explain ${page}`)
      client.release(true)
      const plan = rows.map(row => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(/Index Cond: .*ROW\(/)
      expect(plan).not.toMatch(/Sort|Filter/)
    }
  })

  it('has the status 0 and reports no errors for tables that fit', async () => {
    const graphFile = await createShop(
      SHOP_GRAPH.replace("by: 'note', ", '')
        .replace("{ by: 'amount' }", '{}')
        .replace("{ by: 'title' }", '{}'),
    )
    await pool.query(`
      alter table purchase enable row level security;
      update customer set order_count = 0 where id = 2;
      delete from product where length(slug) = 40;
      create index on purchase (customer_id, id) where state = 'open'`)
    expect(await check(graphFile)).toEqual({ status: 0, errors: [], lines: ['checked 4 tables: no errors'] })
  })

  it.each([
    ['alter table purchase drop column state', 'removed: "purchase" column "state" was text'],
    [
      'alter table customer alter column order_count type bigint',
      'changed: "customer" column "order_count" from int4, default to int8, default',
    ],
    ['drop table line', 'missing table: "line", used by "purchase.products"'],
    [
      'alter table line drop constraint line_pkey',
      'changed: "line" key from ("purchase_id", "product_slug") to ()',
    ],
  ])('reports tables that changed: %s', async (change, line) => {
    const graphFile = await createShop()
    await pool.query(change)
    const { status, lines } = await check(graphFile)
    expect({ status, lines }).toEqual({ status: 1, lines: expect.arrayContaining([line]) })
    expect(lines).toContain('note: the rows are not checked, because the tables have changed')
  })

  it('counts the keys that several rows have, of views, declared keys and tables from which others inherit', async () => {
    const graphFile = await createShop(`
      import { back, collection, defineTables, through } from 'kithgraph/tables'
      import { db } from './db.ts'
      export const { tables } = defineTables(db, {
        customer: { over: 'customer', fields: { name: true }, edges: {
          bought: through({ table: 'bought', key: ['customer_id', 'product_slug'] }, 'customer_id', 'product', 'product_slug'),
          viewed: through({ table: 'viewed', key: ['customer_id', 'product_slug'] }, 'customer_id', 'product', 'product_slug'),
        } },
        product: { over: 'product', fields: { title: true } },
        event: { over: 'event', fields: { kind: true } },
        message: { over: { table: 'log', key: 'message' }, fields: {} },
      }, { collections: {} })`)
    await pool.query(`
      create table event (id integer primary key, kind text);
      create table old_event () inherits (event);
      insert into event values (1, 'new'), (2, 'new'), (3, 'new');
      insert into old_event values (2, 'old'), (3, 'old'), (4, 'old'), (4, 'old');
      create view bought as select customer_id, product_slug from purchase join line on line.purchase_id = purchase.id;
      create view viewed as select distinct customer_id, product_slug from bought;
      insert into log values ('once'), (null), (null)`)
    const path = join(graphFile, '..', 'db.ts')
    await runCli(['introspect', url, '--out', path])
    const repeated = (lines: readonly string[]) => lines.filter(line => line.startsWith('repeated keys'))
    const { status, lines } = await check(graphFile)
    expect(status).toBe(1)
    expect(repeated(lines)).toEqual([
      'repeated keys: "event": several rows have the same key, for 3 keys',
      'repeated keys: "customer.bought": several rows have the same key, for 1 key',
    ])
    await pool.query(
      "insert into log values ('once'); delete from old_event; delete from line where purchase_id = 2",
    )
    expect(repeated((await check(graphFile)).lines)).toEqual([
      'repeated keys: "message": several rows have the same key, for 1 key',
    ])
  })

  it('notes a database whose encoding lacks characters', async () => {
    const graphFile = await createShop()
    await pool.query("create database latin encoding 'LATIN1' template template0 locale 'C'")
    const latinUrl = url.replace(/[^/]*$/, 'latin')
    const latin = server.pool({ database: 'latin' })
    await latin.query(SHOP_TABLES)
    const { lines } = await runCli(['check', 'tables', latinUrl, graphFile])
    expect(lines).toContain(
      'note: the encoding of the database is not UTF8: a call fails if an id, a cursor or a claim has a character that it lacks',
    )
    expect((await check(graphFile)).lines.join()).not.toContain('encoding')
  })

  it('reports an order whose column may be NULL now', async () => {
    const graphFile = await createShop()
    await pool.query('alter table product alter column title drop not null')
    const { status, lines } = await check(graphFile)
    expect(status).toBe(1)
    expect(lines).toContain('order that can be NULL: "root.products" by "title"; declare "nulls"')
  })

  it('ignores new columns, tables and indexes', async () => {
    const graphFile = await createShop()
    const { lines } = await check(graphFile)
    await pool.query(
      'alter table purchase add column added text; create index on line (amount); create table more ()',
    )
    expect((await check(graphFile)).lines).toEqual(lines)
  })

  it.each([
    ['no tables', 'export const tables = {}', 'must export the tables of "defineTables" as "tables"'],
    [
      'another list of tables',
      `${SHOP_GRAPH.replace(/export const rowSecurity.*/, '')}export const rowSecurity = 'purchase'`,
      'must be an array',
    ],
    [
      'a table in rowSecurity that the graph does not use',
      SHOP_GRAPH.replace(/export const rowSecurity.*/, "export const rowSecurity = ['purchse']"),
      'received "purchse"; did you mean purchase?',
    ],
  ])('rejects a file with %s', async (_, graph, message) => {
    const { status, errors } = await check(await createShop(graph))
    expect({ status, errors }).toEqual({ status: 2, errors: [expect.stringContaining(message)] })
  })
})

describe('kithgraph introspect --graph, with Postgres', () => {
  const introspect = async () => {
    const graphFile = await createShop()
    const path = join(graphFile, '..')
    const args = ['introspect', url, '--out', join(path, 'db.ts'), '--graph', join(path, 'first.ts')]
    return { path, result: await runCli(args), repeat: () => runCli(args) }
  }

  it('writes a graph that compiles and loads, without columns whose names suggest secrets', async () => {
    const { path, result } = await introspect()
    expect(result).toMatchObject({ status: 0, errors: [] })
    const graph = readFileSync(join(path, 'first.ts'), 'utf8')
    expect(compile({ 'db.ts': readFileSync(join(path, 'db.ts'), 'utf8'), 'graph.ts': graph }).errors).toEqual(
      [],
    )
    const { schema } = await import(join(path, 'first.ts'))
    expect(Object.keys(schema.types)).toEqual(['customer', 'product', 'purchase', 'root'])
    expect(Object.keys(schema.types.customer.fields)).toEqual(['created_at', 'name', 'order_count'])
    expect(Object.keys(schema.types.product.fields)).toEqual(['monkey_id', 'rank', 'slug', 'title'])
    expect(graph).toContain("purchases: back('purchase', 'customer_id', { by: 'placed_at', nulls: 'skip' })")
    expect(graph).toContain(
      "products: through('line', 'purchase_id', 'product', 'product_slug', { fields: { amount: true } })",
    )
    expect(graph).toContain(
      'Left out, because their names suggest secrets or their values are binary: api_key, password_digest',
    )
    expect(graph).toContain('// The table session_token is left out')
    expect(graph).toContain('// The table log is left out: it has no key')
    expect(graph).not.toContain(SHOP_MARKER)
  })

  it('never overwrites a graph', async () => {
    const { repeat } = await introspect()
    const { status, errors } = await repeat()
    expect({ status, errors }).toEqual({ status: 2, errors: [expect.stringContaining('exists already')] })
  })
})
