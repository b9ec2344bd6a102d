import type { JsonObject } from 'kithgraph'
import type { SqliteDatabase } from 'kithgraph/sqlite'
import { createTableStore } from 'kithgraph/tables'
import { expect, it } from 'vitest'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { describeSqlitePosts } from '../helpers/describe-sqlite-posts.ts'
import { openNodeSqlite } from '../helpers/sqlite-databases.ts'
import { SHOP_DDL, SHOP_SESSION, shop } from '../helpers/sqlite-shop.ts'

const readCustomer = async (database: SqliteDatabase, claims: JsonObject) => {
  const store = createTableStore(database, { tables: shop.tables })
  const session = { ...SHOP_SESSION, issuedAt: 0, expiresAt: undefined, claims }
  const { nodes } = await store.read(
    { ...EMPTY_REQUEST, nodes: ['customer-1'] },
    { ...UNTIMED_OPTIONS, session },
  )
  return nodes[0]
}

const testNodeSqlite = (open: (path: string) => SqliteDatabase): void => {
  describeSqlitePosts('node:sqlite', () => open(':memory:'))

  // NULL is bound as a number that SQLite does not have, which another client could treat otherwise.
  it.each<JsonObject>([{ tenant: 2 }, { tenant: null }, { tenant: 'x' }, {}])(
    'a session with the claims %j reads no row of a tenant',
    async claims => {
      const database = open(':memory:')
      database.exec(`${SHOP_DDL} insert into customer (id, tenant, name) values (1, 1, 'Ada');`)
      expect(await readCustomer(database, claims)).toBeUndefined()
      expect(await readCustomer(database, { tenant: 1 })).toMatchObject({ fields: { name: 'Ada' } })
    },
  )
}

if (openNodeSqlite === undefined)
  it.skip(`tables in node:sqlite are not tested: Node ${process.version} lacks it; 22.5 and newer have it`)
else testNodeSqlite(openNodeSqlite)
