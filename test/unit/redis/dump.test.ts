import { Redis } from 'ioredis'
import { createMemoryStore } from 'kithgraph/memory'
import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../../src/store/contract.ts'
import { createToken, putEdge, putNode, putNodes } from '../../../src/testing/records.ts'
import { readDumpLines } from '../../helpers/read-dump-lines.ts'
import { HOST, hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'

const ids = Array.from({ length: 1200 }, (_, index) => `${index + 1}`)

/** Short and long lists, names that look like other keys, and a token, which is not part of a dump. */
const MUTATIONS: readonly StoreMutation[] = [
  ...putNodes(...ids),
  putNode('1', { text: 'line\nbreak\u0000', ['__proto__']: [] }),
  ...ids.map((id, index) => putEdge('1', 'likes', id, index % 3)),
  ...ids.map(id => putEdge(id, '}n', '1', 0, { since: null })),
  putEdge('2', '', '3'),
  putEdge('2', 'a\nb', '3', -1),
  { op: 'putToken', digest: '{1}n', token: createToken('app') },
]

const linesInMemory = (): Promise<readonly string[]> => {
  const memory = createMemoryStore()
  memory.write(MUTATIONS)
  return readDumpLines(memory.dump())
}

describe.skipIf(!hasRedisServer('the dump of the Redis store'))('the dump of a Redis store', () => {
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
  const createFilledStore = async (
    client: RedisClient,
    prefix: string,
    mutations: readonly StoreMutation[],
  ) => {
    const store = createRedisStore(client, { prefix })
    await store.open()
    await store.write(mutations, { signal: undefined })
    return store
  }

  it.each([
    ['without special characters', '', 'graph:'],
    ['with characters that have a meaning in patterns', '', 'a*[b]?\\^'],
    ['after a prefix of the client', 'client*:', 'graph:'],
    ['that only the client adds', 'client?:', ''],
  ])('contains each node and each edge once, for a prefix %s', async (_, keyPrefix, prefix) => {
    const client = connect(keyPrefix)
    await server.admin.flushall()
    for (const other of ['other:', 'axbx^', 'clientx:graph:', 'clientx:'])
      await createFilledStore(server.admin, other, [...putNodes('7777'), putEdge('7777', 'likes', '7777')])
    const store = await createFilledStore(client, prefix, MUTATIONS)
    expect(await readDumpLines(store.dump())).toEqual(await linesInMemory())
  })

  it('contains no edge to a deleted node whose edges are not yet removed', async () => {
    const store = await createFilledStore(server.admin, 'gone:', [
      ...putNodes('1', '2'),
      putEdge('1', 'likes', '2'),
    ])
    await server.admin.del('gone:{2}n')
    expect(await readDumpLines(store.dump())).toEqual(['{"node":{"id":"1","type":"thing","fields":{}}}\n'])
  })

  it('contains writes to records that it has not yet read', async () => {
    const store = await createFilledStore(server.admin, 'late:', [...putNodes('1', '2')])
    const lines: string[] = []
    for await (const line of store.dump()) {
      if (lines.length === 0) await store.write([putEdge('1', 'likes', '2')], { signal: undefined })
      lines.push(line)
    }
    expect(lines.map(line => Object.keys(JSON.parse(line))[0])).toEqual(['node', 'node', 'edge'])
  })

  it('fails if the server fails', async () => {
    const client = connect('')
    const store = await createFilledStore(client, 'lost:', putNodes('1'))
    client.disconnect()
    await expect(readDumpLines(store.dump())).rejects.toThrow('Connection is closed')
  })
})
