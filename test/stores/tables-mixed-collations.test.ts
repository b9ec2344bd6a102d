import { hasEdgeToViewer, isViewer, type Rule, viewerHasEdge } from 'kithgraph'
import { collection, createTableStore, defineTables, ref, through } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { expectVisiblePhotosListed } from '../helpers/listed-photos.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

let server: PostgresServer
let admin: pg.Pool
beforeAll(async () => {
  server = await startPostgres()
  admin = server.pool()
  await admin.query(
    `create collation public.ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
  )
})
afterAll(() => server.stop())

const BLIND = { type: 'text', inexact: true, collation: '"public"."ignore_case"' } as const
const EXACT = { type: 'text', collation: '"pg_catalog"."C"' } as const

const declareMixed = (schemaName: string, isPhotoExact: boolean, rule: Rule) => {
  const table = { schema: schemaName, foreignKeys: [], uniques: [], indexes: [] } as const
  const id = { type: 'int4' } as const
  const team = isPhotoExact ? EXACT : BLIND
  return defineTables(
    {
      dialect: 'postgres',
      tables: {
        account: { ...table, name: 'account', columns: { id }, key: ['id'] },
        person: { ...table, name: 'person', columns: { name: BLIND }, key: ['name'] },
        team: { ...table, name: 'team', columns: { slug: BLIND }, key: ['slug'] },
        membership: {
          ...table,
          name: 'membership',
          columns: { team: EXACT, account: id },
          key: ['team', 'account'],
        },
        photo: { ...table, name: 'photo', columns: { id, team, owner: EXACT }, key: ['id'] },
      },
    },
    {
      account: {
        over: 'account',
        fields: {},
        edges: { teams: through('membership', 'account', 'team', 'team') },
      },
      person: { over: 'person', fields: {} },
      team: {
        over: 'team',
        fields: {},
        edges: { members: through('membership', 'team', 'account', 'account') },
      },
      photo: {
        over: 'photo',
        policy: [rule],
        fields: { team: ref('team', 'team'), owner: ref('person', 'owner') },
      },
    },
    { viewers: ['account', 'person'], collections: { photos: collection('photo') } },
  )
}

let mixedCount = 0

describe('a key that ignores case and the columns that refer to it, which do not', () => {
  it.each([
    ['an edge to the row of a ref', 'account-1', true, viewerHasEdge('teams', { of: 'team' })],
    ['an edge from the row of a ref', 'account-1', true, hasEdgeToViewer('members', { of: 'team' })],
    [
      'an edge to the row of a ref that ignores case',
      'account-1',
      false,
      viewerHasEdge('teams', { of: 'team' }),
    ],
    [
      'an edge from the row of a ref that ignores case',
      'account-1',
      false,
      hasEdgeToViewer('members', { of: 'team' }),
    ],
    ['the row of a ref', 'person-Ada', true, isViewer({ of: 'owner' })],
  ] as const)(
    'make the same nodes visible in lists as in reads of one node: %s',
    async (_, viewer, isPhotoExact, rule) => {
      const name = `mixed_${++mixedCount}`
      await admin.query(`
create schema ${name};
set search_path = ${name}, public;
create table account (id int primary key);
create table person (name text collate ignore_case primary key);
create table team (slug text collate ignore_case primary key);
create table membership (team text collate "C", account int, primary key (team, account));
create table photo (id int primary key, team text collate ${isPhotoExact ? '"C"' : 'ignore_case'} not null,
  owner text collate "C" not null);
insert into account values (1);
insert into person values ('Ada'), ('Bob');
insert into team values ('red'), ('blue');
insert into membership values ('red', 1), ('BLUE', 1);
insert into photo values (1, 'RED', 'Ada'), (2, 'red', 'ADA'), (3, 'Blue', 'BOB'), (4, 'blue', 'Bob'), (5, 'BLUE', 'ada');
reset search_path`)
      const { schema, tables } = declareMixed(name, isPhotoExact, rule)
      await expectVisiblePhotosListed(createTableStore(server.pool(), { tables }), schema, viewer)
    },
  )
})
