import { setTimeout as sleep } from 'node:timers/promises'
import { createPostgresStore } from 'kithgraph/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GraphError } from '../../src/base/errors.ts'
import { guardStore } from '../../src/store/guard.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { putNode } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { startProxy, type TcpProxy } from '../helpers/tcp-proxy.ts'
import { expectGraphError } from '../unit/abuse/expect-graph-error.ts'

const TIMEOUT_MS = 2000
/** A call that starts this long after the network is back must succeed. */
const RECOVERY_MS = 5000
const READ_COUNT = 40

let server: PostgresServer
const proxies: TcpProxy[] = []
let schemas = 0

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(async () => {
  await Promise.all(proxies.map(proxy => proxy.stop()))
  await server?.stop()
})

/** Opens a store through a proxy. It contains node 1, and its pool has `connections` idle connections. */
const openStore = async (connections: number) => {
  const proxy = await startProxy(server.port)
  proxies.push(proxy)
  const pool = server.pool({ port: proxy.port, connectionTimeoutMillis: TIMEOUT_MS, max: 10 })
  const schema = `network_${++schemas}`
  const store = guardStore(createPostgresStore(pool, { schema, writeTimeoutMs: TIMEOUT_MS }))
  const read = async (): Promise<string | undefined> => {
    const options = { signal: undefined, deadline: Date.now() + TIMEOUT_MS, minRevision: undefined }
    return (await store.read({ ...EMPTY_REQUEST, nodes: ['1'] }, options)).nodes[0]?.id
  }
  const write = async () => await store.write([putNode('1')], { signal: undefined })
  await write()
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()))
  for (const client of clients) client.release()
  await Promise.all(Array.from({ length: connections }, read))
  return { proxy, pool, store, schema, read, write }
}

const readMany = (read: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: READ_COUNT }, () => read().catch((error: GraphError) => error.reason)))
const SUCCESSES = Array.from({ length: READ_COUNT }, () => '1')

describe.concurrent('a Postgres store', () => {
  it('reads again after a stall of the network during reads', async () => {
    const { proxy, read, write } = await openStore(10)
    proxy.stall()
    expect(await readMany(read)).not.toContain('1')
    await sleep(TIMEOUT_MS)
    proxy.restore()
    await sleep(RECOVERY_MS)
    expect(await readMany(read)).toEqual(SUCCESSES)
    await write()
  })

  it('reads again after the network silently loses the connections during reads', async () => {
    const { proxy, read, write } = await openStore(10)
    proxy.halfOpen()
    await readMany(read)
    await sleep(RECOVERY_MS)
    expect(await readMany(read)).toEqual(SUCCESSES)
    await write()
  })

  it('reads and writes at once after the network silently loses the idle connections', async () => {
    const { proxy, read, write } = await openStore(10)
    proxy.halfOpen()
    // A timer can end just before its delay has passed, and the store checks a connection after 5000 ms.
    await sleep(RECOVERY_MS + 500)
    await write()
    expect(await readMany(read)).toEqual(SUCCESSES)
  })

  it('fails a write at its timeout while the network stalls, and writes again after the network is back', async () => {
    const { proxy, read, write } = await openStore(2)
    proxy.stall()
    const start = Date.now()
    const error = await expectGraphError(write())
    expect(Date.now() - start).toBeLessThan(2 * TIMEOUT_MS)
    expect(error.reason).toBe('timeout')
    proxy.restore()
    await sleep(RECOVERY_MS)
    await write()
    expect(await read()).toBe('1')
  })

  it('adds no more than a limited number of calls to the queue of the pool while the network stalls', async () => {
    const { proxy, pool, read } = await openStore(10)
    proxy.stall()
    const results = await Promise.all(Array.from({ length: 5 }, () => readMany(read)))
    expect(results.flat()).not.toContain('1')
    expect(pool.waitingCount).toBeLessThanOrEqual(32)
    proxy.restore()
    await sleep(RECOVERY_MS)
    expect(await readMany(read)).toEqual(SUCCESSES)
    expect(pool.waitingCount).toBe(0)
  })
})

describe('a Postgres commit without a reply', () => {
  it('fails with store_error, and its message says that it is unknown whether the batch was written', async () => {
    const { proxy, store } = await openStore(1)
    proxy.onServerData(data => {
      if (data.includes('COMMIT')) proxy.cut()
    })
    const error = await expectGraphError(store.write([putNode('2')], { signal: undefined }))
    expect([error.reason, error.message]).toEqual([
      'store_error',
      '(#2) The store failed; it is unknown whether the batch was written',
    ])
    proxy.onServerData(undefined)
    const options = { signal: undefined, deadline: undefined, minRevision: undefined }
    expect((await store.read({ ...EMPTY_REQUEST, nodes: ['2'] }, options)).nodes[0]?.id).toBe('2')
  })
})
