import { back, createTableStore, type DatabaseDescription, defineTables } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { createRange } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const shared = { schema: 'nearby', foreignKeys: [], uniques: [], indexes: [] } as const
const id = { type: 'int4' } as const
const db = {
  dialect: 'postgres',
  tables: {
    account: { ...shared, name: 'account', columns: { id }, key: ['id'] },
    photo: {
      ...shared,
      name: 'photo',
      columns: { id, owner: id, taken: { type: 'date', nullable: true } },
      key: ['id'],
    },
  },
} as const satisfies DatabaseDescription

const { tables } = defineTables(db, {
  account: {
    over: 'account',
    fields: {},
    edges: { photos: back('photo', 'owner', { by: 'taken', nulls: 'end' }) },
  },
  photo: { over: 'photo', fields: {} },
})

let server: PostgresServer
let admin: pg.Pool

beforeAll(async () => {
  server = await startPostgres()
  admin = server.pool({ max: 1 })
  await admin.query(`
create schema remote;
create table remote.account (id int primary key);
create table remote.photo (id int primary key, owner int not null, taken date);
create index on remote.photo (owner, taken, id);
insert into remote.account values (1);
insert into remote.photo select i, 1, case when i % 3 > 0 then date '2024-01-01' + i end from generate_series(1, 90) as i`)
  // The server itself, as a foreign server that executes parts of a statement at the same time.
  await admin.query(`
create extension postgres_fdw;
create server loopback foreign data wrapper postgres_fdw
  options (host '127.0.0.1', port '${server.port}', dbname 'postgres', async_capable 'true', use_remote_estimate 'true');
create user mapping for current_user server loopback options (user 'kithgraph', password 'loopback');
create schema nearby;
import foreign schema remote from server loopback into nearby`)
})
afterAll(() => server.stop())

describe('a list over foreign tables', () => {
  it.each([
    ['newest', 'taken desc nulls last, photo.id desc'],
    ['oldest', 'taken nulls first, photo.id'],
  ] as const)(
    'has its rows without a value after the others if the server reads them at the same time, the %s first',
    async (direction, order) => {
      const store = createTableStore(server.pool(), { tables })
      const range = createRange('account-1', 'photos', { direction, limit: 100 })
      const { ranges } = await store.read({ ...EMPTY_REQUEST, ranges: [range] }, UNTIMED_OPTIONS)
      const { rows } = await admin.query<{ id: string }>(
        `select 'photo-' || id as id from remote.photo order by ${order}`,
      )
      expect(ranges[0]?.entries.map(({ target }) => target)).toEqual(rows.map(row => row.id))
    },
  )
})
