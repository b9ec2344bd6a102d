import { createPostgresStore } from 'kithgraph/postgres'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { putNode } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { startProxy, type TcpProxy } from '../helpers/tcp-proxy.ts'

const TIMEOUT_MS = 2000
const REPLICATION_TIMEOUT = { timeout: 60_000 }

let primary: PostgresServer
let replica: PostgresServer
let staleReplica: PostgresServer
const proxies: TcpProxy[] = []
let schemas = 0

beforeAll(async () => {
  primary = await startPostgres()
  replica = await primary.startReplica()
  staleReplica = await primary.startReplica()
})
afterAll(async () => {
  await Promise.all(proxies.map(proxy => proxy.stop()))
  await staleReplica?.stop()
  await replica?.stop()
  await primary?.stop()
})

/** Opens a store whose replica is behind a proxy. */
const openStore = async () => {
  const proxy = await startProxy(replica.port)
  proxies.push(proxy)
  const options = { port: proxy.port, connectionTimeoutMillis: TIMEOUT_MS, max: 4 }
  const schema = `replicated_${++schemas}`
  const store = createPostgresStore(primary.pool(), { schema, replicas: [replica.pool(options)] })
  await store.open()
  const write = async (n: number): Promise<string | undefined> =>
    (await store.write([putNode('1', { n })], { signal: undefined })).revision
  const read = async (minRevision?: string): Promise<unknown> => {
    const options = { signal: undefined, deadline: Date.now() + TIMEOUT_MS, minRevision }
    return (await store.read({ ...EMPTY_REQUEST, nodes: ['1'] }, options)).nodes[0]?.fields.n
  }
  return { proxy, schema, write, read }
}

const waitForRevision = (pool: pg.Pool, revision: string | undefined) =>
  vi.waitFor(async () => {
    const { rows } = await pool.query('select pg_last_wal_replay_lsn() >= $1 as reached', [revision])
    expect(rows).toEqual([{ reached: true }])
  }, REPLICATION_TIMEOUT)

describe('a Postgres replica that does not respond', () => {
  it('has its reads served by the primary within their timeout, and then receives no reads for a while', async () => {
    const { proxy, write, read } = await openStore()
    const revision = await write(1)
    await waitForRevision(replica.pool(), revision)
    expect(await read()).toBe(1)
    proxy.stall()
    const start = Date.now()
    expect(await Promise.all(Array.from({ length: 10 }, () => read()))).toEqual(Array(10).fill(1))
    const connections = proxy.connectionCount()
    const later = Date.now()
    for (let count = 0; count < 50; count++) expect(await read()).toBe(1)
    expect(later - start).toBeLessThan(TIMEOUT_MS)
    expect(Date.now() - later).toBeLessThan(TIMEOUT_MS / 2)
    expect(proxy.connectionCount()).toBe(connections)
  })
})

describe('a pool of replicas that later leads to an older replica', () => {
  it('returns every write that a read requires by its revision', async () => {
    const { proxy, write, read } = await openStore()
    await waitForRevision(staleReplica.pool(), await write(1))
    await staleReplica.pool().query('select pg_wal_replay_pause()')
    await expect
      .poll(async () => {
        const { rows } = await staleReplica.pool().query('select pg_get_wal_replay_pause_state() as state')
        return rows[0]?.state
      })
      .toBe('paused')
    const revision = await write(2)
    await waitForRevision(replica.pool(), revision)
    expect(await read(revision)).toBe(2)
    proxy.redirect(staleReplica.port)
    proxy.cut()
    // Reads without a revision show that the pool leads to the older replica now.
    await expect.poll(() => read()).toBe(1)
    for (let count = 0; count < 5; count++) expect(await read(revision)).toBe(2)
    await staleReplica.pool().query('select pg_wal_replay_resume()')
  })
})
