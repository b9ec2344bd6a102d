import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT_ID } from '../../../src/store/derived-entries.ts'
import type { Finding } from '../../../src/store/inspection.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { NODE_ENTRIES_SCRIPT } from '../../../src/stores/redis/entry-scripts.ts'
import { createRedisInspector } from '../../../src/stores/redis/inspect.ts'
import { DELETE_NODE_SCRIPT } from '../../../src/stores/redis/node-scripts.ts'
import { createShards } from '../../../src/stores/redis/shards.ts'
import { patchNode, putNodes } from '../../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import {
  changeInfo,
  killAfterScript,
  makeNotesOld,
  recordPipelines,
  TurnScheduler,
} from '../../helpers/redis-clients.ts'
import {
  collect,
  createFlag,
  deleteNode,
  EntryStore,
  order,
  putEvent,
  putFriends,
  putLike,
} from '../../helpers/redis-entries.ts'

const EXISTING = [
  ...putEvent('1', 10),
  ...putEvent('2', 20),
  ...putNodes('3'),
  ...putFriends('1', '2', 5),
  ...putLike('1', '3', 5),
]

describe.skipIf(!hasRedisServer('recovery of entries in Redis'))('the entries of a Redis store', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  const create = async () => {
    const prefix = `recovered ${++stores}:`
    const entries = new EntryStore(server.admin, prefix)
    await entries.store.open()
    await entries.write(...EXISTING)
    const inspect = async () => {
      const findings: Finding[] = []
      const inspector = await createRedisInspector(server.admin, prefix)
      for await (const page of inspector.scan()) findings.push(...page.findings)
      return findings
    }
    /** Writes with a process that is killed after the first run of a script. */
    const writeUntilKilled = async (script: string, mutations: readonly StoreMutation[]) => {
      const killed = entries.over(killAfterScript(server.admin, script))
      await expect(killed.write(mutations, { signal: undefined })).rejects.toThrow()
    }
    return { prefix, entries, inspect, writeUntilKilled }
  }

  it('have no findings', async () => {
    const { inspect, entries } = await create()
    expect(await inspect()).toEqual([])
    await entries.store.close()
    expect(await inspect()).toEqual([])
  })

  it('are reported and repaired if a recovery note names an unfinished one', async () => {
    const { prefix, entries, inspect, writeUntilKilled } = await create()
    await entries.store.close()
    await writeUntilKilled(NODE_ENTRIES_SCRIPT, putEvent('1', 11))
    await makeNotesOld(server.admin, `${prefix}{1}u`)
    const finding = { kind: 'unfinishedEntry', id: '1' } as const
    expect(await inspect()).toEqual([finding])
    const inspector = await createRedisInspector(server.admin, prefix)
    expect(await inspector.repair(finding)).toBe(true)
    expect(await inspect()).toEqual([])
    await entries.assertComplete()
  })

  it('are completed and counted by a recovery', async () => {
    const { entries, writeUntilKilled } = await create()
    await entries.store.close()
    await writeUntilKilled(NODE_ENTRIES_SCRIPT, putEvent('1', 11))
    await writeUntilKilled(DELETE_NODE_SCRIPT, [deleteNode('2')])
    expect(await entries.store.recover()).toEqual({ notes: 1, purges: 1 })
    await entries.assertComplete()
    expect(await entries.store.recover()).toEqual({ notes: 0, purges: 0 })
  })

  it('are left out of a dump', async () => {
    const { entries } = await create()
    await entries.write({ op: 'putFlag', flag: createFlag('events') })
    const lines: string[] = []
    for await (const line of entries.store.dump()) lines.push(...line.trim().split('\n'))
    const names = lines.map(line => JSON.parse(line).edge?.name ?? 'node')
    expect(names.sort()).toEqual(['friends', 'friends', 'likes', 'node', 'node', 'node'])
  })

  it('leave only removals, the number of shards and a known node when all nodes are deleted', async () => {
    const { prefix, entries } = await create()
    await entries.write(deleteNode('1'), deleteNode('2'), deleteNode('3'))
    await entries.store.recover()
    const keys = (await server.admin.keys(`${prefix}*`)).map(key => key.slice(prefix.length))
    expect(keys.filter(key => !/^\{root(-\d+)?\}(k|n|[cz]events)$|^\{[123]\}[tz]$/.test(key))).toEqual([])
    await entries.assertComplete()
  })

  it('get a number above that of a state of their node that a failover has lost', async () => {
    const { prefix, entries } = await create()
    const before = await server.admin.hgetall(`${prefix}{1}c`)
    const record = String(await server.admin.get(`${prefix}{1}n`))
    await entries.write(patchNode('1', { rank: 15 }), collect('1'))
    await entries.store.recover()
    await server.admin.hset(`${prefix}{1}c`, before)
    await server.admin.set(`${prefix}{1}n`, record)
    await entries.assertTrue()
    await entries.write(collect('1'))
    await entries.assertComplete()
  })

  it('replace those of a later generation that a failover has lost', async () => {
    const { prefix, entries } = await create()
    const before = await server.admin.hgetall(`${prefix}{1}c`)
    const record = String(await server.admin.get(`${prefix}{1}n`))
    await entries.write(deleteNode('1'), ...putEvent('1', 16))
    await entries.store.recover()
    await server.admin.hset(`${prefix}{1}c`, before)
    await server.admin.set(`${prefix}{1}n`, record)
    await entries.assertTrue()
    await entries.write(patchNode('1', { rank: 17 }), collect('1'))
    expect(await entries.hasEvent('1')).toBe(true)
  })

  it('are written again in a shard that has lost them', async () => {
    const { prefix, entries } = await create()
    await entries.store.recover()
    for (const tag of createShards(16))
      await server.admin.del(`${prefix}{${tag}}eevents`, `${prefix}{${tag}}cevents`)
    expect(await entries.hasEvent('1')).toBe(false)
    await entries.write(collect('1'), collect('2'))
    await entries.assertComplete()
  })

  it('are written again by their writer if a failover has lost them in their shards', async () => {
    const { prefix, entries } = await create()
    await entries.store.close()
    const info: { runId: string | undefined } = { runId: undefined }
    const writer = new EntryStore(changeInfo(server.admin, info), prefix)
    await writer.store.open()
    await writer.write(...putEvent('1', 18))
    await writer.write(...putEvent('2', 19))
    for (const tag of createShards(16))
      await server.admin.del(`${prefix}{${tag}}eevents`, `${prefix}{${tag}}cevents`)
    info.runId = 'a-new-master'
    await writer.store.close()
    await entries.assertComplete()
    expect(await server.admin.exists(`${prefix}{1}u`, `${prefix}{2}u`)).toBe(0)
  })

  it('equal the records after writers whose steps alternate in any order', async () => {
    for (let seed = 1; seed <= (process.env.KITHGRAPH_LONG ? 300 : 30); seed++) {
      const { entries } = await create()
      let state = seed
      const random = () => (state = (state * 48_271) % 2_147_483_647)
      const batches = [
        () => putEvent('1', random() % 9),
        () => [deleteNode('1'), ...putEvent('1', random() % 9)],
        () => [deleteNode('1')],
        () => [collect('1'), order('1', 'friends', '2'), order('2', 'friends', '1')],
        () => [...putEvent('1', 3), ...putFriends('2', '1', random() % 9)],
      ]
      const writers = Array.from({ length: 3 }, () => batches[random() % batches.length]?.() ?? [])
      await new TurnScheduler(random).run(
        server.admin,
        writers.map(batch => client => entries.writeOver(client, ...batch).catch(() => undefined)),
      )
      await entries.store.recover()
      await entries.assertComplete()
    }
  })

  it('are read with two pipelines', async () => {
    const { prefix } = await create()
    const { client, pipelines } = recordPipelines(server.admin)
    const reader = new EntryStore(client, prefix)
    await reader.hasEvent('1')
    pipelines.length = 0
    await reader.assertTrue()
    expect(pipelines).toHaveLength(2)
  })
})

describe.skipIf(!hasRedisServer('shards of collections in Redis'))(
  'the shards of collections in Redis',
  () => {
    let server: RedisServer

    beforeAll(async () => {
      server = await startRedis()
    })
    afterAll(() => server?.stop())

    const listShards = async (prefix: string) =>
      new Set((await server.admin.keys(`${prefix}{root-*}e*`)).map(key => /\{(.*)\}/.exec(key)?.[1]))

    const putEvents = async (prefix: string) => {
      const ids = Array.from({ length: 200 }, (_, index) => `${index + 1}`)
      const entries = new EntryStore(server.admin, prefix, ids)
      await entries.write(...ids.flatMap(id => putEvent(id, Number(id) % 7)))
      await entries.assertComplete()
    }

    it('are 16 in a new store, whose number is stored', async () => {
      await putEvents('new:')
      expect(await listShards('new:')).toEqual(new Set(createShards(16)))
      expect(await server.admin.get(`new:{${ROOT_ID}}k`)).toBe('16')
    })

    it('are as many as the store contains', async () => {
      await server.admin.set(`other:{${ROOT_ID}}k`, '3')
      await putEvents('other:')
      expect(await listShards('other:')).toEqual(new Set(createShards(3)))
    })

    it('are not used if their number is damaged', async () => {
      await server.admin.set(`damaged:{${ROOT_ID}}k`, 'many')
      await expect(putEvents('damaged:')).rejects.toMatchObject({ reason: 'store_error' })
    })
  },
)
