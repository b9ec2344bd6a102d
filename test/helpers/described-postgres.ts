/** A Postgres database with everything that a description must distinguish. Every row contains the marker. */
export const MARKER = 'M4RK3R'

export const DESCRIBED_TABLES = `
  create extension citext;
  create schema shop;
  create schema "Odd ""Schema""";
  create type mood as enum ('happy', 'it''s "fine"', 'żółty');
  create domain email as citext;
  create domain amount as numeric(12, 2) default 0;
  create domain tags as text[];
  create collation blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);

  create table account (
    id bigint generated always as identity primary key,
    handle text not null unique,
    email email,
    nickname text collate blind,
    mood mood not null default 'happy',
    moods mood[],
    balance amount not null,
    ratios numeric(5, 3)[],
    words tags,
    birthday date,
    photo bytea,
    born tsrange,
    settings jsonb not null default '{"note": "${MARKER}"}',
    manager_id bigint references account,
    upper_handle text generated always as (upper(handle)) stored,
    created_at timestamptz not null default now()
  );
  create index on account (manager_id, created_at desc, id desc);
  create index on account (manager_id, created_at desc nulls last);
  create index on account (lower(handle));
  create index on account (birthday, lower(handle), id);
  create index on account (handle text_pattern_ops);
  create index on account (handle collate "und-x-icu");
  create index on account using hash (handle);
  create index on account (created_at) where handle <> '${MARKER}';
  create unique index on account (email) include (created_at);
  create unique index on account (lower(handle), id);
  insert into account (handle, email, balance, photo, words)
    values ('${MARKER}', '${MARKER}@example.com', 1, '${MARKER}', '{${MARKER}}');

  create table shop.item (code text, shelf int, name text not null default '${MARKER}', primary key (shelf, code));
  create table item (id uuid primary key, shelf int not null, code text not null, owner_id bigint,
    foreign key (shelf, code) references shop.item, foreign key (owner_id) references account);
  alter table item enable row level security;
  create table "Odd ""Schema"""."Strange 'name'" ("__proto__" int primary key, "ключ" text, "a""b\\c" text);
  create table measured (at timestamptz not null, value float8, place int) partition by range (at);
  create table measured_2026 partition of measured for values from ('2026-01-01') to ('2027-01-01');
  create view happy_account as select id, handle from account where mood = 'happy';
  create materialized view handles as select id, handle from account;
  create unique index on handles (id);
`
