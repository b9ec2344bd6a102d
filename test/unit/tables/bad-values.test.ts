import { collection, createTableStore, defineTables, fromSession, through } from 'kithgraph/tables'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkFields } from '../../../src/tables/check/check-fields.ts'
import { describeSqlite } from '../../../src/tables/introspect/describe-sqlite.ts'
import { openBetterSqlite } from '../../helpers/sqlite-databases.ts'

const TABLES = `
  create table item (id integer primary key, size integer, name text, born date, at datetime, tenant integer);
  create table tag (slug text primary key);
  create table item_tag (item_id integer references item, tag text references tag, weight integer, primary key (item_id, tag));
`

let database: ReturnType<typeof openBetterSqlite>
beforeEach(() => {
  database = openBetterSqlite(':memory:')
  database.exec(TABLES)
})
afterEach(() => {
  database.close()
})

const check = async () => {
  const { tables } = defineTables(
    describeSqlite(database, {}),
    {
      item: {
        over: 'item',
        where: { tenant: fromSession(() => 1) },
        fields: { size: true, name: true, born: { as: 'iso' }, time: { column: 'at', as: 'iso' } },
        edges: {
          tags: through('item_tag', 'item_id', 'tag', 'tag', {
            fields: { weight: true },
            orders: { heavy: { by: 'weight', nulls: 'end' } },
          }),
        },
      },
      tag: { over: 'tag', fields: { slug: true } },
    },
    { collections: { items: collection('item') } },
  )
  return checkFields(tables['~model'], model => createTableStore(database, { tables: { '~model': model } }))
}

const bad = (owner: string, field: string, column: string) => ({ kind: 'badValues', owner, field, column })

describe('the check of values that fields cannot show', () => {
  it('counts those of each column, with the id or the key of the first row', async () => {
    database.exec(`
      insert into item values (1, 5, 'a', '2026-01-01', '2026-01-01 10:00', 1), (2, 'five', x'00', '2026-02-30', 'soon', 1),
        (3, 'six', null, null, null, 2);
      insert into tag values ('red'), ('blue');
      insert into item_tag values (1, 'red', 1), (2, 'blue', 'much'), (3, 'blue', 'more');`)
    expect(await check()).toEqual([
      { ...bad('item', 'size', 'size'), count: 2, sampled: 3, example: 'item-2' },
      { ...bad('item', 'name', 'name'), count: 1, sampled: 3, example: 'item-2' },
      { ...bad('item', 'born', 'born'), count: 1, sampled: 3, example: 'item-2' },
      { ...bad('item', 'time', 'at'), count: 1, sampled: 3, example: 'item-2' },
      { ...bad('item.tags', 'weight', 'weight'), count: 2, sampled: 3, example: '2~blue' },
    ])
  })

  it('reads the rows with the 5,000 smallest and the 5,000 largest keys', async () => {
    database.exec(`
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 10100)
        insert into item (id, size) select i, case when i in (1, 5050, 10100) then 'text' else i end from n`)
    expect(await check()).toEqual([
      { ...bad('item', 'size', 'size'), count: 2, sampled: 10_000, example: 'item-1' },
    ])
  })

  it('finds nothing in valid values and in columns without a value', async () => {
    database.exec(
      "insert into item values (1, 5, 'a', '2026-01-01', '2026-01-01 10:00', 1), (2, null, null, null, null, 1)",
    )
    expect(await check()).toEqual([])
  })
})
