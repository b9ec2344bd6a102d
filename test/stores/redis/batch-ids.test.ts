import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { BATCH_STEP_SCRIPT } from '../../../src/stores/redis/batch-scripts.ts'
import { CONDITIONAL_WRITE_SCRIPT } from '../../../src/stores/redis/condition-scripts.ts'
import { createRedisInspector } from '../../../src/stores/redis/inspect.ts'
import { deleteEdge, patchNode, putEdge, putNode, putNodes } from '../../../src/testing/records.ts'
import {
  BATCH_ID,
  BATCHES,
  befriend,
  deleteNode,
  EXISTING,
  ifExisting,
  ifMissing,
  increment,
  read,
  reasonOf,
  write,
} from '../../helpers/conditional-batches.ts'
import { readDumpLines } from '../../helpers/read-dump-lines.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { actAfterScript, actBeforeScript, breakAfter } from '../../helpers/redis-clients.ts'

const IS_LONG = process.env.KITHGRAPH_LONG !== undefined
const CUT_STEP = IS_LONG ? 1 : 2

/** Creates a client that sends everything twice, as ioredis does after a lost reply. */
const sendTwice = (client: RedisClient): RedisClient => ({
  pipeline: lines => ({
    exec: async () => {
      await client.pipeline(lines).exec()
      return client.pipeline(lines).exec()
    },
  }),
  call: async (command, args) => {
    await client.call(command, args)
    return client.call(command, args)
  },
})

describe.skipIf(!hasRedisServer('ids of batches on Redis'))('a batch with an id on Redis', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  const open = async (prefix: string, client: RedisClient = server.admin) => {
    const store = createRedisStore(client, { prefix })
    await store.open()
    return store
  }
  const create = async () => {
    const prefix = `store ${++stores}:`
    const store = await open(prefix)
    await write(store, EXISTING)
    return { prefix, store }
  }
  /** Opens a store whose connection breaks after some commands. */
  const openBroken = async (prefix: string, commands: number) => {
    let client: RedisClient = server.admin
    const store = await open(prefix, {
      pipeline: lines => client.pipeline(lines),
      call: (command, args) => client.call(command, args),
    })
    client = breakAfter(server.admin, commands)
    return store
  }
  /** Returns the data after a batch was written once. */
  const readExpected = async (batch: readonly StoreMutation[]) => {
    const { store } = await create()
    await write(store, batch)
    return read(store)
  }
  /** Returns what is wrong with the store, after it has completed its unfinished writes. */
  const inspect = async (prefix: string, store: Awaited<ReturnType<typeof open>>) => {
    await store.recover()
    const inspector = await createRedisInspector(server.admin, prefix)
    const findings = []
    for await (const page of inspector.scan()) findings.push(...page.findings)
    return findings
  }

  it.each(BATCHES)(
    'is written once if a killed process has begun it, after any command: %s',
    async (_, batch) => {
      const expected = await readExpected(batch)
      for (let cut = 0; ; cut += CUT_STEP) {
        const { prefix, store } = await create()
        const reason = await reasonOf(write(await openBroken(prefix, cut), batch, BATCH_ID))
        await write(store, batch, BATCH_ID)
        expect(await read(store), `cut behind ${cut} commands`).toEqual(expected)
        const isInspected = cut % 6 === 4 || IS_LONG
        expect(isInspected ? await inspect(prefix, store) : [], `cut behind ${cut} commands`).toEqual([])
        if (reason === undefined) break
      }
    },
  )

  it.each(BATCHES)('is written once if its client sends all commands twice: %s', async (_, batch) => {
    const expected = await readExpected(batch)
    const { prefix, store } = await create()
    await write(await open(prefix, sendTwice(server.admin)), batch, BATCH_ID)
    expect(await read(store)).toEqual(expected)
  })

  it.each(BATCHES)('is written once if two processes write it at the same time: %s', async (_, batch) => {
    const expected = await readExpected(batch)
    for (const script of [CONDITIONAL_WRITE_SCRIPT, BATCH_STEP_SCRIPT])
      for (const act of [actBeforeScript, actAfterScript]) {
        const { prefix, store } = await create()
        const client = act(server.admin, script, () => write(store, batch, BATCH_ID))
        await write(await open(prefix, client), batch, BATCH_ID)
        expect(await read(store)).toEqual(expected)
        expect(await inspect(prefix, store)).toEqual([])
      }
  })

  it.each(BATCHES)('changes nothing if it is sent again after later writes: %s', async (_, batch) => {
    const { store } = await create()
    await write(store, batch, BATCH_ID)
    await write(store, [
      ...['1', '2', '3'].map(deleteNode),
      ...putNodes('1', '2'),
      putEdge('1', 'likes', '2', 50),
      befriend('1', '2', 60),
      { op: 'deleteToken', digest: 'abc' },
    ])
    const before = await read(store)
    await write(store, batch, BATCH_ID)
    expect(await read(store)).toEqual(before)
  })

  it('is a conflict with another batch of the same id, also at other nodes and before it is complete', async () => {
    const other = { ...BATCH_ID, digest: 'another digest' }
    for (let cut = 0; ; cut++) {
      const { prefix, store } = await create()
      const reason = await reasonOf(write(await openBroken(prefix, cut), [increment('1')], BATCH_ID))
      const hasBegun = (await server.admin.exists(`${prefix}{#${BATCH_ID.id}}`)) === 1
      expect(await reasonOf(write(store, [putNode('2', { n: 1 })], other)), `${cut}`).toBe(
        hasBegun ? 'conflict id' : undefined,
      )
      if (reason === undefined) break
    }
  })

  it('is a conflict with another batch of the same id, even if only a node knows it', async () => {
    for (const [batch, other] of [
      [[increment('1')], [increment('1')]],
      [[putNode('1')], [patchNode('1', { n: 1 })]],
      [[putEdge('1', 'likes', '3')], [deleteEdge('1', 'likes', '2')]],
    ] as const) {
      const { prefix, store } = await create()
      await write(store, batch, BATCH_ID)
      await server.admin.del(`${prefix}{#${BATCH_ID.id}}`)
      const before = await read(store)
      expect(await reasonOf(write(store, other, { ...BATCH_ID, digest: 'another' }))).toBe('conflict id')
      expect(await read(store)).toEqual(before)
    }
  })

  it('is not needed for an increment to be applied once if its client sends all commands twice', async () => {
    const { prefix, store } = await create()
    await write(await open(prefix, sendTwice(server.admin)), [increment('1')])
    expect((await read(store)).nodes[0]?.fields).toEqual({ visits: 1 })
  })

  it('leaves no id if it is invalid', async () => {
    const { prefix, store } = await create()
    expect(await reasonOf(write(store, [ifMissing(putNode('1'))], BATCH_ID))).toBe('conflict when.exists')
    expect(await reasonOf(write(store, [patchNode('9', {})], BATCH_ID))).toBe('invalid_mutation id')
    expect(await server.admin.exists(`${prefix}{#${BATCH_ID.id}}`)).toBe(0)
  })

  it('keeps its id only for its time, in keys that no dump and no check contains', async () => {
    const { prefix, store } = await create()
    const keysBefore = new Set(await server.admin.keys(`${prefix}*`))
    const dumpBefore = await readDumpLines(store.dump())
    for (const id of ['a', '}n', '{1}e', '}{', '😀'])
      await write(store, [ifExisting(patchNode('1', {})), putEdge('1', 'likes', '2', 1, { role: 'owner' })], {
        ...BATCH_ID,
        id,
      })
    await write(store, [patchNode('2', {}), putEdge('3', 'likes', '1', 2)], { ...BATCH_ID, id: 'b' })
    const keys = (await server.admin.keys(`${prefix}*`)).filter(
      key => !keysBefore.has(key) && !/\}u$/.test(key),
    )
    expect(keys.length).toBe(5 * 2 + 3)
    for (const key of keys) {
      const restMs = await server.admin.pttl(key)
      expect([restMs > 0, restMs <= BATCH_ID.keepMs], key).toEqual([true, true])
    }
    expect(await readDumpLines(store.dump())).toEqual(dumpBefore)
    expect(await inspect(prefix, store)).toEqual([])
  })
})
