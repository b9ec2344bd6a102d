import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import { REMOVE_EDGES_SCRIPT, WRITE_SIDES_SCRIPT } from '../../../src/stores/redis/edge-scripts.ts'
import { DELETE_NODE_SCRIPT, PUT_NODE_SCRIPT } from '../../../src/stores/redis/node-scripts.ts'
import {
  createRange,
  deleteEdge,
  putEdge,
  putNode,
  putNodes,
  withMirror,
} from '../../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { actAfterScript, actBeforeScript, breakAfter, makeNotesOld } from '../../helpers/redis-clients.ts'

const NO_OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
const deleteNode = (id: string): StoreMutation => ({ op: 'deleteNode', id })

describe.skipIf(!hasRedisServer('steps of writers to Redis that come late'))('a delayed Redis write', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  /** Creates a store, and functions that write to it over other clients. */
  const create = async (...mutations: readonly StoreMutation[]) => {
    const prefix = `store ${++stores}:`
    const writeOver = async (client: RedisClient, ...mutations: readonly StoreMutation[]) => {
      const store = createRedisStore(client, { prefix })
      await store.open()
      await store.write(mutations, { signal: undefined })
    }
    const write = (...mutations: readonly StoreMutation[]) => writeOver(server.admin, ...mutations)
    await write(...mutations)
    /** Reads the targets of a list, whose total must be their number, and which checks must find. */
    const targets = async (source: string, name: string): Promise<readonly string[]> => {
      const store = createRedisStore(server.admin, { prefix })
      const checks = ['1', '2', '3', '4', '5'].map(target => ({ source, name, target }))
      const request = { ...EMPTY_REQUEST, ranges: [createRange(source, name)], checks }
      const result = await store.read(request, NO_OPTIONS)
      const found = result.ranges.flatMap(({ entries }) => entries.map(entry => entry.target))
      expect(result.ranges[0]?.total).toBe(found.length)
      expect(checks.filter((_, index) => result.checks[index]).map(({ target }) => target)).toEqual(found)
      return found
    }
    /** Completes all writes, and returns the keys that do not expire. */
    const keys = async () => {
      const store = createRedisStore(server.admin, { prefix })
      await store.recover()
      return (await server.admin.keys(`${prefix}*`)).filter(key => !/\}[tz]$/.test(key))
    }
    return { prefix, write, writeOver, targets, keys }
  }

  it('deletes the lists that exist now, even if the same number of lists had other names before', async () => {
    const { write, writeOver, targets, keys } = await create(
      ...putNodes('1', '2'),
      putEdge('1', 'likes', '2'),
    )
    const late = actBeforeScript(server.admin, DELETE_NODE_SCRIPT, async () => {
      await write(deleteNode('1'))
      await write(putNode('1'), putEdge('1', 'knows', '2'))
    })
    await writeOver(late, deleteNode('1'))
    await write(putNode('1'))
    expect(await targets('1', 'knows')).toEqual([])
    await write(deleteNode('1'), deleteNode('2'))
    expect(await keys()).toEqual([])
  })

  it('removes no edge of a node that was put again while its deletion was paused', async () => {
    const edges = [putEdge('1', 'likes', '2', 1, { note: 'a' }), putEdge('2', 'likes', '1', 1)]
    const { write, writeOver, targets, keys } = await create(...putNodes('1', '2'), ...edges)
    const late = actBeforeScript(server.admin, REMOVE_EDGES_SCRIPT, () => write(putNode('2'), ...edges))
    await writeOver(late, deleteNode('2'))
    expect(await targets('1', 'likes')).toEqual(['2'])
    expect(await targets('2', 'likes')).toEqual(['1'])
    await write(deleteNode('2'))
    await write(putNode('2'))
    expect(await targets('1', 'likes')).toEqual([])
    await write(deleteNode('1'), deleteNode('2'))
    expect(await keys()).toEqual([])
  })

  it('keeps the reverse entry of an edge that was put after an older deletion but before its recovery', async () => {
    const { prefix, write, targets, keys } = await create(...putNodes('1', '2'), putEdge('1', 'likes', '2'))
    const store = createRedisStore(server.admin, { prefix })
    await store.open()
    await store.write([deleteEdge('1', 'likes', '2')], { signal: undefined })
    await write(deleteNode('2'), putNode('2'))
    await write(putEdge('1', 'likes', '2'))
    await store.close()
    expect(await server.admin.smembers(`${prefix}{2}r`)).toEqual(['1 likes'])
    await write(deleteNode('2'))
    await keys()
    expect(await targets('1', 'likes')).toEqual([])
  })

  it('writes no edge to a node that was deleted and put again before the edge was written', async () => {
    const { write, writeOver, targets } = await create(...putNodes('1', '2'))
    const late = actBeforeScript(server.admin, WRITE_SIDES_SCRIPT, async () => {
      await write(deleteNode('2'))
      await write(putNode('2'))
    })
    await writeOver(late, putEdge('1', 'likes', '2'))
    expect(await targets('1', 'likes')).toEqual([])
  })

  it('writes no edge to a node that was deleted and put again before the second side was written', async () => {
    const { write, writeOver, targets, keys } = await create(...putNodes('1', '2'))
    const late = actAfterScript(server.admin, WRITE_SIDES_SCRIPT, () => write(deleteNode('2'), putNode('2')))
    await writeOver(late, withMirror(putEdge('1', 'likes', '2'), 'liked'))
    expect(await targets('1', 'likes')).toEqual([])
    expect(await targets('2', 'liked')).toEqual([])
    await write(deleteNode('1'), deleteNode('2'))
    expect(await keys()).toEqual([])
  })

  it('writes no edge from a node that was deleted before the second side was written', async () => {
    const { write, writeOver, targets, keys } = await create(...putNodes('1', '2'))
    const late = actAfterScript(server.admin, WRITE_SIDES_SCRIPT, () => write(deleteNode('1'), putNode('1')))
    await writeOver(late, withMirror(putEdge('1', 'likes', '2'), 'liked'))
    await keys()
    expect(await targets('1', 'likes')).toEqual([])
    expect(await targets('2', 'liked')).toEqual([])
  })

  it('keeps the type of a node that another writer has deleted and put with another type', async () => {
    const { prefix, write, writeOver } = await create(putNode('1'))
    const late = actBeforeScript(server.admin, PUT_NODE_SCRIPT, () =>
      write(deleteNode('1'), putNode('1', {}, 'other')),
    )
    await writeOver(late, putNode('1', { name: 'late' }))
    const { nodes } = await createRedisStore(server.admin, { prefix }).read(
      { ...EMPTY_REQUEST, nodes: ['1'] },
      NO_OPTIONS,
    )
    expect(nodes).toEqual([{ id: '1', type: 'other', fields: {} }])
  })
})

describe.skipIf(!hasRedisServer('mirrored edges after a failover'))('a mirrored edge on Redis', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  const edge = { source: '1', name: 'friends', target: '2' }
  const mirror = { source: '2', name: 'friends', target: '1' }
  const createNote = (at: number) =>
    JSON.stringify([at, '', [['friends', '2'.padStart(19, '0'), 'friends']], []])
  const put = (time: number): StoreMutation => ({ op: 'putEdge', edge: { ...edge, time }, mirror })

  /** Creates a mirrored edge, and a function that reads the time and number of both sides. */
  const create = async () => {
    const prefix = `mirror ${++stores}:`
    const store = createRedisStore(server.admin, { prefix })
    await store.open()
    await store.write([...putNodes('1', '2'), put(1)], { signal: undefined })
    const readSides = async () => {
      const sides = [edge, mirror].map(async ({ source, name, target }) => {
        const member = target.padStart(19, '0')
        const score = await server.admin.zscore(`${prefix}{${source}}e${name}`, member)
        const number =
          (await server.admin.hget(`${prefix}{${source}}m`, `${member} ${name}`)) ??
          (await server.admin.zscore(`${prefix}{${source}}z`, `${member} ${name}`))
        return { time: score === null ? undefined : Number(score), number: Number(number) }
      })
      return Promise.all(sides)
    }
    /** Raises the number of the second side, as if the master of the first side had lost later writes. */
    const raiseSecondNumber = async () => {
      const number = Date.now() * 1000 + 5_000_000
      await server.admin.hset(`${prefix}{2}m`, `${'1'.padStart(19, '0')} friends`, number)
      return number
    }
    return { prefix, store, readSides, raiseSecondNumber }
  }

  it('is written on both sides again if the second side has a larger number', async () => {
    const { store, readSides, raiseSecondNumber } = await create()
    const number = await raiseSecondNumber()
    await store.write([put(2)], { signal: undefined })
    expect(await readSides()).toEqual([
      { time: 2, number: number + 1 },
      { time: 2, number: number + 1 },
    ])
    await raiseSecondNumber()
    await store.write([{ op: 'deleteEdge', edge: mirror, mirror: edge }], { signal: undefined })
    const [first, second] = await readSides()
    expect(first).toEqual({ time: undefined, number: expect.any(Number) })
    expect(second).toEqual(first)
  })

  it('has equal sides if another write is between both attempts of a writer', async () => {
    const { prefix, store, readSides, raiseSecondNumber } = await create()
    await raiseSecondNumber()
    const late = createRedisStore(
      actAfterScript(server.admin, WRITE_SIDES_SCRIPT, async () =>
        store.write([put(3)], { signal: undefined }),
      ),
      { prefix },
    )
    await late.open()
    await late.write([put(2)], { signal: undefined })
    const [first, second] = await readSides()
    expect([2, 3]).toContain(first?.time)
    expect(second).toEqual(first)
  })

  it('is completed by the next write to its source after its writer was killed', async () => {
    const { prefix, readSides, store } = await create()
    await store.close()
    const killed = createRedisStore(breakAfter(server.admin, 4), { prefix })
    await expect(killed.write([put(7)], { signal: undefined })).rejects.toThrow()
    expect((await readSides()).map(({ time }) => time)).toEqual([7, 1])
    const writer = createRedisStore(server.admin, { prefix })
    await writer.open()
    // A recent note is left to its own writer.
    await makeNotesOld(server.admin, `${prefix}{1}u`)
    await writer.write([putEdge('1', 'likes', '2')], { signal: undefined })
    await writer.close()
    expect((await readSides()).map(({ time }) => time)).toEqual([7, 7])
    expect(await server.admin.zcard(`${prefix}{1}u`)).toBe(0)
  })

  it('is completed by the next write to its source, however many writers were killed', async () => {
    const { prefix, readSides, store } = await create()
    await store.close()
    await server.admin.zadd(
      `${prefix}{1}u`,
      ...Array.from({ length: 30 }, (_, at) => [0, createNote(at)]).flat(),
    )
    const killed = createRedisStore(breakAfter(server.admin, 4), { prefix })
    await expect(killed.write([put(7)], { signal: undefined })).rejects.toThrow()
    await makeNotesOld(server.admin, `${prefix}{1}u`)
    await store.write([putEdge('1', 'likes', '2')], { signal: undefined })
    await store.close()
    expect((await readSides()).map(({ time }) => time)).toEqual([7, 7])
    expect(await server.admin.zcard(`${prefix}{1}u`)).toBe(0)
  })

  it.each([
    [put(7), 7],
    [{ op: 'deleteEdge', edge, mirror } as const, undefined],
  ])('is completed by a recovery after its writer was killed', async (mutation, time) => {
    const { prefix, readSides, store } = await create()
    await store.close()
    const killed = createRedisStore(breakAfter(server.admin, 4), { prefix })
    await expect(killed.write([mutation], { signal: undefined })).rejects.toThrow()
    expect(await store.recover()).toEqual({ notes: 1, purges: 0 })
    const [first, second] = await readSides()
    expect(first?.time).toBe(time)
    expect(second).toEqual(first)
  })
})
