import { Redis } from 'ioredis'
import { createMemoryStore } from 'kithgraph/memory'
import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mutation } from '../../../src/store/contract.ts'
import { putEdge, putNode, putNodes, tokenOf } from '../../../src/testing/records.ts'
import { dumpedLines } from '../../helpers/dumped-lines.ts'
import { HOST, hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'

const ids = Array.from({ length: 1200 }, (_, index) => `${index + 1}`)

/** Lists of all lengths, names that look like other keys, and a token, which is no record. */
const MUTATIONS: readonly Mutation[] = [
  ...putNodes(...ids),
  putNode('1', { text: 'line\nbreak\u0000', ['__proto__']: [] }),
  ...ids.map((id, index) => putEdge('1', 'likes', id, index % 3)),
  ...ids.map(id => putEdge(id, '}n', '1', 0, { since: null })),
  putEdge('2', '', '3'),
  putEdge('2', 'a\nb', '3', -1),
  { op: 'putToken', digest: '{1}n', token: tokenOf('app') },
]

const linesInMemory = (): Promise<readonly string[]> => {
  const memory = createMemoryStore()
  memory.write(MUTATIONS)
  return dumpedLines(memory.dump())
}

describe.skipIf(!hasRedisServer('the dump of the Redis store'))('the dump of a server', () => {
  let server: RedisServer
  const clients: Redis[] = []
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(async () => {
    for (const client of clients) client.disconnect()
    await server?.stop()
  })

  const connect = (keyPrefix: string): Redis => {
    const client = new Redis({ port: server.port, host: HOST, keyPrefix })
    clients.push(client)
    return client
  }
  const filled = async (client: RedisClient, prefix: string, mutations: readonly Mutation[]) => {
    const store = createRedisStore(client, { prefix })
    await store.open()
    await store.write(mutations, { signal: undefined })
    return store
  }

  it.each([
    ['as it is', '', 'graph:'],
    ['with characters of patterns in it', '', 'a*[b]?\\^'],
    ['behind one of the client', 'client*:', 'graph:'],
    ['of the client alone', 'client?:', ''],
  ])('is each node and each edge once, with a prefix %s', async (_, keyPrefix, prefix) => {
    const client = connect(keyPrefix)
    await server.admin.flushall()
    for (const other of ['other:', 'axbx^', 'clientx:graph:', 'clientx:'])
      await filled(server.admin, other, [...putNodes('7777'), putEdge('7777', 'likes', '7777')])
    const store = await filled(client, prefix, MUTATIONS)
    expect(await dumpedLines(store.dump())).toEqual(await linesInMemory())
  })

  it('has no edge to a node whose edges nobody has purged yet', async () => {
    const store = await filled(server.admin, 'gone:', [...putNodes('1', '2'), putEdge('1', 'likes', '2')])
    await server.admin.del('gone:{2}n')
    expect(await dumpedLines(store.dump())).toEqual(['{"node":{"id":"1","type":"thing","fields":{}}}\n'])
  })

  it('goes on while it is read, and shows what is written to what it has not come to', async () => {
    const store = await filled(server.admin, 'late:', [...putNodes('1', '2')])
    const lines: string[] = []
    for await (const line of store.dump()) {
      if (lines.length === 0) await store.write([putEdge('1', 'likes', '2')], { signal: undefined })
      lines.push(line)
    }
    expect(lines.map(line => Object.keys(JSON.parse(line))[0])).toEqual(['node', 'node', 'edge'])
  })

  it('fails where the server does', async () => {
    const client = connect('')
    const store = await filled(client, 'lost:', putNodes('1'))
    client.disconnect()
    await expect(dumpedLines(store.dump())).rejects.toThrow('Connection is closed')
  })
})
