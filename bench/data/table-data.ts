/** The parameters of the tables. The same parameters create the same rows. */
export const TABLES = {
  seed: 1,
  rows: 3_900_000,
  /** The account that half a million other accounts follow. */
  popular: 1,
  /** The account that owns half a million photos, of which about one in a hundred is public. */
  archive: 2,
  /** The first of the people. Each has 12 or 13 photos with at least three comments, and follows 31 others. */
  firstPerson: 1001,
  people: 20_000,
  followed: 31,
  /** The number of people who wrote articles, each a hundred. */
  authors: 100,
}

const { seed, popular, archive, firstPerson, people, followed, authors } = TABLES

/** A person at a distance from the first one, in a circle. */
const personAt = (distance: string): string => `${firstPerson} + (${distance}) % ${people}`

/** A number that looks random: the same for the same number and seed. */
const randomOf = (number: string, column: number): string =>
  `(hashint8extended(${number}, ${seed * 100 + column}) & 1048575)`

/** The tables, without keys. */
export const TABLES_DDL = `
create schema social;
set search_path = social;
set maintenance_work_mem = '512MB';
create table account (id bigint not null, name text not null, email text not null, bio text,
  created_at timestamptz not null, deleted_at timestamptz);
create table photo (id bigint not null, owner_id bigint not null, caption text, width integer not null,
  visibility text not null, created_at timestamptz not null, deleted_at timestamptz);
create table comment (id uuid not null, photo_id bigint not null, author_id bigint not null, body text not null,
  created_at timestamptz not null, deleted_at timestamptz);
create table follow (follower_id bigint not null, followee_id bigint not null, created_at timestamptz not null,
  note text);
create table photo_like (photo_id bigint not null, account_id bigint not null, created_at timestamptz not null);
create table article (id bigint not null, author_id bigint not null, title text not null, body text not null,
  meta jsonb not null, created_at timestamptz not null);
`

/** Times of neighbours differ in microseconds, and some rows are deleted softly. */
const FILL = `
insert into account select i, 'Person Number ' || i, 'person' || i || '@example.org',
    case when i % 3 > 0 then repeat('I take photos. ', 1 + i % 12) end,
    timestamptz '2020-01-01' + i * interval '41 seconds' + i % 997 * interval '1 microsecond',
    case when i > 25000 and i % 50 = 0 then timestamptz '2025-01-01' end
  from generate_series(1, 520000) as i;
insert into photo select i, ${personAt('i')}, 'Photo No. ' || i, 640 + i % 100, 'public',
    timestamptz '2024-01-01' + i / 40000 * interval '1 day' + i / 20000 % 2 * interval '3 microseconds',
    case when i % 97 = 0 then timestamptz '2025-01-01' end
  from generate_series(1, 260000) as i;
insert into photo select 260000 + i, ${archive}, 'Archived photo ' || i, 1024,
    case when ${randomOf('i', 1)} < 10486 then 'public' else 'private' end,
    timestamptz '2024-01-01' + i * interval '1 minute', null
  from generate_series(1, 500000) as i;
insert into comment select md5('comment ' || i)::uuid, 1 + i % 260000,
    ${personAt(`(1 + i % 260000) % ${people} + 1 + ${randomOf('i', 2)} % ${followed}`)},
    'What a photo, number ' || i || repeat(' indeed', i % 9),
    timestamptz '2024-02-01' + i / 260000 * interval '1 hour' + i % 7 * interval '1 microsecond',
    case when i % 101 = 0 then timestamptz '2025-01-01' end
  from generate_series(1, 1040000) as i;
insert into follow select 20000 + i, ${popular}, timestamptz '2024-01-01' + i * interval '30 seconds',
    case when i % 4 = 0 then 'a fan' end
  from generate_series(1, 500000) as i;
insert into follow select ${personAt('i')}, ${personAt(`i + 1 + i / ${people}`)},
    timestamptz '2024-03-01' + i * interval '7 seconds', null
  from generate_series(0, ${people * followed - 1}) as i;
insert into photo_like select 1 + i % 260000, ${personAt('i * 3 + i / 260000')},
    timestamptz '2024-05-01' + i * interval '1 second'
  from generate_series(1, 450000) as i;
insert into article select i, ${firstPerson} + i % ${authors}, 'Article ' || i,
    (select string_agg(md5(i || ' body ' || k), '') from generate_series(1, 190) as k),
    (select jsonb_object_agg('key' || k, md5(i || ' meta ' || k)) from generate_series(1, 55) as k),
    timestamptz '2024-01-01' + i * interval '1 minute'
  from generate_series(1, 10000) as i;
`

/** The keys of the tables, and the indexes that the command `check tables` demands. */
export const INDEXES_DDL = `
set search_path = social;
alter table account add primary key (id);
alter table photo add primary key (id);
alter table comment add primary key (id);
alter table follow add primary key (follower_id, followee_id);
alter table photo_like add primary key (photo_id, account_id);
alter table article add primary key (id);
alter table photo add foreign key (owner_id) references account;
alter table comment add foreign key (photo_id) references photo;
alter table comment add foreign key (author_id) references account;
alter table follow add foreign key (follower_id) references account;
alter table follow add foreign key (followee_id) references account;
alter table photo_like add foreign key (photo_id) references photo;
alter table photo_like add foreign key (account_id) references account;
alter table article add foreign key (author_id) references account;
create index on photo (owner_id, created_at, id) where deleted_at is null;
create index on comment (photo_id, created_at, id) where deleted_at is null;
create index on follow (follower_id, created_at, followee_id);
create index on follow (followee_id, created_at, follower_id);
create index on photo_like (photo_id, created_at, account_id);
create index on article (author_id, created_at, id);
`

/** The statements that create and fill the tables, each as one call. */
export const TABLE_STATEMENTS = [TABLES_DDL + FILL, INDEXES_DDL, 'vacuum analyze']
