import type { Dialect } from '../../../src/tables/description/database-description.ts'

/** Where the tables of a world are, and the collation of all of their texts. */
export type TableWorldPlace = {
  readonly dialect: Dialect
  /** The schema in Postgres. */
  readonly schema?: string | undefined
  /** The collation as a statement names it; absent for that of the database. */
  readonly collation?: string | undefined
}

/** The tables of worlds. */
export const WORLD_TABLES = [
  'account',
  'photo',
  'comment',
  'follow',
  'team',
  'membership',
  'revision',
] as const

const typesOf = ({ dialect, collation }: TableWorldPlace) => {
  const collate = collation === undefined ? '' : ` collate ${collation}`
  return dialect === 'postgres'
    ? {
        text: `text${collate}`,
        mood: 'mood',
        big: 'bigint',
        time: 'timestamptz',
        number: 'float8',
        uuid: 'uuid',
      }
    : {
        text: `text${collate}`,
        mood: `text${collate}`,
        big: 'integer',
        time: 'datetime',
        number: 'real',
        uuid: 'text',
      }
}

/** Returns the statements that create the tables of worlds. No foreign key is declared, so keys may lead nowhere. */
export const createWorldTables = (database: TableWorldPlace): string => {
  const { text, mood, big, time, number, uuid } = typesOf(database)
  const isPostgres = database.dialect === 'postgres'
  const before = isPostgres
    ? `create schema ${database.schema}; set search_path to ${database.schema}; create type mood as enum ('calm', 'busy');`
    : ''
  return `${before}
create table account (
  id ${big} primary key, tenant int not null, name ${text} not null, mood ${mood} not null, boss_id ${big},
  price numeric(10, 2), active boolean not null, follower_count int not null, created_at ${time} not null,
  deleted_at ${time}
);
create index account_boss on account (boss_id, name, id);
create index account_name on account (name, id);
create table photo (
  id int primary key, owner_id ${big} not null, tenant int not null, title ${text}, state ${text} not null,
  rating ${number}, taken_at ${time}, created_at ${time} not null, deleted_at ${time}, unused int
);
create index photo_created on photo (owner_id, created_at, id) where deleted_at is null;
create index photo_taken on photo (owner_id, taken_at, id);
create index photo_rating on photo (owner_id, rating, id);
create index photo_title on photo (owner_id, title, id);
create index photo_all on photo (created_at, id);
create table comment (
  id ${uuid} primary key, photo_id int not null, author_id ${big} not null, tenant int not null, body ${text} not null,
  created_at ${time} not null, deleted_at ${time}
);
create index comment_photo on comment (photo_id, created_at, id);
create table follow (
  follower_id ${big} not null, followee_id ${big} not null, tenant int not null, note ${text}, muted boolean not null,
  created_at ${time} not null, primary key (follower_id, followee_id)
);
create index follow_follower on follow (follower_id, created_at, followee_id);
create index follow_followee on follow (followee_id, created_at, follower_id);
create table team (slug ${text} primary key, tenant int not null, name ${text} not null, created_at ${time} not null);
create table membership (
  team_slug ${text} not null, account_id ${big} not null, tenant int not null, role ${text},
  created_at ${time} not null, primary key (team_slug, account_id)
);
create index membership_account on membership (account_id, created_at, team_slug);
create table revision (
  photo_id int not null, number int not null, tenant int not null, caption ${text}, editor_id ${big},
  previous_photo_id int, previous_number int, created_at ${time} not null, primary key (photo_id, number)
);
create index revision_previous on revision (previous_photo_id, previous_number, photo_id, number);
`
}

/** Returns the statements that make each role see only the rows of the tenant in `app.tenant`. */
export const protectWorldTables = (role: string): string =>
  WORLD_TABLES.map(
    table => `alter table ${table} enable row level security;
create policy by_tenant on ${table} using (tenant = current_setting('app.tenant')::int);
grant select on ${table} to ${role};`,
  ).join('\n')
