import { PGlite } from '@electric-sql/pglite'
import { createGraph } from 'kithgraph'
import { collection, createTableStore, type DatabaseDescription, defineTables } from 'kithgraph/tables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let client: PGlite
beforeAll(async () => {
  client = await PGlite.create()
})
afterAll(() => client.close())

describe('rows whose ids would be too long', () => {
  it.each([
    ['text', 'text', `repeat('9', 300) || i`],
    ['numeric', 'numeric(400, 0)', 'power(10::numeric, 300) + i'],
  ] as const)(
    'are in no list and in no count of it, with a key of the type %s',
    async (type, sqlType, longKey) => {
      const table = `long_${type}`
      await client.exec(`
create table ${table} (id ${sqlType} primary key);
insert into ${table} select ${longKey} from generate_series(1, 10) as i;
insert into ${table} select i::text::${sqlType} from generate_series(1, 3) as i`)
      const shared = { schema: 'public', foreignKeys: [], uniques: [], indexes: [] } as const
      const db = {
        dialect: 'postgres',
        tables: { item: { ...shared, name: table, columns: { id: { type, scale: 0 } }, key: ['id'] } },
      } as const satisfies DatabaseDescription
      const { tables, schema } = defineTables(
        db,
        { item: { over: 'item', fields: {} } },
        { collections: { items: collection('item') } },
      )
      const store = createTableStore(client, { tables })
      const { getEdge, session } = createGraph(store, { schema, secret: 'a secret of the tests' })
      const options = { id: 'root', edge: 'items', limit: 5, summary: true } as const
      const { data, summary } = await getEdge(session({ app: 'demo' }), options)
      expect(data.map(({ id }) => id)).toEqual(['item-3', 'item-2', 'item-1'])
      expect(summary?.total_count).toBe(3)
    },
  )
})
