import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { createRedisStore } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGraphError } from '../../src/base/errors.ts'
import { guardStore } from '../../src/store/guard.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { putNode } from '../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis, waitUntil } from '../helpers/redis.ts'
import { startProxy, type TcpProxy } from '../helpers/tcp-proxy.ts'

const TIMEOUT_MS = 2000
/** A call that starts this long after the network is back must succeed. */
const RECOVERY_MS = 5000

describe.skipIf(!hasRedisServer('failures of the network to Redis')).concurrent('a Redis store', () => {
  let server: RedisServer
  const proxies: TcpProxy[] = []
  const clients: Redis[] = []
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(async () => {
    for (const client of clients) client.disconnect()
    await Promise.all(proxies.map(proxy => proxy.stop()))
    await server?.stop()
  })

  /** Opens a store through a proxy. It contains node 1. */
  const openStore = async () => {
    const proxy = await startProxy(server.port)
    proxies.push(proxy)
    const client = new Redis({ port: proxy.port, socketTimeout: TIMEOUT_MS, retryStrategy: () => 100 })
    client.on('error', () => undefined)
    clients.push(client)
    const store = guardStore(
      createRedisStore(client, { prefix: `network ${++stores}:`, writeTimeoutMs: TIMEOUT_MS }),
    )
    const read = async () => {
      const options = { signal: undefined, deadline: Date.now() + TIMEOUT_MS, minRevision: undefined }
      return (await store.read({ ...EMPTY_REQUEST, nodes: ['1'] }, options)).nodes[0]?.id
    }
    const write = async () => await store.write([putNode('1')], { signal: undefined })
    await write()
    return { proxy, read, write }
  }

  const errorOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    )

  it('gives up a write after its timeout, and reports that its result is unknown', async () => {
    const { proxy, write } = await openStore()
    proxy.stall()
    const start = Date.now()
    const error = await errorOf(write())
    expect(Date.now() - start).toBeLessThan(TIMEOUT_MS + 1000)
    expect(isGraphError(error) && [error.reason, error.message]).toEqual([
      'store_error',
      expect.stringContaining('store failed'),
    ])
    proxy.restore()
  })

  it.each([
    ['stalled', (proxy: TcpProxy) => proxy.stall()],
    ['was lost without a message', (proxy: TcpProxy) => proxy.halfOpen()],
    ['was cut', (proxy: TcpProxy) => proxy.cut()],
  ] as const)('reads and writes again after the network %s', async (_, fail) => {
    const { proxy, read, write } = await openStore()
    fail(proxy)
    await Promise.all([errorOf(write()), errorOf(read())])
    proxy.restore()
    await sleep(RECOVERY_MS)
    expect(await read()).toBe('1')
    await write()
  })

  it('confirms a write with `replicated: 1` only if a replica has it', async () => {
    const [master, replica] = [await startRedis(), await startRedis()]
    const store = createRedisStore(master.admin, { replicated: 1 })
    await store.open()
    const write = async (id: string) => store.write([putNode(id)], { signal: undefined })
    const error = await errorOf(write('1'))
    expect(isGraphError(error) && error.message).toBe(
      '(#2) The store failed: the write is on the master, no replica confirmed it, and it may be lost',
    )
    expect(await master.admin.exists('kithgraph:{1}n')).toBe(1)
    await replica.admin.replicaof('127.0.0.1', master.port)
    await waitUntil('the replica follows', async () =>
      (await replica.admin.info('replication')).includes('master_link_status:up'),
    )
    await write('2')
    expect(await replica.admin.exists('kithgraph:{2}n')).toBe(1)
    await Promise.all([master.stop(), replica.stop()])
  })
})
