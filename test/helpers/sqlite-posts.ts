import type { SqliteDatabase } from 'kithgraph/sqlite'
import { back, collection, defineTables, ref, through } from 'kithgraph/tables'
import type { StoreRecords } from '../../src/testing/read-only/store-records.ts'
import {
  LIKES,
  LONG_TABLE,
  PEOPLE,
  POSTS,
  personKey,
  postRecords,
  quote,
  START_TIME,
  TOO_LONG_KEY,
} from './post-tables.ts'

const column = (type: string, details: object = {}) => ({ type, ...details })
const NO_KEYS = { foreignKeys: [], uniques: [], indexes: [] }

const description = {
  dialect: 'sqlite',
  tables: {
    person: {
      name: 'select',
      columns: { id: column('text'), 'full name': column('text') },
      key: ['id'],
      ...NO_KEYS,
    },
    post: {
      name: "Post's",
      columns: {
        'the "key"': column('text'),
        author: column('text', { nullable: true }),
        when: column('datetime'),
      },
      key: ['the "key"'],
      ...NO_KEYS,
      foreignKeys: [{ columns: ['author'], table: 'person', references: ['id'] }],
    },
    like: {
      name: LONG_TABLE,
      columns: {
        user: column('text'),
        post: column('text'),
        at: column('datetime'),
        weight: column('integer', { nullable: true }),
      },
      key: ['user', 'post'],
      ...NO_KEYS,
      foreignKeys: [
        { columns: ['user'], table: 'person', references: ['id'] },
        { columns: ['post'], table: 'post', references: ['the "key"'] },
      ],
    },
  },
} as const

/** The graph of `posts` over the same tables in SQLite. */
export const sqlitePosts = defineTables(
  description,
  {
    person: {
      over: 'person',
      fields: { name: { column: 'full name' } },
      edges: {
        posts: back('post', 'author', { by: 'when', as: 'iso' }),
        likes: through('like', 'user', 'post', 'post', { by: 'at', as: 'iso', fields: { weight: true } }),
      },
    },
    post: { over: 'post', fields: { author: ref('person', 'author') } },
  },
  { viewers: ['person'], collections: { people: collection('person') } },
)

const DDL = `
create table "select" (id text primary key, "full name" text not null);
create table "Post's" ("the ""key""" text primary key, author text references "select", "when" datetime not null);
create index posts_in_order on "Post's" (author, "when", "the ""key""");
create table ${quote(LONG_TABLE)} (
  "user" text not null references "select", post text not null references "Post's", at datetime not null,
  weight int, primary key ("user", post)
);
create index likes_in_order on ${quote(LONG_TABLE)} ("user", at, post)`

/** The records of the tables. The key of a position is the text of its time. */
export const sqlitePostRecords: StoreRecords = {
  ...postRecords,
  edges: postRecords.edges
    .map(edge => ({ ...edge, key: `=${new Date(edge.time).toISOString()}` }))
    .sort((a, b) => a.time - b.time),
}

type Value = string | number | null

/** Returns a value as a literal of SQL. */
const literal = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : `${value}`

/** Creates and fills the tables. */
export const createSqlitePosts = (database: SqliteDatabase): void => {
  const insert = (table: string, rows: readonly (readonly Value[])[]): void => {
    for (const row of rows)
      database.exec(`insert into ${quote(table)} values (${row.map(literal).join(', ')})`)
  }
  const timeOf = (time: number): string => new Date(time).toISOString()
  database.exec(DDL)
  insert(
    'select',
    PEOPLE.map(({ id, name }) => [id, name]),
  )
  insert("Post's", [
    ...POSTS.map(({ key, author, time }) => [key, author, timeOf(time)]),
    [TOO_LONG_KEY, personKey(1), timeOf(START_TIME)],
  ])
  insert(
    LONG_TABLE,
    LIKES.map(({ user, key, time, weight }) => [user, key, timeOf(time), weight]),
  )
}
