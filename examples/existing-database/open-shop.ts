import Database from 'better-sqlite3'
import { createGraph, type Graph, type Schema, type Store } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { createTableStore, type Tables } from 'kithgraph/tables'
import pg from 'pg'
import * as sqliteShop from './graph.ts'
import * as postgresShop from './postgres/graph.ts'
import { createShopSql, POSTGRES_SCHEMA } from './shop/shop-sql.ts'

/** A secret that everyone can read is acceptable only in an example. */
const SECRET = 'everyone can read this secret'

/** Creates the shop in a SQLite database in memory. */
export const createSqliteShop = (): Database.Database =>
  new Database(':memory:').exec(createShopSql('sqlite'))

/** Connects to a Postgres database, and creates the shop in its schema `music_shop` unless it exists. */
export const openPostgresShop = async (url: string): Promise<pg.Pool> => {
  const pool = new pg.Pool({ connectionString: url })
  // Without a listener, a broken idle connection of the pool would end the process.
  pool.on('error', () => {})
  try {
    const { rows } = await pool.query('select to_regnamespace($1) is not null as exists', [POSTGRES_SCHEMA])
    if (!rows[0].exists) await pool.query(createShopSql('postgres'))
    return pool
  } catch (cause) {
    await pool.end()
    throw cause
  }
}

type Shop = { readonly schema: Schema; readonly tables: Tables }

/** Returns a store that also ends its client when it is closed. A store never does this itself. */
const withClient = (store: Store, end: () => unknown): Store => ({
  ...store,
  close: async () => {
    await store.close()
    await end()
  },
})

/**
 * Opens a graph over the shop: in SQLite, or in the Postgres database of a URL. Its results have the loose types of any
 * graph, because the same columns have different types in the two databases: `numeric` is a text in Postgres only.
 */
export const openShop = async (url?: string): Promise<Graph> => {
  const tokens = createMemoryStore()
  if (url === undefined) {
    const { schema, tables }: Shop = sqliteShop
    const database = createSqliteShop()
    const store = withClient(createTableStore(database, { tables, tokens }), () => database.close())
    return createGraph(store, { schema, secret: SECRET })
  }
  const { schema, tables }: Shop = postgresShop
  const pool = await openPostgresShop(url)
  const store = withClient(createTableStore(pool, { tables, tokens }), () => pool.end())
  return createGraph(store, { schema, secret: SECRET })
}
