import { createGraph, defineSchema, field, node } from 'kithgraph'
import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGraphError } from '../../../src/base/errors.ts'
import { BATCH_STEP_SCRIPT, BEGIN_BATCH_SCRIPT } from '../../../src/stores/redis/batch-scripts.ts'
import { CONDITIONAL_WRITE_SCRIPT } from '../../../src/stores/redis/condition-scripts.ts'
import { incrementNode, patchNode, putNode } from '../../../src/testing/records.ts'
import {
  BATCH_ID,
  deleteNode,
  EXISTING,
  increment,
  read,
  reasonOf,
  write,
} from '../../helpers/conditional-batches.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { actBeforeKey, actBeforeScript, killAfterScript, matchesScript } from '../../helpers/redis-clients.ts'

const OTHER_BATCH = { ...BATCH_ID, digest: 'another digest' }
const schema = defineSchema({ thing: node({ fields: { visits: field.int() } }) })
const visit = [{ op: 'patchNode', id: '1', increment: { visits: 1 } }] as const

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const messageOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => (isGraphError(error) ? error.message : error),
  )

describe.skipIf(!hasRedisServer('races of batches on Redis'))('a batch on Redis', () => {
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
  const openGraph = (prefix: string, client: RedisClient = server.admin) =>
    createGraph(createRedisStore(client, { prefix }), { schema })

  it('leaves its id free if another writer puts its node with another type, and nothing is written', async () => {
    const { prefix, store } = await create()
    const putOther = () => write(store, [putNode('5', {}, 'other')])
    const raced = await open(prefix, actBeforeScript(server.admin, BATCH_STEP_SCRIPT, putOther))
    expect(await reasonOf(write(raced, [putNode('5')], BATCH_ID))).toBe('invalid_mutation node.type')
    expect(await reasonOf(write(store, [putNode('6')], OTHER_BATCH))).toBeUndefined()
  })

  it.each([
    ['with an increment', [increment('1')]],
    ['without a condition', [patchNode('1', {})]],
  ])('leaves its id free if a read fails before the id is saved: %s', async (_, batch) => {
    const { prefix, store } = await create()
    let state: 'open' | 'broken' | 'connected' = 'open'
    const isBegin = matchesScript(BEGIN_BATCH_SCRIPT)
    const run = async <TReply>(lines: readonly string[][], send: () => PromiseLike<TReply>) => {
      if (state !== 'broken') return send()
      if (!lines.some(isBegin)) throw new Error('Connection is closed.')
      await wait(30)
      state = 'connected'
      return send()
    }
    const client: RedisClient = {
      pipeline: lines => ({ exec: () => run(lines, () => server.admin.pipeline(lines).exec()) }),
      call: (command, args) => run([[command, ...args]], () => server.admin.call(command, args)),
    }
    const disturbed = await open(prefix, client)
    state = 'broken'
    const error = await write(disturbed, batch, BATCH_ID).catch(error => error)
    expect(error).toBeInstanceOf(Error)
    await wait(60)
    expect(await reasonOf(write(store, batch, OTHER_BATCH))).toBeUndefined()
  })

  it('succeeds if another process writes it, and a node is deleted, before its nodes are read', async () => {
    const { prefix, store } = await create()
    const batch = [patchNode('1', { name: 'Ada' }), patchNode('2', { name: 'Grace' })]
    const writeElsewhere = async () => {
      await write(store, batch, BATCH_ID)
      await write(store, [deleteNode('1')])
    }
    const late = await open(prefix, actBeforeKey(server.admin, `${prefix}{1}n`, writeElsewhere))
    await write(late, batch, BATCH_ID)
    const { nodes } = await read(store)
    expect(nodes.slice(0, 2).map(node => node?.fields)).toEqual([undefined, { name: 'Grace' }])
  })

  it('with an increment and no id fails after a lost reply without the advice to write it again', async () => {
    const { prefix } = await create()
    const killed = openGraph(prefix, killAfterScript(server.admin, CONDITIONAL_WRITE_SCRIPT))
    const message = await messageOf(killed.write(visit))
    expect(message).toBe('(#2) The store failed; it is unknown whether the batch was written')
  })

  it('with an increment and an id counts once if its caller follows the advice of the error', async () => {
    const { prefix, store } = await create()
    const killed = openGraph(prefix, killAfterScript(server.admin, CONDITIONAL_WRITE_SCRIPT))
    expect(await messageOf(killed.write(visit, { id: 'a' }))).toBe(
      '(#2) The store failed during a write; writing the same batch again with its id completes it',
    )
    await openGraph(prefix).write(visit, { id: 'a' })
    expect((await read(store)).nodes[0]?.fields).toEqual({ visits: 1 })
  })

  it('is never said to be unwritten if its id expires before its command is sent again', async () => {
    const { prefix, store } = await create()
    const sendLater: RedisClient = {
      pipeline: lines => server.admin.pipeline(lines),
      call: async (command, args) => {
        const reply = await server.admin.call(command, args)
        if (!matchesScript(CONDITIONAL_WRITE_SCRIPT)([command, ...args])) return reply
        await wait(60)
        return server.admin.call(command, args)
      },
    }
    const writer = await open(prefix, sendLater)
    const batch = { ...BATCH_ID, keepMs: 30 }
    expect(await messageOf(write(writer, [incrementNode('1', 'visits', 1)], batch))).toBe(
      '(#2) The store failed; it is unknown whether the batch was written',
    )
    expect((await read(store)).nodes[0]?.fields).toEqual({ visits: 1 })
  })
})
