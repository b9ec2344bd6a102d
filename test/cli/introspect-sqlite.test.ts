import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createGraph } from 'kithgraph'
import { collection, createTableStore, defineTables } from 'kithgraph/tables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeSqlite } from '../../src/tables/introspect/describe-sqlite.ts'
import { PROJECT, runCli } from '../helpers/run-cli.ts'
import { SHOP_MARKER, SHOP_TABLES } from '../helpers/shop-tables.ts'
import { createTemporaryFolder, openBetterSqlite, openNodeSqlite } from '../helpers/sqlite-databases.ts'
import { compile } from '../types/compiler.ts'

const MARKER = 'M4RK3R'

const TABLES = `
  create table Owner (
    id integer primary key, Name text not null collate nocase, born date, seen datetime, at timestamp,
    settings json, is_open boolean, size double, price decimal(10, 2), code varchar(3) collate rtrim,
    photo blob, anything, upper_name text generated always as (upper(Name)), note text default '${MARKER}');
  create index owner_name on Owner (Name, born desc);
  create index owner_expression on Owner (born, lower(Name), size);
  create index owner_collated on Owner (born, Name collate binary);
  create index owner_open on Owner (seen) where is_open;
  create table tag (label text primary key, owner integer references owner);
  create unique index tag_owner on tag (owner, label);
  create table part (owner_id integer, number integer, text text not null, primary key (number, owner_id),
    foreign key (owner_id) references Owner (ID)) without rowid;
  create index part_text on part (text);
  create table piece (id integer primary key desc, owner_id int, number int,
    foreign key (number, owner_id) references part, foreign key (owner_id) references missing (id));
  create table exact (id integer primary key, anything any) strict;
  create view named as select id, Name from Owner;
  create virtual table search using fts5 (words);
  create table "odd 'table'" ("__proto__" integer primary key, "a""b" text);
  insert into Owner (Name, photo) values ('${MARKER}', '${MARKER}');
`

let folder: ReturnType<typeof createTemporaryFolder>
let path: string
beforeAll(() => {
  folder = createTemporaryFolder()
  path = join(folder.path, 'tables.db')
  const database = new Database(path)
  database.exec(TABLES)
  database.close()
})
afterAll(() => folder.remove())

const describeTables = (patterns?: readonly string[]) => {
  const database = openBetterSqlite(path)
  try {
    return describeSqlite(database, { patterns }).tables
  } finally {
    database.close()
  }
}

describe('the description of a SQLite database', () => {
  it('has types by the declared names, or by affinity', () => {
    const types = Object.entries(describeTables().Owner?.columns ?? {}).map(([name, { type }]) => [
      name,
      type,
    ])
    expect(Object.fromEntries(types)).toEqual({
      id: 'integer',
      Name: 'text',
      born: 'date',
      seen: 'datetime',
      at: 'datetime',
      settings: 'json',
      is_open: 'boolean',
      size: 'real',
      price: 'numeric',
      code: 'text',
      photo: 'blob',
      anything: 'any',
      upper_name: 'text',
      note: 'text',
    })
    expect(describeTables().exact?.columns.anything?.type).toBe('any')
  })

  it('has the type text for names of types whose values are texts, although SQLite does not know them', () => {
    const database = openBetterSqlite(':memory:')
    try {
      database.exec(`create table doc (
        id uuid primary key, other guid, title string, at time, state enum, short string(20))`)
      const columns = Object.values(describeSqlite(database, {}).tables.doc?.columns ?? {})
      expect(columns).toHaveLength(6)
      for (const column of columns) expect(column).toEqual({ type: 'text', nullable: true, inexact: true })
    } finally {
      database.close()
    }
  })

  it('has the type blob for names of bytes, and the type any for a column without a type', () => {
    const database = openBetterSqlite(':memory:')
    try {
      database.exec('create table file (a binary(16), b varbinary, c image, d bytea, untyped, any_type any)')
      const columns = Object.entries(describeSqlite(database, {}).tables.file?.columns ?? {})
      const types = Object.fromEntries(columns.map(([name, { type }]) => [name, type]))
      const blobs = { a: 'blob', b: 'blob', c: 'blob', d: 'blob' }
      expect(types).toEqual({ ...blobs, untyped: 'any', any_type: 'any' })
    } finally {
      database.close()
    }
  })

  it('has the index of a column whose texts SQLite may store as numbers', () => {
    const database = openBetterSqlite(':memory:')
    try {
      database.exec('create table doc (id uuid primary key, title string collate nocase)')
      database.exec('create index doc_title on doc (title, id); create index doc_id on doc (id, title)')
      const indexes = [{ columns: ['id', 'title'] }, { columns: ['id'] }, { columns: ['title', 'id'] }]
      expect(describeSqlite(database, {}).tables.doc?.indexes).toEqual(indexes)
    } finally {
      database.close()
    }
  })

  it('shows the texts of columns of the types uuid, string and any, and those that SQLite stores as numbers', async () => {
    const database = openBetterSqlite(':memory:')
    database.exec(`
      create table doc (id uuid primary key, title string, note);
      insert into doc values
        ('0190f3c2-0000-7000-8000-000000000001', 'First', 'text'), ('00000000-0000-0000-0000-0000000000e1', '0042', 4.5),
        ('7', 'No key', x'00ff')`)
    const { schema, tables } = defineTables(
      describeSqlite(database, {}),
      { doc: { over: 'doc', fields: { title: { default: true }, note: { as: 'text', default: true } } } },
      { collections: { docs: collection('doc', {}) } },
    )
    const graph = createGraph(createTableStore(database, { tables }), {
      schema,
      secret: 'at least 16 characters',
    })
    const session = graph.session({ app: 'web' })
    const first = { id: 'doc-0190f3c2-0000-7000-8000-000000000001', title: 'First', note: 'text' }
    const next = { id: 'doc-00000000-0000-0000-0000-0000000000e1', title: '42', note: '4.5' }
    expect((await graph.getEdge(session, { id: 'root', edge: 'docs' })).data).toEqual([first, next])
    expect(await graph.getNode(session, { id: next.id })).toEqual(next)
    await graph.close()
    database.close()
  })

  it('says how many digits a number has after its point, if its type does', () => {
    const { price, size } = describeTables().Owner?.columns ?? {}
    expect(price).toEqual({ type: 'numeric', nullable: true, scale: 2 })
    expect(size).toEqual({ type: 'real', nullable: true })
  })

  it('says that columns with the collations NOCASE and RTRIM are inexact', () => {
    const columns = describeTables().Owner?.columns ?? {}
    expect(columns.Name).toEqual({ type: 'text', inexact: true })
    expect(columns.code).toMatchObject({ inexact: true })
    expect(columns.note).toEqual({ type: 'text', nullable: true, default: true })
    expect(describeTables().named?.columns.Name).toMatchObject({ inexact: true })
  })

  it('says which keys always have a value: those of rowids and of tables without them', () => {
    const { Owner, tag, part, piece } = describeTables()
    expect(Owner?.columns.id).toEqual({ type: 'integer', default: true })
    expect(tag?.columns.label).toEqual({ type: 'text', nullable: true })
    expect(part?.columns.number).toEqual({ type: 'integer' })
    expect(piece?.columns.id).toEqual({ type: 'integer', nullable: true })
  })

  it('has the key in its order, and generated columns with a default', () => {
    const { part, Owner } = describeTables()
    expect(part?.key).toEqual(['number', 'owner_id'])
    expect(Owner?.columns.upper_name).toMatchObject({ default: true })
  })

  it('has foreign keys regardless of the case of names, and without named columns', () => {
    const { tag, part, piece } = describeTables()
    expect(tag?.foreignKeys).toEqual([{ columns: ['owner'], table: 'Owner', references: ['id'] }])
    expect(part?.foreignKeys).toEqual([{ columns: ['owner_id'], table: 'Owner', references: ['id'] }])
    expect(piece?.foreignKeys).toEqual([
      { columns: ['number', 'owner_id'], table: 'part', references: ['number', 'owner_id'] },
    ])
  })

  it('has the columns that an index begins with, and those that SQLite adds: the rowid or the key', () => {
    const { Owner, part, tag } = describeTables()
    expect(Owner?.indexes).toEqual([
      { columns: ['Name', 'born', 'id'], descending: ['born'] },
      { columns: ['born'] },
      { columns: ['id'] },
      { columns: ['seen', 'id'], partial: true, where: 'is_open' },
    ])
    expect(part?.indexes).toEqual([
      { columns: ['number', 'owner_id'] },
      { columns: ['text', 'number', 'owner_id'] },
    ])
    expect(tag?.uniques).toEqual([['owner', 'label']])
  })

  it('has views without a key, and leaves out views that cannot be read and virtual tables', () => {
    const database = openBetterSqlite(':memory:')
    database.exec(
      'create table a (id integer); create view b as select id from a; create view c as select id from b',
    )
    database.exec('pragma legacy_alter_table = on; pragma writable_schema = on; drop table a')
    expect(Object.keys(describeSqlite(database, {}).tables)).toEqual([])
    database.close()
    const tables = describeTables()
    expect(tables.named).toMatchObject({ view: true, key: [], indexes: [] })
    expect(Object.keys(tables).filter(name => name.startsWith('search'))).toEqual([])
  })

  it.runIf(openNodeSqlite)('is equal with node:sqlite', () => {
    const database = openNodeSqlite?.(path)
    if (database === undefined) return
    expect(describeSqlite(database, {}).tables).toEqual(describeTables())
    database.close()
  })
})

describe('kithgraph introspect, with SQLite', () => {
  const introspect = (...args: readonly string[]) => runCli(['introspect', `sqlite:${path}`, ...args])

  it('writes a file that compiles, with the same bytes each time, and without values', async () => {
    const [first, second] = [join(folder.path, 'first.ts'), join(folder.path, 'second.ts')]
    const before = readFileSync(path)
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
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('writes a file that the formatter Biome does not change, whatever its options are', async () => {
    const file = join(folder.path, 'formatted.ts')
    await introspect('--out', file)
    const text = readFileSync(file, 'utf8')
    const biome = join(PROJECT, 'node_modules/.bin/biome')
    const format = (input: string): string =>
      execFileSync(biome, ['format', '--stdin-file-path=db.ts'], {
        cwd: folder.path,
        input,
        encoding: 'utf8',
      })
    expect(format(text)).toBe(text)
    expect(format('const a = [\n1]')).toBe('const a = [1];\n')
  })

  it('writes the description that the guide about existing tables shows for SQLite', async () => {
    const guide = readFileSync(join(PROJECT, 'docs/existing-database.md'), 'utf8')
    const findBlock = (pattern: RegExp): string => pattern.exec(guide)?.[1] ?? ''
    const file = join(folder.path, 'notes.db')
    const database = new Database(file)
    database.exec(findBlock(/notes-database\.ts[^`]*?database\.exec\(`([^`]*)`/))
    database.close()
    const { lines } = await runCli(['introspect', `sqlite:${file}`])
    const [, ...description] = lines.join('\n').split('\n')
    expect(findBlock(/```ts\n\/\/ notes-db\.ts\n([\s\S]*?)```/).trim()).toBe(description.join('\n'))
  })

  it('compares a file with the database', async () => {
    const file = join(folder.path, 'checked.ts')
    await introspect('--out', file)
    expect(await introspect('--out', file, '--check')).toEqual({
      status: 0,
      errors: [],
      lines: [`compared ${file} with 7 tables: no differences`],
    })
    writeFileSync(join(folder.path, 'other.ts'), "export const db = { dialect: 'postgres', tables: {} }")
    const other = await introspect('--out', join(folder.path, 'other.ts'), '--check')
    expect(other).toMatchObject({
      status: 2,
      errors: [expect.stringContaining('describes a database of postgres, not of sqlite')],
    })
    writeFileSync(join(folder.path, 'none.ts'), 'export const db = {}')
    const none = await introspect('--out', join(folder.path, 'none.ts'), '--check')
    expect(none).toMatchObject({ status: 2, errors: [expect.stringContaining('must export a description')] })
  })

  it('rejects options and databases that it does not have', async () => {
    expect(await introspect('--schemas', 'main')).toMatchObject({
      status: 2,
      errors: [expect.stringContaining('--schemas requires a Postgres URL')],
    })
    expect(await runCli(['introspect', 'redis://127.0.0.1'])).toMatchObject({
      status: 2,
      errors: [expect.stringContaining('a database with tables is in Postgres or SQLite')],
    })
  })

  it('writes a graph whose times are read as they are stored', async () => {
    const shop = join(folder.path, 'shop.db')
    const database = new Database(shop)
    database.exec(SHOP_TABLES)
    database.exec(`create table event (id integer primary key, seconds datetime, milliseconds datetime, empty datetime);
      insert into event values (1, 1767225600, 1767225600000, null)`)
    database.close()
    const [file, graphFile] = [join(folder.path, 'shop.ts'), join(folder.path, 'shop-graph.ts')]
    const args = ['introspect', `sqlite:${shop}`, '--out', file, '--graph', graphFile]
    expect(await runCli(args)).toMatchObject({ status: 0, errors: [] })
    const graph = readFileSync(graphFile, 'utf8')
    for (const field of [
      "created_at: { as: 'iso' }",
      "seconds: { as: 'unixSeconds' }",
      "milliseconds: { as: 'unixMs' }",
      "empty: { as: 'iso' }",
      "import { db } from './shop.ts'",
    ])
      expect(graph).toContain(field)
    expect(graph).not.toContain(SHOP_MARKER)
    const texts = { 'shop.ts': readFileSync(file, 'utf8'), 'graph.ts': graph }
    expect(compile(texts).errors).toEqual([])
    const { schema } = await import(graphFile)
    expect(Object.keys(schema.types)).toEqual(['customer', 'event', 'product', 'purchase', 'root'])
  })

  it('writes a graph over a join table whose columns have the names of other fields', async () => {
    const blog = join(folder.path, 'blog.db')
    const database = new Database(blog)
    database.exec(`create table post (id integer primary key, created_at text not null);
      create table tag (id integer primary key, created_at text not null);
      create table post_tag (post_id integer not null references post, tag_id integer not null references tag,
        created_at text not null, primary key (post_id, tag_id))`)
    database.close()
    const [file, graphFile] = [join(folder.path, 'blog.ts'), join(folder.path, 'blog-graph.ts')]
    const result = await runCli(['introspect', `sqlite:${blog}`, '--out', file, '--graph', graphFile])
    expect(result).toMatchObject({ status: 0, errors: [] })
    expect(readFileSync(graphFile, 'utf8')).toContain(
      "fields: { post_tag_created_at: { column: 'created_at' } }",
    )
    const { schema } = await import(graphFile)
    expect(Object.keys(schema.types)).toEqual(['post', 'tag', 'root'])
  })

  it('writes no file if one of them cannot be written', async () => {
    const [file, graphFile] = [join(folder.path, 'whole.ts'), join(folder.path, 'whole-graph.ts')]
    writeFileSync(graphFile, '')
    for (const [out, graph, error] of [
      [file, graphFile, 'exists already'],
      [file, join(folder.path, 'no', 'graph.ts'), 'does not exist'],
      [join(folder.path, 'no', 'db.ts'), join(folder.path, 'other.ts'), 'does not exist'],
    ] as const) {
      const result = await introspect('--out', out, '--graph', graph)
      expect(result).toEqual({ status: 2, lines: [], errors: [expect.stringContaining(error)] })
    }
    expect(existsSync(file)).toBe(false)
    expect(readFileSync(graphFile, 'utf8')).toBe('')
  })
})
