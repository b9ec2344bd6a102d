/** The databases in which the shop can be. */
export type ShopDialect = 'sqlite' | 'postgres'

const CONTACT = `
  address varchar(70), city varchar(40), state varchar(40), country varchar(40), postal_code varchar(10),
  phone varchar(24), fax varchar(24), email varchar(60)`

/** The types that the databases do not share. SQLite has no types for times, and keeps enums as texts. */
const TYPES = {
  postgres: {
    time: 'timestamp',
    zonedTime: 'timestamptz',
    uuid: 'uuid',
    json: 'jsonb',
    state: 'review_state',
    role: 'membership_role',
    visibility: 'playlist_visibility',
  },
  sqlite: {
    time: 'datetime',
    zonedTime: 'datetime',
    uuid: 'text',
    json: 'json',
    state: "text check (state in ('draft', 'published', 'hidden'))",
    role: "text check (role in ('owner', 'editor', 'listener'))",
    visibility: "text check (visibility in ('public', 'members'))",
  },
} as const

const POSTGRES_ENUMS = `
create type review_state as enum ('draft', 'published', 'hidden');
create type membership_role as enum ('owner', 'editor', 'listener');
create type playlist_visibility as enum ('public', 'members');`

const CATALOGUE = `
create table artist (artist_id integer not null primary key, name varchar(120));
create table album (album_id integer not null primary key, title varchar(160) not null,
  artist_id integer not null references artist);
create table genre (genre_id integer not null primary key, name varchar(120));
create table media_type (media_type_id integer not null primary key, name varchar(120));
create table track (track_id integer not null primary key, name varchar(200) not null,
  album_id integer references album, media_type_id integer not null references media_type,
  genre_id integer references genre, composer varchar(220), milliseconds integer not null, bytes integer,
  unit_price numeric(10, 2) not null);
create table playlist (playlist_id integer not null primary key, name varchar(120));
create table playlist_track (playlist_id integer not null references playlist,
  track_id integer not null references track, primary key (playlist_id, track_id));`

/** Creates the indexes that the lists of the graph need. `npx kithgraph check tables` prints missing ones. */
const INDEXES = `
create index on_artist_name on artist (name, artist_id);
create index on_album_title on album (title, album_id);
create index on_album_artist on album (artist_id, title, album_id);
create index on_track_album on track (album_id, track_id);
create index on_track_genre on track (genre_id, track_id);
create index on_track_genre_length on track (genre_id, milliseconds, track_id);
create index on_playlist_track on playlist_track (track_id, playlist_id);
create index on_employee_manager on employee (reports_to, employee_id);
create index on_customer_agent on customer (support_rep_id, customer_id);
create index on_invoice_customer on invoice (customer_id, invoice_date, invoice_id);
create index on_invoice_line on invoice_line (invoice_id, invoice_line_id);
create index on_review_time on review (created_at, review_id);
create index on_review_album on review (album_id, created_at, review_id);
create index on_review_customer on review (customer_id, created_at, review_id);
create index on_review_customer_state on review (customer_id, state, created_at, review_id);
create index on_membership_time on membership (shared_playlist_id, joined_at, customer_id);
create index on_membership_customer on membership (customer_id, joined_at, shared_playlist_id);`

/** Returns the statements that create the tables: the eleven of Chinook, and three more. */
export const createTablesSql = (dialect: ShopDialect): string => {
  const { time, zonedTime, uuid, json, state, role, visibility } = TYPES[dialect]
  return `${dialect === 'postgres' ? POSTGRES_ENUMS : ''}${CATALOGUE}
create table employee (employee_id integer not null primary key, last_name varchar(20) not null,
  first_name varchar(20) not null, title varchar(30), reports_to integer references employee,
  birth_date ${time}, hire_date ${time},${CONTACT});
create table customer (customer_id integer not null primary key, first_name varchar(40) not null,
  last_name varchar(20) not null, company varchar(80),${CONTACT}, support_rep_id integer references employee);
create table invoice (invoice_id integer not null primary key, customer_id integer not null references customer,
  invoice_date ${time} not null, billing_address varchar(70), billing_city varchar(40), billing_state varchar(40),
  billing_country varchar(40), billing_postal_code varchar(10), total numeric(10, 2) not null);
create table invoice_line (invoice_line_id integer not null primary key,
  invoice_id integer not null references invoice, track_id integer not null references track,
  unit_price numeric(10, 2) not null, quantity integer not null);
create table review (review_id ${uuid} not null primary key, album_id integer not null references album,
  customer_id integer not null references customer, state ${state} not null default 'draft', rating integer,
  body text not null, details ${json}, created_at ${zonedTime} not null);
create table shared_playlist (shared_playlist_id integer not null primary key,
  playlist_id integer not null references playlist, owner_id integer not null references customer,
  name varchar(120) not null, visibility ${visibility} not null default 'members', created_at ${zonedTime} not null,
  deleted_at ${zonedTime});
create table membership (shared_playlist_id integer not null references shared_playlist,
  customer_id integer not null references customer, role ${role} not null, joined_at ${zonedTime} not null,
  primary key (shared_playlist_id, customer_id));${INDEXES}
`
}
