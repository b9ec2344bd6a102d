import { Redis } from 'ioredis'
import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import type { EdgeRange, StoreReadRequest } from '../../../src/store/contract.ts'
import { guardStore } from '../../../src/store/guard.ts'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import { createRange, createToken, putEdge, putNode, putNodes } from '../../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { actAfterFirst, actBeforeEach, recordPipelines } from '../../helpers/redis-clients.ts'

const NO_OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
const ids = Array.from({ length: 20 }, (_, index) => `${index + 1}`)

describe('createRedisStore', () => {
  const client = new Redis({ lazyConnect: true })

  it('rejects a value that is not a client, unknown options, and a prefix with a brace', () => {
    expect(() => createRedisStore({} as RedisClient)).toThrow(
      new TypeError('createRedisStore: "client" must be a client of ioredis; received an empty object'),
    )
    expect(() => createRedisStore(client, { prefix: 'a{b' })).toThrow(
      new TypeError('createRedisStore: "prefix" must be a string without "{"; received "a{b"'),
    )
    expect(() => createRedisStore(client, Object.fromEntries([['prefx', 'a']]))).toThrow(
      /options must be one of .*"prefix".*; received "prefx"/,
    )
  })
})

describe('a batch of more mutations than a JavaScript call may have arguments', () => {
  const replyTo = (name = '', args: readonly string[] = []): unknown => {
    if (name === 'mget') return args.map(() => null)
    if (name === 'smembers') return []
    return name === 'getrange' ? '}]' : ['done', [], []]
  }
  /** A client of a server that accepts every command, and has nodes but no recovery notes. */
  const client: RedisClient = {
    pipeline: lines => ({ exec: async () => lines.map(([name, ...args]) => [null, replyTo(name, args)]) }),
    call: async (name, args) => replyTo(name, args),
  }

  it('is written to Redis, with one script for all edges of a source', async () => {
    const { client: counted, pipelines } = recordPipelines(client)
    const many = Array.from({ length: 150_000 }, (_, index) => `${index + 1}`)
    await createRedisStore(counted).write(
      [...many.map(id => putNode(id)), ...many.map(id => putEdge('1', 'likes', id))],
      { signal: undefined },
    )
    const size = 'reads, nodes, edges, targets'
    expect(
      pipelines.map(names => names.length),
      size,
    ).toEqual([30, many.length, 1, many.length])
  })
})

describe.skipIf(!hasRedisServer('the Redis store on a server'))('a Redis store on one server', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  const create = async (client: RedisClient = server.admin) => {
    const prefix = `store ${++stores}:`
    const store = createRedisStore(client, { prefix })
    await store.open()
    const read = async (request: Partial<StoreReadRequest>) =>
      store.read({ ...EMPTY_REQUEST, ...request }, NO_OPTIONS)
    return { prefix, store, read }
  }

  it('sends one pipeline per read, and a second one for the targets of ranges', async () => {
    const { client, pipelines, scriptLoads } = recordPipelines(server.admin)
    const { store, read } = await create(client)
    await store.write(
      [
        ...putNodes(...ids),
        ...ids.map(id => putEdge('1', 'likes', id)),
        ...ids.map(id => putEdge(id, 'likes', '1')),
      ],
      { signal: undefined },
    )
    const count = async (request: Partial<StoreReadRequest>) => {
      pipelines.length = 0
      scriptLoads.length = 0
      await read(request)
      expect(scriptLoads).toEqual([])
      return pipelines.map(names => names.length)
    }
    const checks = ids.map(target => ({ source: '1', name: 'likes', target }))
    const ranges = ids.map(id => createRange(id, 'likes'))
    expect(await count({})).toEqual([])
    expect(await count({ nodes: [...ids, ...ids] }), 'all records are one command').toEqual([1])
    expect(await count({ checks }), 'one list, and each of its targets').toEqual([21])
    expect(await count({ ranges: ranges.map(range => ({ ...range, limit: 0 })) })).toEqual([20])
    expect(await count({ ranges }), 'lists and their counts, and then all targets').toEqual([40, 1])
    expect(await count({ ranges, nodes: ids }), 'all targets are known').toEqual([41])
    expect(
      await count({ nodes: ids, ranges: [createRange('1', 'likes')], checks, tokens: ['a', 'b'] }),
    ).toEqual([24])
  })

  it('reads one page of a list, however many of its edges have the same time', async () => {
    const { prefix, store, read } = await create()
    await store.write(putNodes('1', '2', '150001'), { signal: undefined })
    const fill = `for n = 2, 300001 do redis.call('ZADD', KEYS[1], 7, string.format('%019d', n)) end`
    await server.admin.eval(fill, 1, `${prefix}{1}elikes`)

    const rowsRead = async (range: Partial<EdgeRange>) => {
      await server.admin.config('RESETSTAT')
      const { ranges } = await read({ ranges: [createRange('1', 'likes', { limit: 25, ...range })] })
      const stats = await server.admin.info('commandstats')
      return { slice: ranges[0], scans: Number(/cmdstat_zrange:calls=(\d+)/.exec(stats)?.[1] ?? 0) }
    }
    const first = await rowsRead({})
    expect(first.slice).toMatchObject({
      hasMore: true,
      total: 300_000,
      lastExamined: { time: 7, target: '26' },
    })
    const there = await rowsRead({ from: { time: 7, target: '150000' } })
    expect(there.slice).toMatchObject({
      hasMore: true,
      entries: [{ target: '150001' }],
      lastExamined: { target: '150025' },
    })
    expect(there.scans, 'the edge, the next edge, and the page').toBe(3)

    await server.admin.zrem(`${prefix}{1}elikes`, '150000'.padStart(19, '0'))
    const gone = await rowsRead({ from: { time: 7, target: '150000' } })
    expect(gone.slice).toEqual({ ...there.slice, total: 299_999 })
    expect(gone.scans, 'one row is read for each halving').toBeLessThanOrEqual(2 + 19)
    const before = await rowsRead({ from: { time: 7, target: '150000' }, direction: 'newest' })
    expect(before.slice).toMatchObject({ hasMore: true, entries: [], lastExamined: { target: '149975' } })
  })

  it('returns an edge with its own time and data, even if it is written while it is read', async () => {
    const { prefix, store } = await create()
    const put = async (time: number, data?: JsonObject) =>
      store.write([putEdge('1', 'likes', '2', time, data)], { signal: undefined })
    await store.write(putNodes('1', '2'), { signal: undefined })
    const versions = [[1, { note: 'a' }], [2, { note: 'b' }], [2], [3], [4, { note: 'c' }]] as const
    for (const [index, [time, data]] of versions.entries()) {
      await put(time, data)
      const [nextTime = 9, nextData] = versions[index + 1] ?? []
      const { client, pipelines } = recordPipelines(server.admin)
      const late = createRedisStore(
        actAfterFirst(client, () => put(nextTime, nextData)),
        { prefix },
      )
      await late.open()
      const range = createRange('1', 'likes', { count: false })
      const result = await late.read({ ...EMPTY_REQUEST, ranges: [range] }, NO_OPTIONS)
      const found = result.ranges[0]?.entries.map(entry => [entry.time, entry.data])
      expect([[[time, data]], [[nextTime, nextData]]]).toContainEqual(found)
      expect(pipelines, 'it is read again only where it has data').toHaveLength(data === undefined ? 2 : 3)
    }
  })

  it('reads the edges of a range again at most once, however often they are written meanwhile', async () => {
    const { prefix, store } = await create()
    const targets = ['2', '3', '4', '5', '6', '7']
    await store.write(putNodes('1', ...targets), { signal: undefined })
    let writes = 0
    const writeNext = async () => {
      const data = { note: ++writes }
      const newest = putEdge('1', 'likes', targets[writes] ?? '', writes, data)
      await store.write([putEdge('1', 'likes', '2', writes, data), newest], { signal: undefined })
    }
    const { client, pipelines } = recordPipelines(server.admin)
    const late = createRedisStore(actBeforeEach(client, writeNext), { prefix })
    await late.open()
    const request = { ...EMPTY_REQUEST, nodes: ['1'], ranges: [createRange('1', 'likes')] }
    const { ranges } = await late.read(request, NO_OPTIONS)
    expect(pipelines, 'lists; data, targets; lists with data; new targets').toEqual([
      ['mget', 'zcard', 'zrange'],
      ['mget', 'hmget'],
      ['zcard', 'evalsha'],
      ['mget'],
    ])
    const found = ranges[0]?.entries.map(({ target, time, data }) => [target, time, data])
    expect(found).toContainEqual(['2', 3, { note: 3 }])
    expect(found).toContainEqual(['5', 3, { note: 3 }])
    expect(ranges[0]?.total).toBe(found?.length)
  })

  it('fails if an edge has lost its data', async () => {
    const { prefix, store, read } = await create()
    await store.write([...putNodes('1', '2'), putEdge('1', 'likes', '2', 1, { note: 'a' })], {
      signal: undefined,
    })
    await server.admin.del(`${prefix}{1}dlikes`)
    await expect(read({ ranges: [createRange('1', 'likes')] })).rejects.toThrow('lacks its data')
  })

  it('leaves out an edge to a deleted target, and returns the last examined position', async () => {
    const { prefix, store, read } = await create()
    await store.write(
      [...putNodes('1', '2', '3', '4'), ...['2', '3', '4'].map(id => putEdge('1', 'likes', id, Number(id)))],
      { signal: undefined },
    )
    await server.admin.del(`${prefix}{3}n`)
    const { ranges, checks } = await read({
      ranges: [
        createRange('1', 'likes', { limit: 2 }),
        createRange('1', 'likes', { from: { time: 3, target: '3' } }),
      ],
      checks: [{ source: '1', name: 'likes', target: '3' }],
    })
    expect(ranges[0]).toMatchObject({
      entries: [{ target: '2' }],
      hasMore: true,
      lastExamined: { time: 3, target: '3' },
    })
    expect(ranges[1]).toMatchObject({ entries: [{ target: '4' }], hasMore: false })
    expect(checks).toEqual([false])
  })

  it('works after the server lost its scripts', async () => {
    const { store, read } = await create()
    await store.write(putNodes('1', '2'), { signal: undefined })
    await server.admin.script('FLUSH')
    await store.write([putEdge('1', 'likes', '2')], { signal: undefined })
    await server.admin.script('FLUSH')
    expect((await read({ ranges: [createRange('1', 'likes')] })).ranges[0]?.total).toBe(1)
  })

  it('throws store_error with the cause if a key has a value of another type', async () => {
    const { prefix, store } = await create()
    await server.admin.set(`${prefix}{1}elikes`, 'no list')
    await server.admin.set(`${prefix}{1}n`, '["thing",{}]')
    const request = { ...EMPTY_REQUEST, ranges: [createRange('1', 'likes')] }
    await expect(async () => guardStore(store).read(request, NO_OPTIONS)).rejects.toMatchObject({
      reason: 'store_error',
      cause: { message: expect.stringContaining('WRONGTYPE') },
    })
  })

  it('ends a read at its deadline if the server hangs, and works again when the server does', async () => {
    const own = await startRedis()
    try {
      const { store } = await create(own.admin)
      const guarded = guardStore(store)
      await guarded.write([putNode('1'), { op: 'putToken', digest: 'abc', token: createToken('demo') }], {
        signal: undefined,
      })
      await server.admin.ping()
      const pid = Number(/process_id:(\d+)/.exec(await own.admin.info('server'))?.[1])
      process.kill(pid, 'SIGSTOP')
      const request = { ...EMPTY_REQUEST, nodes: ['1'] }
      await expect(async () =>
        guarded.read(request, { ...NO_OPTIONS, deadline: Date.now() + 200 }),
      ).rejects.toMatchObject({ reason: 'timeout' })
      process.kill(pid, 'SIGCONT')
      expect((await guarded.read(request, NO_OPTIONS)).nodes[0]?.id).toBe('1')
    } finally {
      await own.stop()
    }
  })
})
