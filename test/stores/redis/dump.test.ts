import { Redis } from 'ioredis'
import { createMemoryStore } from 'kithgraph/memory'
import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { createToken, putEdge, putNode, putNodes } from '../../../src/testing/records.ts'
import { readDumpLines } from '../../helpers/read-dump-lines.ts'
import { HOST, hasRedisServer, type RedisServer, startRedis, startRedisProcess } from '../../helpers/redis.ts'

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

const isLong = process.env.KITHGRAPH_LONG !== undefined
const LARGE_COUNT = isLong ? 1000 : 20
const LARGE_TEXT = 'x'.repeat(600_000)
/** The maximum size of a page, with room for keys and quotes. */
const MAX_PAGE_LENGTH = 8 * 1024 * 1024 + LARGE_TEXT.length

/** Creates a client that measures the replies of its commands. The replies of a pipeline count together. */
const measureReplies = (measured: Redis) => {
  let longest = 0
  const measure = <TReply>(reply: TReply): TReply => {
    longest = Math.max(longest, JSON.stringify(reply ?? '').length)
    return reply
  }
  const client: RedisClient = {
    pipeline: commands => ({ exec: async () => measure(await measured.pipeline(commands).exec()) }),
    call: async (command, args) => measure(await measured.call(command, args)),
  }
  return { client, longestReply: () => longest }
}

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

  /** Reads the dump of two nodes and an edge on an own server, and calls a function after the first line. */
  const readDuring = async (change: (current: RedisServer) => Promise<RedisServer>): Promise<unknown> => {
    const current = await startRedis()
    const client = new Redis({ port: current.port, host: HOST })
    client.on('error', () => undefined)
    clients.push(client)
    const store = await createFilledStore(client, '', [...putNodes('1', '2'), putEdge('1', 'likes', '2')])
    let other: RedisServer | undefined
    try {
      for await (const _ of store.dump()) other ??= await change(current)
      return undefined
    } catch (error) {
      return error
    } finally {
      await current.stop()
      await other?.stop()
    }
  }

  it('fails if the server restarts without its data', async () => {
    const error = await readDuring(async current => {
      await current.stop()
      return startRedisProcess(current.port)
    })
    expect(error).toMatchObject({
      reason: 'store_error',
      message:
        '(#2) The store failed to scan all keys: a master restarted, was removed or lost writes during the scan; scan again',
    })
  })

  it.skipIf(!isLong)('fails if the server becomes the replica of an empty one', async () => {
    const error = await readDuring(async current => {
      const other = await startRedis()
      await current.admin.replicaof(HOST, other.port)
      return other
    })
    expect(error).toMatchObject({
      reason: 'store_error',
      message: '(#2) The store failed to scan all keys: no master is reachable',
    })
  })

  it(`reads pages of limited size for ${LARGE_COUNT} nodes and edges of 600 KB`, async () => {
    const { client, longestReply } = measureReplies(connect(''))
    const store = await createFilledStore(client, 'large:', [])
    for (const id of ids.slice(0, LARGE_COUNT))
      await store.write(
        [putNode(id, { text: LARGE_TEXT }), putEdge(id, 'self', id, 0, { text: LARGE_TEXT })],
        {
          signal: undefined,
        },
      )
    let lines = 0
    for await (const line of store.dump()) if (line.includes(LARGE_TEXT)) lines++
    expect(lines).toBe(2 * LARGE_COUNT)
    expect(longestReply()).toBeGreaterThan(LARGE_TEXT.length)
    expect(longestReply()).toBeLessThan(MAX_PAGE_LENGTH)
  })

  it('reads each edge once, if the sizes of edges and targets divide a list into many pages', async () => {
    const store = await createFilledStore(connect(''), 'pages:', [])
    const targets = ids.slice(0, 30)
    const mutations = [
      ...targets.map(id => putNode(id, { text: LARGE_TEXT.slice(0, Number(id) * 20_000) })),
      ...['a', 'b'].flatMap(name =>
        targets.map(id => putEdge('1', name, id, Number(id) % 3, { text: LARGE_TEXT.slice(0, 100_000) })),
      ),
    ]
    await store.write(mutations, { signal: undefined })
    const memory = createMemoryStore()
    memory.write(mutations)
    expect(await readDumpLines(store.dump())).toEqual(await readDumpLines(memory.dump()))
  })

  it('fails if the server fails', async () => {
    const client = connect('')
    const store = await createFilledStore(client, 'lost:', putNodes('1'))
    client.disconnect()
    await expect(readDumpLines(store.dump())).rejects.toThrow('Connection is closed')
  })
})
