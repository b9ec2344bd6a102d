import { Redis } from 'ioredis'
import { createRedisStore, type RedisClient, type RedisStoreOptions } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { WRITE_REVERSE_SCRIPT } from '../../src/stores/redis/edge-scripts.ts'
import { createRedisInspector } from '../../src/stores/redis/inspect.ts'
import { PendingWork } from '../../src/stores/redis/pending-work.ts'
import { deleteEdge, putEdge, putNode, putNodes } from '../../src/testing/records.ts'
import { HOST, hasRedisServer, type RedisServer, startRedis, waitUntil } from '../helpers/redis.ts'
import { actBeforeScript, changeInfo } from '../helpers/redis-clients.ts'

const friends = (source: string, target: string) => ({ source, name: 'friends', target })
const putFriends = (source: string, target: string, time = 1): StoreMutation => ({
  op: 'putEdge',
  edge: { ...friends(source, target), time },
  mirror: friends(target, source),
})

describe.skipIf(!hasRedisServer('settling writes to Redis'))('a finished write to Redis', () => {
  let server: RedisServer
  let replica: RedisServer
  let prefixes = 0

  beforeAll(async () => {
    ;[server, replica] = await Promise.all([startRedis(), startRedis()])
  })
  afterAll(() => Promise.all([server?.stop(), replica?.stop()]))

  const create = async (client: RedisClient = server.admin, options: RedisStoreOptions = {}) => {
    const prefix = `settled ${++prefixes}:`
    const store = createRedisStore(client, { prefix, ...options })
    await store.open()
    const write = async (...mutations: readonly StoreMutation[]) =>
      store.write(mutations, { signal: undefined })
    const key = (id: string, suffix: string) => `${prefix}{${id}}${suffix}`
    const countNotes = async (...ids: readonly string[]) => {
      const counts = await Promise.all(ids.map(id => server.admin.zcard(key(id, 'u'))))
      return counts.reduce((sum, count) => sum + count, 0)
    }
    const hasNoNotes = (...ids: readonly string[]) =>
      waitUntil('the notes are removed', async () => (await countNotes(...ids)) === 0, 12_000)
    /** Returns the kinds of the errors that an inspection finds. */
    const inspect = async () => {
      const kinds: string[] = []
      const inspector = await createRedisInspector(server.admin, prefix)
      for await (const { findings } of inspector.scan()) kinds.push(...findings.map(({ kind }) => kind))
      return kinds
    }
    return { prefix, store, write, key, countNotes, hasNoNotes, inspect }
  }

  it.concurrent('leaves no recovery note after a few seconds', async () => {
    const { write, hasNoNotes } = await create()
    await write(...putNodes('1', '2'), putFriends('1', '2'), putEdge('1', 'likes', '2'))
    await hasNoNotes('1', '2')
  })

  it.concurrent('leaves no recovery note after the store was closed and opened again', async () => {
    const { store, write, hasNoNotes } = await create()
    await write(...putNodes('1', '2'), putFriends('1', '2'))
    await store.close()
    await store.open()
    await write(putFriends('1', '2', 2))
    await hasNoNotes('1', '2')
  })

  it.concurrent('is settled without the right to read the state of the server', async () => {
    await server.admin.call('acl', ['SETUSER', 'app', 'on', '>secret', '~*', '+@all', '-@dangerous'])
    const client = new Redis({
      port: server.port,
      host: HOST,
      username: 'app',
      password: 'secret',
      enableReadyCheck: false,
    })
    try {
      const { write, hasNoNotes } = await create(client)
      await write(...putNodes('1', '2'), putFriends('1', '2'))
      await hasNoNotes('1', '2')
    } finally {
      client.disconnect()
    }
  })

  it.concurrent('is settled even if other writes cannot be', async () => {
    const { write, key, hasNoNotes } = await create()
    await write(...putNodes('1', '2', '3', '4'), putFriends('1', '2'))
    await server.admin.del(key('1', 'u'))
    await server.admin.set(key('1', 'u'), 'damaged')
    await write(putFriends('3', '4'))
    await hasNoNotes('3', '4')
  })

  it.concurrent('is settled even if the data of another edge is damaged after a failover', async () => {
    const info = { runId: undefined as string | undefined }
    const { write, key, hasNoNotes } = await create(changeInfo(server.admin, info))
    await write(...putNodes('1', '2', '3', '4'))
    await write({
      ...putFriends('1', '2'),
      edge: { ...friends('1', '2'), time: 1, data: { a: 1 } },
    } as StoreMutation)
    await server.admin.hset(key('1', 'dfriends'), '2'.padStart(19, '0'), 'damaged')
    await write(putFriends('3', '4'))
    info.runId = 'another'
    await hasNoNotes('1', '2', '3', '4')
  })

  it.concurrent('leaves no reverse entry if its writer paused while the edge was deleted', async () => {
    const { prefix, write, key, hasNoNotes, countNotes, inspect } = await create()
    await write(...putNodes('1', '2'))
    const paused = createRedisStore(
      actBeforeScript(server.admin, WRITE_REVERSE_SCRIPT, async () => {
        await write(deleteEdge('1', 'likes', '2'))
        await waitUntil('the deletion is settled', async () => (await countNotes('1')) === 1)
      }),
      { prefix },
    )
    await paused.open()
    await paused.write([putEdge('1', 'likes', '2')], { signal: undefined })
    await hasNoNotes('1')
    expect(await server.admin.scard(key('2', 'r'))).toBe(0)
    expect(await inspect()).toEqual([])
  })

  it.concurrent('sends no command after the store was closed', async () => {
    let sent = 0
    const counted: RedisClient = {
      pipeline: lines => {
        sent++
        return server.admin.pipeline(lines.map(line => [...line]))
      },
      call: (command, args) => {
        sent++
        return server.admin.call(command, args)
      },
    }
    const { store, write } = await create(counted)
    await write(...putNodes('1', '2'), putFriends('1', '2'), { op: 'deleteNode', id: '2' })
    const closing = store.close()
    const late = write(putFriends('1', '1'))
    await Promise.allSettled([closing, late])
    const before = sent
    await new Promise(resolve => setTimeout(resolve, 2500))
    expect(sent).toBe(before)
  })

  it('is remembered in at most 32 MB', () => {
    const work = new PendingWork()
    const text = 'x'.repeat(40_000)
    let added = 0
    while (work.addNote({ source: '1', text: `${added}${text}` }, undefined, 0)) added++
    expect(added * text.length).toBeLessThanOrEqual(32_000_000)
    expect(added * text.length).toBeGreaterThan(31_000_000)
  })

  it.concurrent('is reported as lost only if it is on the master, with `replicated: 1`', async () => {
    const { store, prefix, write, key } = await create()
    await write(putNode('1'))
    await store.close()
    const replicated = createRedisStore(server.admin, { prefix, replicated: 1 })
    await replicated.open()
    const deletion = async () => replicated.write([{ op: 'deleteNode', id: '1' }], { signal: undefined })
    await expect(deletion()).rejects.toThrow('the write is on the master')
    expect(await server.admin.exists(key('1', 'n'))).toBe(0)
  })

  describe('to a server with a replica', () => {
    let own: RedisServer

    beforeAll(async () => {
      own = await startRedis()
      await own.admin.config('SET', 'repl-diskless-sync-delay', '0')
      await replica.admin.replicaof(HOST, own.port)
      const isOnline = async () => (await own.admin.info('replication')).includes('state=online')
      await waitUntil('the replica follows', isOnline)
    })
    afterAll(() => own?.stop())

    it('keeps its recovery notes until the replica has confirmed it, and while no replica is connected', async () => {
      const prefix = 'replicated:'
      const store = createRedisStore(own.admin, { prefix })
      await store.open()
      await store.write([...putNodes('1', '2'), putFriends('1', '2')], { signal: undefined })
      const count = async () =>
        (await own.admin.zcard(`${prefix}{1}u`)) + (await own.admin.zcard(`${prefix}{2}u`))
      await waitUntil('the notes are removed', async () => (await count()) === 0, 12_000)
      const processId = Number(/process_id:(\d+)/.exec(await replica.admin.info('server'))?.[1])
      process.kill(processId, 'SIGSTOP')
      try {
        await store.write([putFriends('1', '2', 2)], { signal: undefined })
        await new Promise(resolve => setTimeout(resolve, 2500))
        expect(await count()).toBe(2)
        await own.admin.client('KILL', 'TYPE', 'replica')
        await new Promise(resolve => setTimeout(resolve, 1500))
        expect(await count()).toBe(2)
      } finally {
        process.kill(processId, 'SIGCONT')
      }
      await waitUntil('the notes are removed', async () => (await count()) === 0, 12_000)
      await store.close()
    })

    it('is settled by close without waiting for a replica, which confirms only once a second by itself', async () => {
      let readings = 0
      const client: RedisClient = {
        pipeline: lines => own.admin.pipeline(lines),
        call: (command, args) => {
          if (command === 'info') readings++
          return own.admin.call(command, args)
        },
      }
      const runs = 5
      for (let run = 0; run < runs; run++) {
        const store = createRedisStore(client, { prefix: 'closed:' })
        await store.open()
        await store.write([...putNodes('1', '2'), putFriends('1', '2', run)], { signal: undefined })
        await store.close()
        expect(await own.admin.zcard('closed:{1}u')).toBe(0)
      }
      // One when the store opens, and two when it closes. Waiting would take six more on average.
      expect(readings).toBeLessThan(6 * runs)
    })

    it.each([
      ['is rejected', () => Promise.reject(new Error('NOPERM'))],
      [
        'throws an error',
        () => {
          throw new Error('not supported')
        },
      ],
    ])('is settled by close also if the request to the replica %s', async (kind, fail) => {
      const client: RedisClient = {
        pipeline: lines => own.admin.pipeline(lines),
        call: (command, args) => (command === 'wait' ? fail() : own.admin.call(command, args)),
      }
      const prefix = `${kind}:`
      const store = createRedisStore(client, { prefix })
      await store.open()
      await store.write([...putNodes('1', '2'), putFriends('1', '2')], { signal: undefined })
      expect(await own.admin.zcard(`${prefix}{1}u`)).toBe(1)
      await store.close()
      expect(await own.admin.zcard(`${prefix}{1}u`)).toBe(0)
    })

    it('keeps its recovery notes while the client is connected to a former master', async () => {
      const prefix = 'demoted:'
      const store = createRedisStore(own.admin, { prefix })
      await store.open()
      await store.write([...putNodes('1', '2'), putFriends('1', '2')], { signal: undefined })
      await own.admin.config('SET', 'replica-read-only', 'no')
      await own.admin.replicaof(HOST, 1)
      await new Promise(resolve => setTimeout(resolve, 2500))
      expect(await own.admin.zcard(`${prefix}{1}u`)).toBe(1)
      await own.admin.replicaof('NO', 'ONE')
      await store.close()
    })
  })
})
