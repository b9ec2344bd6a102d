import { Redis } from 'ioredis'
import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGraphError } from '../../src/base/errors.ts'
import { type BatchId, createRetryId } from '../../src/store/conditional.ts'
import type { Store } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { BATCH_STEP_SCRIPT } from '../../src/stores/redis/batch-scripts.ts'
import { CONDITIONAL_WRITE_SCRIPT } from '../../src/stores/redis/condition-scripts.ts'
import {
  createRange,
  incrementNode,
  putEdge,
  putNodes,
  withCondition,
  withMirror,
} from '../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../helpers/redis.ts'
import { killAfterScript } from '../helpers/redis-clients.ts'
import { type RedisCluster, startRedisCluster } from '../helpers/redis-cluster.ts'
import { startProxy, type TcpProxy } from '../helpers/tcp-proxy.ts'

const IS_LONG = process.env.KITHGRAPH_LONG !== undefined
const LOST_REPLIES = IS_LONG ? 1000 : 50
const INCREMENTS = IS_LONG ? 1000 : 300
const WRITERS = 100
const NO_OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }

const schema = defineSchema({
  thing: node({
    fields: { name: field.string(), visits: field.int() },
    edges: { friends: edge('thing', { symmetric: true }) },
  }),
})
const putThing = (id: string) => ({ op: 'putNode', node: { id, type: 'thing', fields: {} } }) as const
const patchThing = (id: string) => ({ op: 'patchNode', id, fields: { name: 'Ada' } }) as const
const befriendThing = (target: string) =>
  ({ op: 'putEdge', edge: { source: '2', name: 'friends', target, time: 1 } }) as const

const increment = incrementNode('1', 'visits', 1)
const befriend = (source: string, target: string, time: number) =>
  withMirror(putEdge(source, 'friends', target, time), 'friends')
const ifMissing = (mutation: StoreMutation) => withCondition(mutation, { exists: false })

const write = async (store: Store, mutations: readonly StoreMutation[], batch?: BatchId) =>
  store.write(mutations, { signal: undefined, batch })
const createBatchId = (id: string): BatchId => ({ id, digest: `digest of ${id}`, keepMs: 60_000 })
const readVisits = async (store: Store) =>
  (await store.read({ ...EMPTY_REQUEST, nodes: ['1'] }, NO_OPTIONS)).nodes[0]?.fields.visits
const readFriends = async (store: Store, ids: readonly string[]) => {
  const ranges = ids.map(id => createRange(id, 'friends', { limit: 100 }))
  const result = await store.read({ ...EMPTY_REQUEST, ranges }, NO_OPTIONS)
  return result.ranges.map(({ entries }) => entries.map(({ time }) => time))
}
/** Returns whether a write succeeds. It may only fail because of its condition. */
const succeeds = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    error => {
      if (!isGraphError(error) || error.reason !== 'conflict') throw error
      return false
    },
  )

/** Asserts the laws of concurrent writers, each with a client of its own. */
const assertLawsOfWriters = async (clients: readonly RedisClient[], prefix: string): Promise<void> => {
  const stores = clients.map(client => createRedisStore(client, { prefix }))
  await Promise.all(stores.map(async store => store.open()))
  const storeAt = (index: number) => stores[index % stores.length] as Store
  await write(storeAt(0), putNodes('1', '2'))
  const increments = Array.from({ length: INCREMENTS }, (_, index) => write(storeAt(index), [increment]))
  await Promise.all(increments)
  expect(await readVisits(storeAt(0))).toBe(INCREMENTS)
  const results = await Promise.all(
    Array.from({ length: WRITERS }, (_, time) => {
      const [source, target] = Math.floor(time / 2) % 2 === 0 ? ['1', '2'] : ['2', '1']
      return succeeds(write(storeAt(time), [ifMissing(befriend(source ?? '', target ?? '', time))]))
    }),
  )
  const winners = [...results.keys()].filter(time => results[time])
  expect(winners).toHaveLength(1)
  expect(await readFriends(storeAt(0), ['1', '2'])).toEqual([winners, winners])
}

describe.skipIf(!hasRedisServer('lost replies of conditional writes'))('a Redis server', () => {
  let server: RedisServer
  let proxy: TcpProxy
  const clients: Redis[] = []
  let stores = 0

  const connect = (port: number) => {
    const client = new Redis({ port, enableReadyCheck: false, retryStrategy: () => 1 })
    client.on('error', () => undefined)
    clients.push(client)
    return client
  }

  beforeAll(async () => {
    server = await startRedis()
    proxy = await startProxy(server.port)
  })
  afterAll(async () => {
    for (const client of clients) client.disconnect()
    await proxy?.stop()
    await server?.stop()
  })

  /** Opens a store whose network can be made to drop replies. */
  const open = async () => {
    const store = createRedisStore(connect(proxy.port), { prefix: `lost ${++stores}:` })
    await store.open()
    await write(store, putNodes('1', '2'))
    return store
  }

  /** Runs a call while the next reply that reports a write is dropped. Returns whether one was dropped. */
  const dropReply = async (call: () => Promise<unknown>): Promise<boolean> => {
    let isDropped = false
    proxy.onServerData(data => {
      if (isDropped || !data.includes('\r\ndone\r\n')) return
      isDropped = true
      proxy.cut()
    })
    await call()
    proxy.onServerData(undefined)
    return isDropped
  }

  it(`loses the replies to ${LOST_REPLIES} increments, and each is applied once`, async () => {
    const store = await open()
    let dropped = 0
    for (let index = 0; index < LOST_REPLIES; index++) {
      const batch = index % 2 === 0 ? createBatchId(`${index}`) : createRetryId()
      if (await dropReply(() => write(store, [increment], batch))) dropped++
    }
    expect([dropped, await readVisits(store)]).toEqual([LOST_REPLIES, LOST_REPLIES])
  })

  it('loses the reply to a conditional write of a mirrored edge, which succeeds with both sides', async () => {
    const store = await open()
    for (const [index, mutation] of [befriend('1', '2', 1), befriend('2', '1', 2)].entries()) {
      const when = index === 0 ? { exists: false } : { exists: true }
      const batch = [withCondition(mutation, when)]
      expect(await dropReply(() => write(store, batch, createBatchId(`${index}`)))).toBe(true)
      expect(await readFriends(store, ['1', '2'])).toEqual([[index + 1], [index + 1]])
    }
  })

  it('loses the replies to the steps of a batch without conditions, which does not undo later writes', async () => {
    const store = await open()
    const other = createRedisStore(server.admin, { prefix: `lost ${stores}:` })
    await other.open()
    const batch = [befriend('1', '2', 1)]
    expect(await dropReply(() => write(store, batch, createBatchId('a')))).toBe(true)
    await write(other, [befriend('2', '1', 2)])
    await write(store, batch, createBatchId('a'))
    expect(await readFriends(store, ['1', '2'])).toEqual([[2], [2]])
  })

  it(`adds ${INCREMENTS} concurrent increments of three clients, and one of ${WRITERS} puts of a missing edge succeeds`, async () => {
    await assertLawsOfWriters(
      [1, 2, 3].map(() => connect(server.port)),
      'writers:',
    )
  })
})

describe.skipIf(!hasRedisServer('conditional writes to a cluster'))('a Redis Cluster', () => {
  let cluster: RedisCluster

  beforeAll(async () => {
    cluster = await startRedisCluster()
  })
  afterAll(() => cluster?.stop())

  it(`adds ${INCREMENTS} concurrent increments of three clients, and one of ${WRITERS} puts of a missing edge succeeds`, async () => {
    await assertLawsOfWriters(
      [1, 2, 3].map(() => cluster.connect()),
      'writers:',
    )
  })

  it('confirms conditional writes by a replica, also a batch that is sent again', async () => {
    const store = createRedisStore(cluster.connect(), { prefix: 'confirmed:', replicated: 1 })
    await store.open()
    await write(store, putNodes('1', '2'))
    for (let attempt = 0; attempt < 2; attempt++) {
      await write(store, [increment], createBatchId('a'))
      await write(store, [ifMissing(befriend('2', '1', 1))], createBatchId('b'))
    }
    expect([await readVisits(store), await readFriends(store, ['1', '2'])]).toEqual([1, [[1], [1]]])
  })

  it.each([
    [
      'patches',
      BATCH_STEP_SCRIPT,
      [putThing('5'), patchThing('1'), patchThing('2')],
      [undefined, 'Ada'],
      [[], []],
    ],
    [
      'an increment and friends',
      CONDITIONAL_WRITE_SCRIPT,
      [{ op: 'patchNode', id: '2', increment: { visits: 1 } }, befriendThing('1'), befriendThing('3')],
      [undefined, undefined],
      [[1], [1]],
    ],
  ] as const)(
    'completes a batch of %s by its id if its process was killed after a script, and a node was deleted',
    async (_, script, batch, names, friends) => {
      const prefix = `killed ${batch.length} ${batch[0].op}:`
      const store = createRedisStore(cluster.connect(), { prefix })
      const graph = createGraph(store, { schema })
      await graph.write(['1', '2', '3'].map(putThing))
      const client = killAfterScript(cluster.connect(), script)
      const killed = createGraph(createRedisStore(client, { prefix }), { schema })
      await expect(killed.write(batch, { id: 'the id' })).rejects.toThrow('with its id completes it')
      const deletedId = script === BATCH_STEP_SCRIPT ? '1' : '3'
      await graph.write([{ op: 'deleteNode', id: deletedId }])
      await graph.write(batch, { id: 'the id' })
      const { nodes } = await store.read({ ...EMPTY_REQUEST, nodes: ['1', '2'] }, NO_OPTIONS)
      expect(nodes.map(node => node?.fields.name)).toEqual(names)
      expect(await readFriends(store, ['1', '2'])).toEqual(friends)
    },
  )
})
