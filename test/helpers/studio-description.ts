/** The tables of a studio in Postgres, as `introspect` describes them: {@link STUDIO_DDL} creates them. */
export const studioDescription = {
  dialect: 'postgres',
  tables: {
    account: {
      name: 'account',
      schema: 'studio',
      columns: {
        id: { type: 'int8', default: true },
        org_id: { type: 'int4' },
        manager_id: { type: 'int8', nullable: true },
        name: { type: 'text' },
        email: { type: 'citext', nullable: true },
        mood: { type: 'enum', labels: ['calm', 'busy'], sqlType: '"studio"."mood"', default: true },
        settings: { type: 'jsonb', default: true },
        tags: { type: 'text', array: true, default: true },
        birthday: { type: 'date', nullable: true },
        balance: { type: 'numeric', scale: 4, nullable: true },
        follower_count: { type: 'int4', default: true },
        secret: { type: 'text', nullable: true },
        created_at: { type: 'timestamptz' },
        deleted_at: { type: 'timestamptz', nullable: true },
      },
      key: ['id'],
      foreignKeys: [
        { columns: ['manager_id'], table: 'account', references: ['id'] },
        { columns: ['org_id'], table: 'org', references: ['id'] },
      ],
      uniques: [],
      indexes: [
        { columns: ['id'] },
        { columns: ['manager_id', 'name', 'id'] },
        { columns: ['created_at', 'id'] },
      ],
    },
    comment: {
      name: 'comment',
      schema: 'studio',
      columns: {
        id: { type: 'uuid', default: true },
        photo_id: { type: 'int4' },
        author_id: { type: 'int8' },
        body: { type: 'text' },
        seen_on: { type: 'timestamp', nullable: true },
        created_at: { type: 'timestamptz' },
        deleted_at: { type: 'timestamptz', nullable: true },
      },
      key: ['id'],
      foreignKeys: [
        { columns: ['author_id'], table: 'account', references: ['id'] },
        { columns: ['photo_id'], table: 'photo', references: ['id'] },
      ],
      uniques: [],
      indexes: [{ columns: ['id'] }, { columns: ['photo_id', 'created_at', 'id'] }],
    },
    follow: {
      name: 'follow',
      schema: 'studio',
      columns: {
        follower_id: { type: 'int8' },
        followee_id: { type: 'int8' },
        note: { type: 'text', nullable: true },
        muted: { type: 'bool', default: true },
        created_at: { type: 'timestamptz' },
      },
      key: ['follower_id', 'followee_id'],
      foreignKeys: [
        { columns: ['followee_id'], table: 'account', references: ['id'] },
        { columns: ['follower_id'], table: 'account', references: ['id'] },
      ],
      uniques: [],
      indexes: [
        { columns: ['follower_id', 'followee_id'] },
        { columns: ['follower_id', 'created_at', 'followee_id'] },
        { columns: ['followee_id', 'created_at', 'follower_id'] },
      ],
    },
    membership: {
      name: 'membership',
      schema: 'studio',
      columns: {
        team_slug: { type: 'varchar' },
        account_id: { type: 'int8' },
        role: { type: 'text' },
        joined_at: { type: 'timestamptz', default: true },
      },
      key: ['team_slug', 'account_id'],
      foreignKeys: [
        { columns: ['account_id'], table: 'account', references: ['id'] },
        { columns: ['team_slug'], table: 'team', references: ['slug'] },
      ],
      uniques: [],
      indexes: [
        { columns: ['team_slug', 'account_id'] },
        { columns: ['account_id', 'joined_at', 'team_slug'] },
      ],
    },
    org: {
      name: 'org',
      schema: 'studio',
      columns: { id: { type: 'int4', default: true }, name: { type: 'text' } },
      key: ['id'],
      foreignKeys: [],
      uniques: [],
      indexes: [{ columns: ['id'] }],
    },
    photo: {
      name: 'photo',
      schema: 'studio',
      columns: {
        id: { type: 'int4', default: true },
        owner_id: { type: 'int8' },
        caption: { type: 'text', nullable: true },
        state: { type: 'text', default: true },
        width: { type: 'int4', nullable: true },
        rating: { type: 'float8', nullable: true },
        hash: { type: 'bytea', nullable: true },
        taken_at: { type: 'timestamptz', nullable: true },
        created_at: { type: 'timestamptz' },
        deleted_at: { type: 'timestamptz', nullable: true },
      },
      key: ['id'],
      foreignKeys: [{ columns: ['owner_id'], table: 'account', references: ['id'] }],
      uniques: [],
      indexes: [
        { columns: ['id'] },
        { columns: ['owner_id', 'created_at', 'id'] },
        { columns: ['owner_id', 'taken_at', 'id'] },
        { columns: ['created_at', 'id'], partial: true },
      ],
    },
    revision: {
      name: 'revision',
      schema: 'studio',
      columns: {
        photo_id: { type: 'int4' },
        number: { type: 'int4' },
        caption: { type: 'text', nullable: true },
        editor_id: { type: 'int8', nullable: true },
        previous_photo_id: { type: 'int4', nullable: true },
        previous_number: { type: 'int4', nullable: true },
      },
      key: ['photo_id', 'number'],
      foreignKeys: [
        { columns: ['editor_id'], table: 'account', references: ['id'] },
        { columns: ['photo_id'], table: 'photo', references: ['id'] },
        {
          columns: ['previous_photo_id', 'previous_number'],
          table: 'revision',
          references: ['photo_id', 'number'],
        },
      ],
      uniques: [],
      indexes: [{ columns: ['photo_id', 'number'] }],
    },
    team: {
      name: 'team',
      schema: 'studio',
      columns: {
        slug: { type: 'varchar' },
        org_id: { type: 'int4' },
        name: { type: 'text' },
      },
      key: ['slug'],
      foreignKeys: [{ columns: ['org_id'], table: 'org', references: ['id'] }],
      uniques: [],
      indexes: [{ columns: ['slug'] }, { columns: ['org_id', 'name', 'slug'] }],
    },
  },
} as const

/** The statements that create the tables of {@link studioDescription}. The extension `citext` must be available. */
export const STUDIO_DDL = `
create schema studio;
create extension if not exists citext;
create type studio.mood as enum ('calm', 'busy');
create table studio.org (id int generated by default as identity primary key, name text not null);
create table studio.account (
  id bigint generated by default as identity primary key,
  org_id int not null references studio.org,
  manager_id bigint references studio.account,
  name text not null,
  email citext,
  mood studio.mood not null default 'calm',
  settings jsonb not null default '{}',
  tags text[] not null default '{}',
  birthday date,
  balance numeric(20, 4),
  follower_count int not null default 0,
  secret text,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index account_reports on studio.account (manager_id, name, id);
create index account_created on studio.account (created_at, id);
create table studio.photo (
  id int generated by default as identity primary key,
  owner_id bigint not null references studio.account,
  caption text,
  state text not null default 'draft',
  width int,
  rating float8,
  hash bytea,
  taken_at timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index photo_owner_created on studio.photo (owner_id, created_at, id);
create index photo_owner_taken on studio.photo (owner_id, taken_at, id);
create index photo_created on studio.photo (created_at, id) where deleted_at is null;
create table studio.comment (
  id uuid default gen_random_uuid() primary key,
  photo_id int not null references studio.photo,
  author_id bigint not null references studio.account,
  body text not null,
  seen_on timestamp,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index comment_photo_created on studio.comment (photo_id, created_at, id);
create table studio.follow (
  follower_id bigint not null references studio.account,
  followee_id bigint not null references studio.account,
  note text,
  muted boolean not null default false,
  created_at timestamptz not null,
  primary key (follower_id, followee_id)
);
create index follow_follower_created on studio.follow (follower_id, created_at, followee_id);
create index follow_followee_created on studio.follow (followee_id, created_at, follower_id);
create table studio.team (slug varchar primary key, org_id int not null references studio.org, name text not null);
create index team_org_name on studio.team (org_id, name, slug);
create table studio.membership (
  team_slug varchar not null references studio.team,
  account_id bigint not null references studio.account,
  role text not null,
  joined_at timestamptz not null default now(),
  primary key (team_slug, account_id)
);
create index membership_account_joined on studio.membership (account_id, joined_at, team_slug);
create table studio.revision (
  photo_id int not null references studio.photo,
  number int not null,
  caption text,
  editor_id bigint references studio.account,
  previous_photo_id int,
  previous_number int,
  primary key (photo_id, number),
  foreign key (previous_photo_id, previous_number) references studio.revision
);
`
