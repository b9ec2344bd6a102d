import { namedId } from 'kithgraph'
import { back, collection, defineTables, ref, through } from 'kithgraph/tables'
import type { StoreRecords } from '../../src/testing/read-only/store-records.ts'

/** Keys that break careless SQL, ids or JSON. */
export const HOSTILE_KEYS = [
  "it's",
  '"quoted"',
  '\'); drop table "Post\'s"; --',
  '$1',
  '$values',
  '%s {0} \\ \\u0000',
  'two words',
  'very~long-_.name',
  '',
  ' ',
  'ÄÖ – 日本語 🎉',
  '\ufeffbom',
  'null',
  'root',
  'line\nbreak\ttab',
  'UPPER',
  'upper',
  'x'.repeat(190),
] as const

/** A key whose id would be too long, so that its row is no node. */
export const TOO_LONG_KEY = 'é'.repeat(40)

const UUID_TAIL = '-0000-4000-8000-000000000000'
export const personKey = (index: number): string => `${`${index}`.padStart(8, '0')}${UUID_TAIL}`
export const START_TIME = Date.UTC(1969, 11, 31, 23, 59, 59, 990)

/** The name of a table with upper case, a quote and 63 bytes. */
export const LONG_TABLE = `Likes "of" ${'ü'.repeat(26)}`

const column = (type: string, options: object = {}) => ({ type, ...options })
const NO_KEYS = { foreignKeys: [], uniques: [], indexes: [] }

const description = {
  dialect: 'postgres',
  tables: {
    person: {
      name: 'select',
      schema: 'Order',
      columns: { id: column('uuid'), 'full name': column('text') },
      key: ['id'],
      ...NO_KEYS,
    },
    post: {
      name: "Post's",
      schema: 'Order',
      columns: {
        'the "key"': column('text'),
        author: column('uuid', { nullable: true }),
        when: column('timestamptz'),
      },
      key: ['the "key"'],
      ...NO_KEYS,
      foreignKeys: [{ columns: ['author'], table: 'person', references: ['id'] }],
    },
    like: {
      name: LONG_TABLE,
      schema: 'Order',
      columns: {
        user: column('uuid'),
        post: column('text'),
        at: column('timestamptz'),
        weight: column('int4', { nullable: true }),
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

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Creates the tables. */
export const POST_DDL = `
create schema "Order";
create table "Order"."select" (id uuid primary key, "full name" text not null);
create table "Order"."Post's" (
  "the ""key""" text primary key, author uuid references "Order"."select", "when" timestamptz not null
);
create index on "Order"."Post's" (author, "when", "the ""key""");
create table "Order".${quote(LONG_TABLE)} (
  "user" uuid not null references "Order"."select", post text not null references "Order"."Post's",
  at timestamptz not null, weight int, primary key ("user", post)
);
create index on "Order".${quote(LONG_TABLE)} ("user", at, post)`

/** A graph over tables whose names and keys are hostile. */
export const posts = defineTables(
  description,
  {
    person: {
      over: 'person',
      fields: { name: { column: 'full name' } },
      edges: {
        posts: back('post', 'author', { by: 'when' }),
        likes: through('like', 'user', 'post', 'post', { by: 'at', fields: { weight: true } }),
      },
    },
    post: { over: 'post', fields: { author: ref('person', 'author') } },
  },
  { viewers: ['person'], collections: { people: collection('person') } },
)

export const PEOPLE = Array.from({ length: 6 }, (_, index) => ({
  id: personKey(index),
  name: `Name ${index}`,
}))
export const POSTS = HOSTILE_KEYS.map((key, index) => ({
  key,
  author: index % 5 === 0 ? null : personKey(index % 3),
  time: START_TIME + index * 3,
}))
export const LIKES = POSTS.flatMap(({ key }, index) =>
  [0, 1].map(user => ({
    user: personKey(user),
    key,
    time: START_TIME - 7 * index + user,
    weight: index % 2 === 0 ? index : null,
  })),
)

/** The records of the tables. */
export const postRecords: StoreRecords = {
  nodes: [
    ...PEOPLE.map(({ id, name }) => ({ id: namedId('person', id), type: 'person', fields: { name } })),
    ...POSTS.map(({ key, author }) => ({
      id: namedId('post', key),
      type: 'post',
      fields: author === null ? {} : { author: namedId('person', author) },
    })),
  ],
  edges: [
    ...POSTS.flatMap(({ key, author, time }) =>
      author === null
        ? []
        : [{ source: namedId('person', author), name: 'posts', target: namedId('post', key), time }],
    ),
    ...LIKES.map(({ user, key, time, weight }) => ({
      source: namedId('person', user),
      name: 'likes',
      target: namedId('post', key),
      time,
      data: weight === null ? {} : { weight },
    })),
  ],
  tokens: [],
}

/** The records of the tables in Postgres. The key of a position is its time in microseconds. */
export const postgresPostRecords: StoreRecords = {
  ...postRecords,
  edges: postRecords.edges
    .map(edge => ({ ...edge, key: `${edge.time * 1000}` }))
    .sort((a, b) => a.time - b.time),
}

/** The required part of a client of Postgres. */
type Client = { query(text: string, values: unknown[]): Promise<unknown> }

/** Fills the tables. */
export const fillPosts = async (client: Client): Promise<void> => {
  const insert = async (table: string, rows: readonly object[], columns: string): Promise<void> => {
    const text = `insert into "Order".${quote(table)} select * from json_to_recordset($1::json) as t(${columns})`
    await client.query(text, [JSON.stringify(rows)])
  }
  const timeOf = (time: number): string => new Date(time).toISOString()
  await insert('select', PEOPLE, 'id uuid, name text')
  await insert(
    "Post's",
    [...POSTS, { key: TOO_LONG_KEY, author: personKey(1), time: START_TIME }].map(post => ({
      ...post,
      time: timeOf(post.time),
    })),
    'key text, author uuid, time timestamptz',
  )
  await insert(
    LONG_TABLE,
    LIKES.map(like => ({ ...like, time: timeOf(like.time) })),
    '"user" uuid, key text, time timestamptz, weight int',
  )
}
