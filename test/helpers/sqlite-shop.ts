import { back, collection, defineTables, fromSession, ref, through } from 'kithgraph/tables'

const column = (type: string, details: object = {}) => ({ type, ...details })
const nullable = { nullable: true } as const

/** The tables of a shop in SQLite: {@link SHOP_DDL} creates them. */
const description = {
  dialect: 'sqlite',
  tables: {
    customer: {
      name: 'customer',
      columns: {
        id: column('integer'),
        tenant: column('integer'),
        name: column('text'),
        active: column('boolean'),
        balance: column('numeric', { scale: 2, ...nullable }),
        born: column('date', nullable),
        settings: column('json', nullable),
        avatar: column('blob', nullable),
        item_count: column('integer'),
        deleted_at: column('integer', nullable),
      },
      key: ['id'],
      foreignKeys: [],
      uniques: [],
      indexes: [],
    },
    item: {
      name: 'item',
      columns: {
        sku: column('text'),
        customer_id: column('integer', nullable),
        title: column('text', nullable),
        price: column('real', nullable),
        rank: column('integer', nullable),
        ms: column('integer'),
        seconds: column('integer', nullable),
        iso: column('datetime', nullable),
        deleted_at: column('integer', nullable),
      },
      key: ['sku'],
      foreignKeys: [{ columns: ['customer_id'], table: 'customer', references: ['id'] }],
      uniques: [],
      indexes: [],
    },
    likes: {
      name: 'likes',
      columns: {
        customer_id: column('integer'),
        sku: column('text'),
        weight: column('integer', nullable),
        at: column('datetime'),
      },
      key: ['customer_id', 'sku'],
      foreignKeys: [
        { columns: ['customer_id'], table: 'customer', references: ['id'] },
        { columns: ['sku'], table: 'item', references: ['sku'] },
      ],
      uniques: [],
      indexes: [],
    },
  },
} as const

/** The statements that create the tables. No foreign key is enforced, so that tests can store any row. */
export const SHOP_DDL = `
create table customer (
  id integer primary key, tenant integer, name text, active boolean, balance numeric(10, 2), born date, settings json,
  avatar blob, item_count integer, deleted_at integer
);
create table item (
  sku text primary key, customer_id integer, title text, price real, rank integer, ms integer, seconds integer,
  iso datetime, deleted_at integer
);
create index item_ms on item (customer_id, ms, sku);
create index item_seconds on item (customer_id, seconds, sku);
create index item_iso on item (customer_id, iso, sku);
create index item_title on item (customer_id, title, sku);
create index item_price on item (customer_id, price, sku);
create index item_sku on item (customer_id, sku);
create index item_all on item (ms, sku);
create table likes (customer_id integer, sku text, weight integer, at datetime, primary key (customer_id, sku));
create index likes_at on likes (customer_id, at, sku);`

/** A graph over the tables of a shop, with every kind of order of SQLite. */
export const shop = defineTables(
  description,
  {
    customer: {
      over: 'customer',
      where: { tenant: fromSession(session => session.claims?.tenant) },
      fields: {
        name: true,
        active: true,
        balance: true,
        born: { as: 'iso' },
        settings: true,
        avatar: { as: 'text' },
      },
      edges: {
        by_ms: back('item', 'customer_id', { by: 'ms' }),
        by_seconds: back('item', 'customer_id', { by: 'seconds', as: 'unixSeconds', nulls: 'skip' }),
        by_iso: back('item', 'customer_id', { by: 'iso', as: 'iso', nulls: 'end', count: 'exact' }),
        by_title: back('item', 'customer_id', { by: 'title', nulls: 'end', count: 3 }),
        by_price: back('item', 'customer_id', {
          by: 'price',
          nulls: 'skip',
          count: { column: 'item_count' },
        }),
        by_sku: back('item', 'customer_id', { count: 'exact' }),
        likes: through('likes', 'customer_id', 'item', 'sku', {
          by: 'at',
          as: 'iso',
          count: 'exact',
          fields: { weight: true },
        }),
      },
    },
    item: {
      over: 'item',
      where: { deleted_at: null },
      fields: {
        title: true,
        price: true,
        rank: true,
        made_time: { column: 'ms', as: 'unixMs' },
        seconds_time: { column: 'seconds', as: 'unixSeconds' },
        iso_time: { column: 'iso', as: 'iso' },
        customer: ref('customer', 'customer_id'),
      },
    },
  },
  { viewers: ['customer'], collections: { items: collection('item', { by: 'ms' }) } },
)

/** The session of the tenant whose customers the tests read. */
export const SHOP_SESSION = { viewer: undefined, app: 'test', scopes: [], claims: { tenant: 1 } }
