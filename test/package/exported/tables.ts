import { createGraph, field, isViewer, parameter } from 'kithgraph'
import {
  back,
  collection,
  createTableStore,
  type DatabaseDescription,
  defineTables,
  json,
  ref,
  through,
} from 'kithgraph/tables'

const id = { type: 'integer', default: true } as const
const shared = { uniques: [], indexes: [] } as const

export const db = {
  dialect: 'sqlite',
  tables: {
    author: {
      name: 'author',
      columns: { id, full_name: { type: 'text' }, settings: { type: 'json', nullable: true } },
      key: ['id'],
      foreignKeys: [],
      ...shared,
    },
    book: {
      name: 'book',
      columns: { id, author_id: { type: 'integer' }, title: { type: 'text' }, printed: { type: 'integer' } },
      key: ['id'],
      foreignKeys: [{ columns: ['author_id'], table: 'author', references: ['id'] }],
      ...shared,
    },
    likes: {
      name: 'likes',
      columns: { author_id: { type: 'integer' }, book_id: { type: 'integer' }, stars: { type: 'integer' } },
      key: ['author_id', 'book_id'],
      foreignKeys: [
        { columns: ['author_id'], table: 'author', references: ['id'] },
        { columns: ['book_id'], table: 'book', references: ['id'] },
      ],
      ...shared,
    },
  },
} as const satisfies DatabaseDescription

export const { schema, tables } = defineTables(
  db,
  {
    author: {
      over: 'author',
      fields: {
        full_name: { default: true },
        settings: { as: json<{ theme: string }>(), policy: [isViewer()] },
        shout: field.string({ resolve: records => records.map(({ fields }) => `${fields.full_name}!`) }),
      },
      edges: {
        books: back('book', 'author_id', {
          by: 'title',
          orders: { newest: { by: 'printed' } },
          parameters: { printed: parameter.bool() },
          count: 'exact',
        }),
        likes: through('likes', 'author_id', 'book', 'book_id', { fields: { stars: true } }),
      },
    },
    book: {
      over: 'book',
      fields: { title: { default: true }, printed: { as: 'unixMs' }, author: ref('author', 'author_id') },
    },
  },
  { viewers: ['author'], collections: { books: collection('book', { by: 'title' }) } },
)

export const camel = defineTables(
  db,
  {
    author: { over: 'author', fields: { fullName: true }, edges: { books: back('book', 'authorId') } },
    book: { over: 'book', fields: { title: true } },
  },
  { names: 'camel' },
)

/** Creates the graph of a database. */
export const createTableGraph = (database: Parameters<typeof createTableStore>[0]) =>
  createGraph(createTableStore(database, { tables }), { schema })
