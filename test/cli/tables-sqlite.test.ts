import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRawRequest } from '../helpers/raw-request.ts'
import { runCli } from '../helpers/run-cli.ts'
import { serveTables } from '../helpers/serve-tables.ts'
import { SHOP_GRAPH, SHOP_MARKER, SHOP_TABLES } from '../helpers/shop-tables.ts'
import { createTemporaryFolder } from '../helpers/sqlite-databases.ts'

/** The graph of the shop, whose times are ISO 8601 in SQLite. */
const GRAPH = SHOP_GRAPH.replace("by: 'placed_at', ", "by: 'placed_at', as: 'iso', ").replace(
  "export const rowSecurity = ['purchase']",
  '',
)

let folder: ReturnType<typeof createTemporaryFolder>
let files = 0
beforeAll(() => {
  folder = createTemporaryFolder()
})
afterAll(() => folder.remove())

const createShop = async (): Promise<{ url: string; database: Database.Database; graphFile: string }> => {
  const path = join(folder.path, `${++files}`)
  mkdirSync(path)
  const database = new Database(join(path, 'shop.db'))
  database.exec(SHOP_TABLES)
  const url = `sqlite:${join(path, 'shop.db')}`
  await runCli(['introspect', url, '--out', join(path, 'db.ts')])
  writeFileSync(join(path, 'graph.ts'), GRAPH)
  return { url, database, graphFile: join(path, 'graph.ts') }
}

describe('kithgraph check tables, with SQLite', () => {
  it('reports missing indexes, wrong counters, and rows with unusable keys and values', async () => {
    const { url, database, graphFile } = await createShop()
    const { status, lines, errors } = await runCli(['check', 'tables', url, graphFile])
    expect({ errors, lines: lines.toSorted() }).toEqual({
      errors: [],
      lines: [
        'checked 4 tables: 6 errors',
        'missing index: "customer.open": create index "purchase_customer_id_state_note_id" on "purchase" ("customer_id", "state", "note", "id");',
        'missing index: "purchase.products": create index "line_purchase_id_amount_product_slug" on "line" ("purchase_id", "amount", "product_slug");',
        'missing index: "root.products": create index "product_title_slug" on "product" ("title", "slug");',
        'unusable keys: "product" lacks 1 row, because the key is too long or not valid for an id',
        'unusable values: "customer.open" lacks 1 row, because "note" is too long or not valid',
        'wrong counter: "customer.purchases": "order_count" is not the number of rows in 1 of 2 checked nodes, such as customer-2',
      ].toSorted(),
    })
    expect(status).toBe(1)
    expect(lines.join()).not.toContain(SHOP_MARKER)
    database.exec(lines.flatMap(line => /create index .*;/.exec(line)?.[0] ?? []).join('\n'))
    const second = await runCli(['check', 'tables', url, graphFile])
    expect(second.lines.filter(line => line.startsWith('missing index'))).toEqual([])
    const plan = database
      .prepare(
        `explain query plan select * from purchase where customer_id = 1 and state = 'open' and (note, id) < ('a', 5)
          order by note desc, id desc`,
      )
      .all()
    expect(JSON.stringify(plan)).toMatch(/SEARCH purchase USING INDEX purchase_customer_id_state_note_id/)
    expect(JSON.stringify(plan)).not.toMatch(/TEMP B-TREE/)
    database.close()
  })

  it('prints only the statements of the missing indexes with --sql, which the database can execute', async () => {
    const { url, database, graphFile } = await createShop()
    const { status, lines, errors } = await runCli(['check', 'tables', url, graphFile, '--sql'])
    expect({ status, errors }).toEqual({ status: 0, errors: [] })
    expect(lines).toEqual([
      'create index "purchase_customer_id_state_note_id" on "purchase" ("customer_id", "state", "note", "id");',
      'create index "line_purchase_id_amount_product_slug" on "line" ("purchase_id", "amount", "product_slug");',
      'create index "product_title_slug" on "product" ("title", "slug");',
    ])
    database.exec(lines.join('\n'))
    expect((await runCli(['check', 'tables', url, graphFile, '--sql'])).lines).toEqual([])
    database.exec('alter table purchase rename column note to remark')
    expect(await runCli(['check', 'tables', url, graphFile, '--sql'])).toMatchObject({
      status: 2,
      lines: [],
      errors: [expect.stringContaining('the tables have changed')],
    })
    database.close()
  })

  it('counts values of another kind than their column', async () => {
    const { url, database, graphFile } = await createShop()
    database.exec(
      "update purchase set placed_at = 'yesterday' where id = 1; update purchase set state = x'00' where id > 1",
    )
    const { lines } = await runCli(['check', 'tables', url, graphFile])
    expect(lines).toContain(
      'unusable values: "customer.purchases" lacks 1 row, because "placed_at" is too long or not valid',
    )
    expect(lines).toContain(
      'bad values: "purchase"."state": "state" is not valid in 2 of 3 checked rows, such as purchase-2',
    )
    database.close()
  })

  it('counts the keys that several rows of a view have for one tenant', async () => {
    const { url, database, graphFile } = await createShop()
    database.exec(`
      create table item (tenant integer, code text, is_old boolean not null);
      insert into item values (1, 'a', 0), (2, 'a', 0), (2, 'b', 0), (2, 'b', 1);
      create view items as select * from item`)
    await runCli(['introspect', url, '--out', join(graphFile, '..', 'db.ts')])
    const check = (name: string, where: string) => {
      const file = join(graphFile, '..', name)
      writeFileSync(
        file,
        `import { defineTables, fromSession } from 'kithgraph/tables'
        import { db } from './db.ts'
        export const { tables } = defineTables(db, { item: {
          over: { table: 'items', key: 'code' },
          where: { tenant: fromSession(session => session.claims?.tenant), ${where} },
          fields: { tenant: true },
        } }, { collections: {} })`,
      )
      return runCli(['check', 'tables', url, file])
    }
    expect((await check('new.ts', 'is_old: false')).lines).toEqual(['checked 1 table: no errors'])
    expect((await check('all.ts', '')).lines).toEqual([
      'repeated keys: "item": several rows have the same key, for 1 key',
      'checked 1 table: 1 error',
    ])
    database.close()
  })

  it('rejects a graph over a database of another kind', async () => {
    const { database, graphFile } = await createShop()
    const { status, errors } = await runCli(['check', 'tables', 'redis://127.0.0.1', graphFile])
    expect({ status, errors }).toEqual({
      status: 2,
      errors: [expect.stringContaining('a database with tables is in Postgres or SQLite')],
    })
    database.close()
  })
})

describe('kithgraph serve, with SQLite', () => {
  it('serves the rows, and does not change the file', async () => {
    const { url, database } = await createShop()
    database.exec('create table measure (value real primary key)')
    database.close()
    const path = url.slice('sqlite:'.length)
    const before = readFileSync(path)
    const served = await serveTables([url])
    const { status, text } = await sendRawRequest(
      served.origin,
      `${served.graphPath}/customer-1?fields=name,created_at,purchases.limit(1){state}`,
    )
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 200,
      body: { name: `${SHOP_MARKER} Ada`, purchases: { data: [{ state: 'open' }] } },
    })
    expect(served.lines).toContain(
      'Left out, because the values of their keys cannot be ids: "measure" ("value" of the type real)',
    )
    expect(await sendRawRequest(served.origin, '/')).toMatchObject({ status: 403 })
    expect(await served.stop()).toBe(0)
    expect(readFileSync(path).equals(before)).toBe(true)
  })
})
