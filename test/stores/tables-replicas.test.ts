import { createTableStore, defineTables } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Store, StoreReader } from '../../src/store/contract.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const { tables } = defineTables(
  {
    dialect: 'postgres',
    tables: {
      note: {
        name: 'note',
        schema: 'public',
        columns: { id: { type: 'int4' }, body: { type: 'text' } },
        key: ['id'],
        foreignKeys: [],
        uniques: [],
        indexes: [],
      },
    },
  },
  { note: { over: 'note', fields: { body: true } } },
  { viewers: ['note'], collections: {} },
)

let primary: PostgresServer
let follower: PostgresServer
let admin: pg.Pool
let replica: pg.Pool

const isPaused = async (): Promise<boolean> => {
  const { rows } = await replica.query('select pg_get_wal_replay_pause_state() as state')
  return rows[0]?.state === 'paused'
}

/** The replica has the body `old` and replays no later changes. The primary has the body `new`. */
beforeAll(async () => {
  primary = await startPostgres()
  admin = primary.pool()
  await admin.query(`
create table note (id int primary key, body text not null);
insert into note values (1, 'old');
create role reader;
grant select on note to reader`)
  follower = await primary.startReplica()
  // The primary was restarted, which ended its connections.
  admin = primary.pool()
  replica = follower.pool()
  await replica.query('select pg_wal_replay_pause()')
  await vi.waitFor(async () => expect(await isPaused()).toBe(true), 60_000)
  await admin.query(`update note set body = 'new'`)
})
afterAll(async () => {
  await follower?.stop()
  await primary?.stop()
})

const readBody = async (reader: StoreReader, minRevision?: string): Promise<unknown> => {
  const request = { ...EMPTY_REQUEST, nodes: ['note-1'] }
  const { nodes } = await reader.read(request, {
    ...UNTIMED_OPTIONS,
    deadline: Date.now() + 20_000,
    minRevision,
  })
  return nodes[0]?.fields.body
}

const settings = () => ({ role: 'reader' })

describe.each([
  ['without settings', {}],
  ['with settings', { settings, withoutRowSecurity: ['note'] }],
])('a table store with a replica, %s', (_, options) => {
  const openStore = (replicas: readonly pg.Pool[]): Store =>
    createTableStore(admin, { tables, replicas, ...options })

  it('reads from the replica, also at a revision of a token, which no table contains', async () => {
    const store = openStore([replica])
    expect(await readBody(store)).toBe('old')
    expect(await readBody(store, '0/FFFFFFFF')).toBe('old')
  })

  it('reads the newest data and opens snapshots on the primary', async () => {
    const store = openStore([replica])
    expect(await readBody(store, 'newest')).toBe('new')
    const snapshot = await store.snapshot()
    expect(await readBody(snapshot)).toBe('new')
    await snapshot.close()
  })

  it('reads from the primary if the replica fails', async () => {
    const store = openStore([follower.pool({ database: 'missing' })])
    expect(await readBody(store)).toBe('new')
  })
})
