import { type DatabaseDescription, defineTables } from 'kithgraph/tables'
import { studioDescription } from './studio-description.ts'

const plain = { foreignKeys: [], uniques: [], indexes: [] } as const

/** The tables of the studio, and some that only declarations with errors use. */
export const postgres: DatabaseDescription = {
  dialect: 'postgres',
  tables: {
    ...studioDescription.tables,
    log: { ...plain, name: 'log', columns: { at: { type: 'timestamptz' }, text: { type: 'text' } }, key: [] },
    measure: { ...plain, name: 'measure', columns: { value: { type: 'float8' } }, key: ['value'] },
    visit: {
      ...plain,
      name: 'visit',
      columns: { account_id: { type: 'int8' }, photo_id: { type: 'int4' }, kind: { type: 'text' } },
      key: [],
      uniques: [['account_id', 'photo_id', 'kind']],
    },
    likes: {
      ...plain,
      name: 'likes',
      columns: { seller_id: { type: 'int8' }, account_id: { type: 'int8' } },
      key: ['seller_id', 'account_id'],
      foreignKeys: [
        { columns: ['seller_id'], table: 'seller', references: ['id'] },
        { columns: ['account_id'], table: 'account', references: ['id'] },
      ],
    },
    slug: {
      ...plain,
      name: 'slug',
      columns: { slug: { type: 'text' }, team: { type: 'text' }, org: { type: 'int8' } },
      key: ['slug'],
      foreignKeys: [{ columns: ['team'], table: 'org', references: ['name'] }],
    },
    profile: {
      ...plain,
      name: 'profile',
      columns: { account_id: { type: 'int8' }, motto: { type: 'text' } },
      key: ['account_id'],
      foreignKeys: [{ columns: ['account_id'], table: 'account', references: ['id'] }],
    },
    medal: {
      ...plain,
      name: 'medal',
      columns: { id: { type: 'int8' }, profile_id: { type: 'int8' } },
      key: ['id'],
      foreignKeys: [{ columns: ['profile_id'], table: 'profile', references: ['account_id'] }],
    },
    known_account: {
      ...plain,
      name: 'known_account',
      view: true,
      columns: { id: { type: 'int8' } },
      key: [],
    },
    seller: { ...plain, name: 'seller', columns: { id: { type: 'int8' } }, key: ['id'] },
    odd: {
      ...plain,
      name: 'odd',
      columns: {
        id: { type: 'int4' },
        span: { type: 'tstzrange' },
        wait: { type: 'interval' },
        body: { type: 'bytea' },
        where: { type: 'geometry' },
        map: { type: 'jsonb' },
        tags: { type: 'text', array: true },
        small: { type: 'int2' },
        token: { type: 'uuid' },
        on: { type: 'date' },
        at: { type: 'timestamptz' },
        ok: { type: 'bool' },
      },
      key: ['id'],
    },
  },
}

export const sqlite: DatabaseDescription = {
  dialect: 'sqlite',
  tables: {
    event: {
      ...plain,
      name: 'event',
      columns: {
        id: { type: 'integer' },
        at: { type: 'datetime' },
        day: { type: 'date' },
        note: { type: 'text' },
      },
      key: ['id'],
    },
  },
}

export const account = { over: 'account', fields: { name: true } }
export const photo = { over: 'photo', fields: { caption: true } }
export const odd = { over: 'odd', fields: {} }

/** A mistake, the declaration with this mistake, its only error, and the options. */
export type Mistake = readonly [mistake: string, types: object, error: string, options?: object]

/** Returns the errors of a declaration, without the types of TypeScript, since JavaScript has none. */
export const errorsOf = (
  types: object,
  options: object = {},
  db: DatabaseDescription = postgres,
): readonly string[] => {
  try {
    defineTables(db, types as never, options as never)
    return []
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return error.message.split('\n- ').slice(1)
  }
}
