/** The description of the tables of the bench, as `npx kithgraph introspect --schemas social` writes it. */
import type { DatabaseDescription } from 'kithgraph/tables'

export const socialDescription = {
  dialect: 'postgres',
  tables: {
    account: {
      name: 'account',
      schema: 'social',
      columns: {
        bio: { type: 'text', nullable: true },
        created_at: { type: 'timestamptz' },
        deleted_at: { type: 'timestamptz', nullable: true },
        email: { type: 'text' },
        id: { type: 'int8' },
        name: { type: 'text' },
      },
      key: ['id'],
      foreignKeys: [],
      uniques: [],
      indexes: [{ columns: ['id'] }],
    },
    article: {
      name: 'article',
      schema: 'social',
      columns: {
        author_id: { type: 'int8' },
        body: { type: 'text' },
        created_at: { type: 'timestamptz' },
        id: { type: 'int8' },
        meta: { type: 'jsonb' },
        title: { type: 'text' },
      },
      key: ['id'],
      foreignKeys: [{ columns: ['author_id'], table: 'account', references: ['id'] }],
      uniques: [],
      indexes: [{ columns: ['author_id', 'created_at', 'id'] }, { columns: ['id'] }],
    },
    comment: {
      name: 'comment',
      schema: 'social',
      columns: {
        author_id: { type: 'int8' },
        body: { type: 'text' },
        created_at: { type: 'timestamptz' },
        deleted_at: { type: 'timestamptz', nullable: true },
        id: { type: 'uuid' },
        photo_id: { type: 'int8' },
      },
      key: ['id'],
      foreignKeys: [
        { columns: ['author_id'], table: 'account', references: ['id'] },
        { columns: ['photo_id'], table: 'photo', references: ['id'] },
      ],
      uniques: [],
      indexes: [{ columns: ['id'] }, { columns: ['photo_id', 'created_at', 'id'], partial: true }],
    },
    follow: {
      name: 'follow',
      schema: 'social',
      columns: {
        created_at: { type: 'timestamptz' },
        followee_id: { type: 'int8' },
        follower_id: { type: 'int8' },
        note: { type: 'text', nullable: true },
      },
      key: ['follower_id', 'followee_id'],
      foreignKeys: [
        { columns: ['followee_id'], table: 'account', references: ['id'] },
        { columns: ['follower_id'], table: 'account', references: ['id'] },
      ],
      uniques: [],
      indexes: [
        { columns: ['followee_id', 'created_at', 'follower_id'] },
        { columns: ['follower_id', 'created_at', 'followee_id'] },
        { columns: ['follower_id', 'followee_id'] },
      ],
    },
    photo: {
      name: 'photo',
      schema: 'social',
      columns: {
        caption: { type: 'text', nullable: true },
        created_at: { type: 'timestamptz' },
        deleted_at: { type: 'timestamptz', nullable: true },
        id: { type: 'int8' },
        owner_id: { type: 'int8' },
        visibility: { type: 'text' },
        width: { type: 'int4' },
      },
      key: ['id'],
      foreignKeys: [{ columns: ['owner_id'], table: 'account', references: ['id'] }],
      uniques: [],
      indexes: [{ columns: ['id'] }, { columns: ['owner_id', 'created_at', 'id'], partial: true }],
    },
    photo_like: {
      name: 'photo_like',
      schema: 'social',
      columns: {
        account_id: { type: 'int8' },
        created_at: { type: 'timestamptz' },
        photo_id: { type: 'int8' },
      },
      key: ['photo_id', 'account_id'],
      foreignKeys: [
        { columns: ['account_id'], table: 'account', references: ['id'] },
        { columns: ['photo_id'], table: 'photo', references: ['id'] },
      ],
      uniques: [],
      indexes: [
        { columns: ['photo_id', 'account_id'] },
        { columns: ['photo_id', 'created_at', 'account_id'] },
      ],
    },
  },
} as const satisfies DatabaseDescription
