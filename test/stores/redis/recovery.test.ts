import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGraphError } from '../../../src/base/errors.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { createRedisInspector } from '../../../src/stores/redis/inspect.ts'
import { PUT_NODE_SCRIPT } from '../../../src/stores/redis/node-scripts.ts'
import { putEdge, putNode, putNodes } from '../../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis, waitUntil } from '../../helpers/redis.ts'
import { actBeforeScript, breakAfter, changeInfo, makeNotesOld } from '../../helpers/redis-clients.ts'

const member = (id: string): string => id.padStart(19, '0')
const friends = (source: string, target: string) => ({ source, name: 'friends', target })
const putFriends = (source: string, target: string, data?: { readonly a: number }): StoreMutation => ({
  op: 'putEdge',
  edge: { ...friends(source, target), time: 1, ...(data && { data }) },
  mirror: friends(target, source),
})

describe.skipIf(!hasRedisServer('recovery of writes to Redis'))('a Redis store', () => {
  let server: RedisServer
  let prefixes = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  const create = async (client: RedisClient = server.admin) => {
    const prefix = `recovered ${++prefixes}:`
    const store = createRedisStore(client, { prefix })
    await store.open()
    const write = async (...mutations: readonly StoreMutation[]) =>
      store.write(mutations, { signal: undefined })
    const key = (id: string, suffix: string) => `${prefix}{${id}}${suffix}`
    const listOf = (id: string, name: string) => server.admin.zrange(key(id, `e${name}`), 0, -1)
    const inspect = async () => {
      const kinds: string[] = []
      const inspector = await createRedisInspector(server.admin, prefix)
      for await (const { findings } of inspector.scan()) kinds.push(...findings.map(({ kind }) => kind))
      return kinds
    }
    /** Writes over a connection that breaks after some commands. */
    const writeUntilKilled = async (commands: number, ...mutations: readonly StoreMutation[]) => {
      const killed = createRedisStore(breakAfter(server.admin, commands), { prefix })
      await expect(killed.write(mutations, { signal: undefined })).rejects.toThrow()
    }
    return { prefix, store, write, key, listOf, inspect, writeUntilKilled }
  }

  it('completes a deletion whose number has expired', async () => {
    const { store, write, key, listOf, writeUntilKilled } = await create()
    await write(...putNodes('1', '2'), putFriends('1', '2'))
    await store.close()
    await writeUntilKilled(4, { op: 'deleteEdge', edge: friends('1', '2'), mirror: friends('2', '1') })
    expect([await listOf('1', 'friends'), await listOf('2', 'friends')]).toEqual([[], [member('1')]])
    await server.admin.del(key('1', 'z'))
    expect(await store.recover()).toEqual({ notes: 1, purges: 0 })
    expect([await listOf('1', 'friends'), await listOf('2', 'friends')]).toEqual([[], []])
  })

  it('recovers the other writes if a note and the data of an edge are damaged, and counts only those', async () => {
    const { prefix, store, write, key, listOf, writeUntilKilled } = await create()
    await write(...putNodes('1', '2', '3', '4'))
    await store.close()
    await writeUntilKilled(4, putFriends('1', '2', { a: 1 }))
    await writeUntilKilled(4, putFriends('3', '4'))
    await server.admin.hset(key('1', 'dfriends'), member('2'), 'PASSWORD=secret')
    await server.admin.zadd(key('3', 'u'), 1, 'PASSWORD=secret')
    expect(await store.recover()).toEqual({ notes: 2, purges: 0 })
    expect(await listOf('4', 'friends')).toEqual([member('3')])
    const inspector = await createRedisInspector(server.admin, prefix)
    expect(await inspector.repair({ kind: 'damagedNote', id: '3' })).toBe(true)
    expect(await inspector.repair({ kind: 'damagedNote', id: '3' })).toBe(false)
    expect(await server.admin.zcard(key('3', 'u'))).toBe(0)
  })

  it('reports a damaged recovery note, and no other unfinished write', async () => {
    const { store, write, key, inspect } = await create()
    await write(...putNodes('1'))
    await store.close()
    await server.admin.zadd(key('1', 'u'), 1, '["stamp","",[["friends","2","friends"]],[]]')
    expect(await inspect()).toEqual(['damagedNote'])
  })

  it('is inspected in a time that grows with the number of notes, not with its square', async () => {
    const { store, write, key, inspect } = await create()
    const ids = Array.from({ length: 400 }, (_, index) => `${index + 2}`)
    await write(...putNodes('1', ...ids), ...ids.map(id => putFriends('1', id)))
    await store.close()
    const readBytes = async () =>
      Number(/total_net_output_bytes:(\d+)/.exec(await server.admin.info('stats'))?.[1])
    const inspectWith = async (part: readonly string[]) => {
      for (const id of part)
        await server.admin.zadd(
          key('1', 'u'),
          1,
          JSON.stringify([id, '', [['friends', member(id), 'friends']], []]),
        )
      const before = await readBytes()
      expect(await inspect()).toEqual([])
      return (await readBytes()) - before
    }
    const without = await inspectWith([])
    const first = (await inspectWith(ids.slice(0, 200))) - without
    const second = (await inspectWith(ids.slice(200))) - without
    expect(second / first).toBeLessThan(3)
  })

  it('does not take a recent note for unfinished, and completes an old one', async () => {
    const { prefix, store, write, key, listOf, writeUntilKilled } = await create()
    await write(...putNodes('1', '2'))
    await store.close()
    await writeUntilKilled(4, putFriends('1', '2'))
    const inspector = await createRedisInspector(server.admin, prefix)
    expect(await inspector.repair({ kind: 'unfinishedMirror', id: '1' })).toBe(false)
    await makeNotesOld(server.admin, key('1', 'u'))
    expect(await inspector.repair({ kind: 'unfinishedMirror', id: '1' })).toBe(true)
    expect(await listOf('2', 'friends')).toEqual([member('1')])
  })

  describe('whose node gets another type from another writer during a write', () => {
    const late = async (...mutations: readonly StoreMutation[]) => {
      const { prefix, write, listOf } = await create()
      const client = actBeforeScript(server.admin, PUT_NODE_SCRIPT, () => write(putNode('1', {}, 'photo')))
      const store = createRedisStore(client, { prefix })
      await store.open()
      const error: unknown = await Promise.resolve(store.write(mutations, { signal: undefined })).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      return { data: isGraphError(error) && error.toJSON().error.error_data, listOf }
    }

    it('rejects a batch of which nothing was written', async () => {
      const { data } = await late(putNode('1'), putEdge('1', 'likes', '1'))
      expect(data).toMatchObject({ reason: 'invalid_mutation' })
    })

    it('reports which parts of a batch were written', async () => {
      const { data, listOf } = await late(...putNodes('1', '2'), putEdge('1', 'likes', '2'))
      expect(data).toMatchObject({ reason: 'store_error', applied: { nodes: ['2'], sources: [] } })
      expect(await listOf('1', 'likes')).toEqual([])
    })
  })

  it('keeps what was written after a failover that lost a deletion, and leaves no edge on one side', async () => {
    const info = { runId: undefined as string | undefined }
    const { store, write, key, listOf, inspect } = await create(changeInfo(server.admin, info))
    await write(...putNodes('1', '2', '3'), putFriends('1', '2'), putFriends('3', '1'))
    await write(putEdge('1', 'likes', '2', 1), putEdge('2', 'follows', '1', 1))
    await store.close()
    await store.open()
    const lostKeys = await server.admin.keys(key('1', '*'))
    const dumps = await Promise.all(lostKeys.map(lostKey => server.admin.dumpBuffer(lostKey)))
    await write({ op: 'deleteNode', id: '1' })
    // The new master has the state before the deletion.
    await server.admin.del(await server.admin.keys(key('1', '*')))
    for (const [index, lostKey] of lostKeys.entries())
      await server.admin.restore(lostKey, 0, dumps[index] ?? Buffer.alloc(0))
    info.runId = 'another'
    await write(putNode('1', { name: 'new' }), putFriends('1', '3'))
    const hasOnlyNewEdge = async () => (await listOf('1', 'friends')).join() === member('3')
    await waitUntil('the lost edges are removed', hasOnlyNewEdge, 12_000)
    expect(await server.admin.get(key('1', 'n'))).toBe(JSON.stringify(['thing', { name: 'new' }]))
    expect(await listOf('3', 'friends')).toEqual([member('1')])
    expect(await listOf('1', 'likes')).toEqual([member('2')])
    expect(await inspect()).toEqual([])
  })
})
