import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PoolDatabase } from '../../src/stores/postgres/pool-database.ts'
import { describePostgres } from '../../src/tables/introspect/describe-postgres.ts'
import { DESCRIBED_TABLES, MARKER } from '../helpers/described-postgres.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { runCli } from '../helpers/run-cli.ts'
import { createTemporaryFolder } from '../helpers/sqlite-databases.ts'
import { compile } from '../types/compiler.ts'

const SCHEMAS = ['public', 'shop', 'Odd "Schema"']

let server: PostgresServer
let pool: pg.Pool
let url: string
let files = 0
let folder: ReturnType<typeof createTemporaryFolder>
beforeAll(async () => {
  folder = createTemporaryFolder()
  server = await startPostgres()
  pool = server.pool()
  await pool.query(DESCRIBED_TABLES)
  const { user, password, host, port, database } = pool.options
  url = `postgres://${user}:${password}@${host}:${port}/${database}`
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const describeTables = async (schemas?: readonly string[], patterns?: readonly string[]) => {
  const snapshot = await new PoolDatabase(pool).openSnapshot()
  try {
    return await describePostgres(snapshot, { schemas, patterns })
  } finally {
    await snapshot.close()
  }
}

const introspect = (...args: readonly string[]) =>
  runCli(['introspect', url, '--schemas', SCHEMAS.join(','), ...args])

const account = async () => {
  const { tables } = await describeTables()
  const table = tables.account
  if (table === undefined) throw new Error('the table account is not described')
  return table
}

describe('the description of a Postgres database', () => {
  it('has the base types of domains and the elements of arrays', async () => {
    const { columns } = await account()
    expect(columns.email).toEqual({
      type: 'citext',
      nullable: true,
      sqlType: '"public"."citext"',
      inexact: true,
    })
    expect(columns.balance).toEqual({ type: 'numeric', scale: 2, default: true })
    expect(columns.words).toEqual({ type: 'text', array: true, nullable: true })
    expect(columns.ratios).toEqual({ type: 'numeric', array: true, scale: 3, nullable: true })
  })

  it('has the labels and the quoted name of an enum', async () => {
    const { columns } = await account()
    const labels = ['happy', 'it\'s "fine"', 'żółty']
    expect(columns.mood).toEqual({ type: 'enum', sqlType: '"public"."mood"', labels, default: true })
    expect(columns.moods).toMatchObject({ type: 'enum', array: true, labels })
  })

  it('says that identities and generated columns have a default', async () => {
    const { columns } = await account()
    expect(columns.id).toEqual({ type: 'int8', default: true })
    expect(columns.upper_handle).toMatchObject({ default: true })
    expect(columns.handle).toEqual({ type: 'text' })
  })

  it('says that a column with a nondeterministic collation is inexact', async () => {
    expect((await account()).columns.nickname).toMatchObject({ type: 'text', inexact: true })
  })

  it('has the quoted name of a collation other than that of the database', async () => {
    const { columns } = await account()
    expect(columns.nickname?.collation).toBe('"public"."blind"')
    expect(columns.handle).not.toHaveProperty('collation')
    expect(columns.email).not.toHaveProperty('collation')
  })

  it('has the columns of an index up to the first expression, NULLs that are placed otherwise, or another order', async () => {
    expect((await account()).indexes).toEqual([
      { columns: ['birthday'] },
      { columns: ['created_at'], partial: true, where: `(handle <> '${MARKER}'::text)` },
      { columns: ['email'] },
      { columns: ['handle'] },
      { columns: ['id'] },
      { columns: ['manager_id', 'created_at', 'id'], descending: ['created_at', 'id'] },
      { columns: ['manager_id'] },
    ])
  })

  it('has unique keys of whole columns, without the columns that an index only includes', async () => {
    expect((await account()).uniques).toEqual([['email'], ['handle']])
  })

  it('has a partitioned table without its partitions', async () => {
    const { tables } = await describeTables()
    expect(Object.keys(tables)).toContain('measured')
    expect(Object.keys(tables)).not.toContain('measured_2026')
  })

  it('has views without a key', async () => {
    const { tables } = await describeTables()
    expect(tables.happy_account).toMatchObject({ view: true, key: [], indexes: [] })
    expect(tables.handles).toMatchObject({ view: true, key: [], uniques: [['id']] })
  })

  it('names equal tables of two schemas after their schemas, in foreign keys too', async () => {
    const { tables } = await describeTables(SCHEMAS)
    expect(Object.keys(tables)).toEqual(expect.arrayContaining(['public_item', 'shop_item']))
    expect(tables.public_item).toMatchObject({ name: 'item', schema: 'public', rowSecurity: true })
    expect(tables.public_item?.foreignKeys).toContainEqual({
      columns: ['shelf', 'code'],
      table: 'shop_item',
      references: ['shelf', 'code'],
    })
    expect(tables.shop_item?.key).toEqual(['shelf', 'code'])
  })

  it('leaves out foreign keys to tables that it does not contain', async () => {
    const { tables } = await describeTables()
    expect(tables.item?.foreignKeys.map(({ table }) => table)).toEqual(['account'])
  })

  it('contains only the tables that fit a pattern', async () => {
    const { tables } = await describeTables(undefined, ['*account', 'item'])
    expect(Object.keys(tables)).toEqual(['account', 'happy_account', 'item'])
  })

  it('says that a column may be NULL while its NOT NULL was never validated', async () => {
    await pool.query(`create table loose (id int primary key, title text);
      insert into loose values (1, null); alter table loose add constraint filled not null title not valid`)
    const { tables } = await describeTables()
    expect(tables.loose?.columns.title).toEqual({ type: 'text', nullable: true })
    await pool.query('drop table loose')
  })

  it('is read with 5 statements, however many tables there are', async () => {
    const statements: string[] = []
    const snapshot = await new PoolDatabase(pool).openSnapshot()
    await describePostgres(
      {
        query: (statement, parameters, options) => {
          statements.push(statement.text)
          return snapshot.query(statement, parameters, options)
        },
      },
      {},
    )
    await snapshot.close()
    expect(statements).toHaveLength(5)
  })
})

describe('kithgraph introspect, with Postgres', () => {
  it('writes a file that compiles, with the same bytes each time, and without values', async () => {
    const [first, second] = [join(folder.path, 'first.ts'), join(folder.path, 'second.ts')]
    expect(await introspect('--out', first)).toEqual({
      status: 0,
      lines: [`wrote ${first}: 7 tables`],
      errors: [],
    })
    await introspect('--out', second)
    const text = readFileSync(first, 'utf8')
    expect(readFileSync(second, 'utf8')).toBe(text)
    expect(text).not.toContain(MARKER)
    expect(compile({ 'db.ts': text }).errors).toEqual([])
  })

  it('prints the description without --out', async () => {
    const { status, lines } = await introspect()
    expect({ status, text: lines.join('\n') }).toEqual({
      status: 0,
      text: expect.stringContaining('public_item: {'),
    })
  })

  it('rejects a schema that does not exist', async () => {
    const { status, errors } = await runCli(['introspect', url, '--schemas', 'public,other'])
    expect(status).toBe(2)
    expect(errors.join()).toMatch(/the database has no schema "other"/)
  })

  it('rejects a database without such tables', async () => {
    const { status, errors } = await introspect('--tables', 'other*')
    expect({ status, errors }).toEqual({ status: 2, errors: ['kithgraph: the database has no such tables'] })
  })

  it.each([
    ['alter table account add column added text', 'new: "account" column "added" text, nullable'],
    ['alter table account drop column birthday', 'removed: "account" column "birthday" was date, nullable'],
    [
      'alter table account alter column handle drop not null',
      'changed: "account" column "handle" from text to text, nullable',
    ],
    [
      'alter table account alter column balance type numeric(12, 3)',
      'changed: "account" column "balance" from numeric with scale 2, default to numeric with scale 3',
    ],
    [
      `alter type mood add value '${MARKER}'`,
      `changed: "account" column "mood" from "public"."mood", labels ("happy", "it's \\"fine\\"", "żółty"), default to "public"."mood", labels ("happy", "it's \\"fine\\"", "żółty", "${MARKER}"), default`,
    ],
    [
      'alter table shop.item drop constraint item_pkey cascade',
      'changed: "shop_item" key from ("shelf", "code") to ()',
    ],
    ['create table added (id int primary key)', 'new: table "added"'],
    ['drop view happy_account', 'removed: table "happy_account"'],
    [
      'alter table item disable row level security',
      'changed: "public_item" row-level security from on to off',
    ],
    ['create index on item (owner_id, id)', 'new: "public_item" index ("owner_id", "id")'],
    ['create unique index on item (owner_id)', 'new: "public_item" unique ("owner_id")'],
    [
      'alter table item drop constraint item_owner_id_fkey',
      'removed: "public_item" foreign key ("owner_id") to "account" ("id")',
    ],
  ])('finds with --check, with the status 1: %s', async (change, line) => {
    // A module is imported once per process.
    const file = join(folder.path, `checked-${++files}.ts`)
    await pool.query('drop schema public, shop, "Odd ""Schema""" cascade; create schema public')
    await pool.query(DESCRIBED_TABLES)
    await introspect('--out', file)
    expect(await introspect('--out', file, '--check')).toMatchObject({ status: 0 })
    await pool.query(change)
    const { status, lines } = await introspect('--out', file, '--check')
    expect(status).toBe(1)
    expect(lines).toContain(line)
    expect(lines.at(-1)).toMatch(/^compared .* with \d+ tables: \d+ differences?$/)
  })

  it('describes 200 tables in 2 seconds', async () => {
    const tables = Array.from({ length: 200 }, (_, n) => {
      const columns = Array.from({ length: 10 }, (_, column) => `c${column} text not null`)
      const parent = n === 0 ? '' : `, parent int references many.t${n - 1}`
      return `create table many.t${n} (id int primary key, ${columns.join(', ')}${parent}); create index on many.t${n} (c0, id);`
    })
    await pool.query(`create schema many; ${tables.join('\n')}`)
    const start = performance.now()
    const { status } = await runCli([
      'introspect',
      url,
      '--schemas',
      'many',
      '--out',
      join(folder.path, 'many.ts'),
    ])
    expect({ status, isFast: performance.now() - start < 2000 }).toEqual({ status: 0, isFast: true })
  })
})
