/** The text that each row of the shop contains. */
export const SHOP_MARKER = 'M4RK3R'

/** A shop in SQL that Postgres and SQLite share. */
export const SHOP_TABLES = `
  create table customer (
    id integer primary key, name text not null, password_digest text, api_key text not null,
    order_count integer not null default 0, created_at timestamp not null);
  create table product (slug varchar(300) primary key, title text not null, monkey_id integer, rank integer);
  create table purchase (
    id integer primary key, customer_id integer not null references customer (id), state text not null,
    placed_at timestamp, deleted_at timestamp, note text not null);
  create table line (
    purchase_id integer not null references purchase (id), product_slug varchar(300) not null references product (slug),
    amount integer not null, primary key (purchase_id, product_slug));
  create table session_token (token text primary key, customer_id integer references customer (id));
  create table log (message text);
  create index purchase_customer on purchase (customer_id, placed_at, id);
  insert into customer values
    (1, '${SHOP_MARKER} Ada', '${SHOP_MARKER}', '${SHOP_MARKER}', 2, '2026-01-01 00:00:00'),
    (2, '${SHOP_MARKER} Ben', '${SHOP_MARKER}', '${SHOP_MARKER}', 7, '2026-01-02 00:00:00');
  insert into product values ('tea', '${SHOP_MARKER}', 4, 3), ('${'é'.repeat(40)}', '${SHOP_MARKER}', 4, 1);
  insert into purchase values
    (1, 1, 'open', '2026-02-01 00:00:00', null, '${SHOP_MARKER}'),
    (2, 1, 'open', '2026-02-02 00:00:00', null, '${SHOP_MARKER}${'x'.repeat(600)}'),
    (3, 2, 'closed', null, null, '${SHOP_MARKER}');
  insert into line values (1, 'tea', 2), (2, 'tea', 1);
  insert into session_token values ('${SHOP_MARKER}', 1);
  insert into log values ('${SHOP_MARKER}');
`

/** A graph over the shop, in which `check tables` finds errors. */
export const SHOP_GRAPH = `
import { back, collection, defineTables, ref, through } from 'kithgraph/tables'
import { db } from './db.ts'

export const { schema, tables } = defineTables(
  db,
  {
    customer: {
      over: 'customer',
      fields: { name: true },
      edges: {
        purchases: back('purchase', 'customer_id', { by: 'placed_at', nulls: 'skip', count: { column: 'order_count' } }),
        open: back('purchase', 'customer_id', { by: 'note', where: { state: 'open' } }),
      },
    },
    product: { over: 'product', fields: { title: true } },
    purchase: {
      over: 'purchase',
      fields: { state: true, customer: ref('customer', 'customer_id') },
      edges: { products: through('line', 'purchase_id', 'product', 'product_slug', { by: 'amount' }) },
    },
  },
  { collections: { products: collection('product', { by: 'title' }) } },
)
export const rowSecurity = ['purchase']
`
