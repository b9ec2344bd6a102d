import { createPostgresStore, type PostgresPool, type PostgresPoolClient } from 'kithgraph/postgres'
import { createTableStore, defineTables } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { createRange } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { createPool } from '../helpers/watched-clients.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

/** Wraps a pool. Records each statement that is sent to a connection which still runs another one. */
const watchBusyConnections = (
  pool: pg.Pool,
): { readonly client: PostgresPool; readonly queued: string[] } => {
  const queued: string[] = []
  const client = createPool(async () => {
    const connection: PostgresPoolClient = await pool.connect()
    let running = 0
    return {
      processID: connection.processID,
      query: async query => {
        if (running++ > 0) queued.push(query.text)
        return connection.query(query).finally(() => running--)
      },
      on: (event, listener) => connection.on(event, listener),
      off: (event, listener) => connection.off(event, listener),
      release: destroy => connection.release(destroy),
    }
  })
  return { client, queued }
}

const openOwnTables = async (pool: PostgresPool): Promise<Store> => {
  const store = createPostgresStore(pool)
  await store.open()
  const nodes = ['1', '2', '3'].map(
    id => ({ op: 'putNode', node: { id, type: 'user', fields: {} } }) as const,
  )
  const edge = { source: '1', name: 'friends', target: '2', time: 0 }
  await store.write([...nodes, { op: 'putEdge', edge }], { signal: undefined })
  return store
}

const openTeamTables = async (pool: PostgresPool, admin: pg.Pool): Promise<Store> => {
  await admin.query('create table public.user_account (id int primary key, name text)')
  await admin.query("insert into public.user_account select i, 'name ' || i from generate_series(1, 3) as i")
  const account = {
    name: 'user_account',
    schema: 'public',
    columns: { id: { type: 'int4' }, name: { type: 'text', nullable: true } },
    key: ['id'],
    foreignKeys: [],
    uniques: [],
    indexes: [],
  } as const
  const { tables } = defineTables(
    { dialect: 'postgres', tables: { user_account: account } },
    { user: { over: 'user_account', fields: { name: true } } },
    { viewers: ['user'] },
  )
  const settings = () => ({ 'app.tenant': 'red' })
  return createTableStore(pool, { tables, settings, withoutRowSecurity: ['user_account'] })
}

// The next version of pg rejects such a statement; this one warns and lets it wait.
it.each([
  ['kithgraph/postgres', '', openOwnTables],
  ['a table store with settings', 'user-', openTeamTables],
] as const)('%s never sends a statement to a connection that still runs one', async (_, prefix, open) => {
  const pool = server.pool({ max: 2 })
  const { client, queued } = watchBusyConnections(pool)
  const store = await open(client, pool)
  const session = { viewer: undefined, app: 'tests', scopes: [], issuedAt: 0, expiresAt: undefined }
  const options = () => ({
    signal: undefined,
    deadline: Date.now() + 10_000,
    minRevision: undefined,
    session,
  })
  const range = createRange(`${prefix}1`, 'friends', { limit: 2, count: true })
  const request = { ...EMPTY_REQUEST, nodes: [1, 2, 3].map(key => `${prefix}${key}`), ranges: [range] }
  const view = await store.snapshot?.(options())
  // A read that is aborted while its statement runs does not free its connection before the statement ends.
  const read = (signal?: AbortSignal) => (_: unknown, index: number) =>
    (index % 2 === 0 && view ? view : store).read(request, { ...options(), signal })
  const aborted = Array.from({ length: 4 }, read(AbortSignal.timeout(2)))
  const reads = Array.from({ length: 20 }, read())
  const results = await Promise.allSettled([...reads, ...aborted])
  await view?.close()
  expect(results.slice(0, 20).filter(({ status }) => status === 'rejected')).toEqual([])
  expect(queued).toEqual([])
})
