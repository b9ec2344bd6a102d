import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGraphError } from '../../../src/base/errors.ts'
import type { Store, StoreReadRequest } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import { CONDITIONAL_WRITE_SCRIPT } from '../../../src/stores/redis/condition-scripts.ts'
import { encodeNode } from '../../../src/stores/redis/encoding.ts'
import {
  createRange,
  deleteEdge,
  incrementNode,
  patchNode,
  putEdge,
  putNode,
  putNodes,
  withCondition,
} from '../../../src/testing/records.ts'
import {
  befriend,
  deleteNode,
  ifExisting,
  ifMissing,
  reasonOf,
  write,
} from '../../helpers/conditional-batches.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { actBeforeEach, actBeforeScript } from '../../helpers/redis-clients.ts'

const NO_OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
const IDS = ['1', '2', '3']
const NAMES = ['likes', 'friends']
const EVERYTHING: StoreReadRequest = {
  ...EMPTY_REQUEST,
  nodes: IDS,
  ranges: IDS.flatMap(id => NAMES.map(name => createRange(id, name))),
}

const EXISTING: readonly StoreMutation[] = [
  putNode('1', { visits: 1, name: 'Ada' }),
  putNode('2'),
  putEdge('1', 'likes', '2', 1, { role: 'owner' }),
]
const ifNamed = (mutation: StoreMutation, name: string) => withCondition(mutation, { fields: { name } })
const increment = incrementNode('1', 'visits', 1)

const read = async (store: Store) => {
  const { nodes, ranges } = await store.read(EVERYTHING, NO_OPTIONS)
  return { nodes, lists: ranges.map(({ entries, total }) => ({ entries, total })) }
}
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )
/** Returns the reason and the data of the error of a call; undefined if it succeeds. */
const failureOf = async (call: Promise<unknown>) => {
  const error = await errorOf(call)
  if (error === undefined) return undefined
  return isGraphError(error) ? [error.reason, error.data.index, error.data.path] : error
}

describe.skipIf(!hasRedisServer('conditional writes to Redis'))('a conditional write to Redis', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  const open = async (prefix: string, client: RedisClient = server.admin, writeTimeoutMs = 10_000) => {
    const store = createRedisStore(client, { prefix, writeTimeoutMs })
    await store.open()
    return store
  }
  const create = async (mutations = EXISTING) => {
    const prefix = `store ${++stores}:`
    const store = await open(prefix)
    await write(store, mutations)
    return { prefix, store }
  }

  it.each([
    ['with the smaller id', [increment, befriend('1', '2')]],
    ['with the larger id', [incrementNode('2', 'visits', 1), befriend('2', '1')]],
  ])('may also put a mirrored edge without a condition at its own source %s', async (_, batch) => {
    const { store } = await create()
    await write(store, batch)
    const plain = await create()
    const visits = batch[0] === increment ? 2 : 1
    await write(plain.store, [patchNode(batch[0] === increment ? '1' : '2', { visits }), befriend('1', '2')])
    expect(await read(store)).toEqual(await read(plain.store))
  })

  it.each([
    ['an increment', [increment], [increment], undefined, { visits: 3, name: 'Ada' }],
    [
      'a patch of another field',
      [ifNamed(increment, 'Ada')],
      [patchNode('1', { age: 36 })],
      undefined,
      { visits: 2, name: 'Ada', age: 36 },
    ],
    [
      'a patch of the field of its condition',
      [ifNamed(increment, 'Ada')],
      [patchNode('1', { name: 'Grace' })],
      ['conflict', 0, 'when.fields.name'],
      { visits: 1, name: 'Grace' },
    ],
    [
      'the deletion of its node',
      [ifExisting(patchNode('1', { age: 1 }))],
      [deleteNode('1')],
      ['conflict', 0, 'when.exists'],
      undefined,
    ],
    [
      'a new node with the same content',
      [ifNamed(increment, 'Ada')],
      [deleteNode('1'), putNode('1', { visits: 1, name: 'Ada' })],
      undefined,
      { visits: 2, name: 'Ada' },
    ],
    [
      'a new list of its node',
      [ifNamed(deleteNode('1'), 'Ada')],
      [putEdge('1', 'knows', '2')],
      undefined,
      undefined,
    ],
  ] as const)(
    'evaluates its condition again after %s by another process',
    async (_, batch, other, failure, fields) => {
      const { prefix, store } = await create()
      const client = actBeforeScript(server.admin, CONDITIONAL_WRITE_SCRIPT, () => write(store, other))
      expect(await failureOf(write(await open(prefix, client), batch))).toEqual(failure)
      expect((await read(store)).nodes[0]?.fields).toEqual(fields)
    },
  )

  const likes = putEdge('1', 'likes', '3', 7)
  it.each([
    ['an edge', ifMissing(likes), [putEdge('1', 'likes', '3', 8)], ['conflict', 0, 'when.exists'], 8],
    [
      'an edge that was put and deleted',
      ifMissing(likes),
      [putEdge('1', 'likes', '3', 8), deleteEdge('1', 'likes', '3')],
      undefined,
      7,
    ],
    ['another edge', ifMissing(likes), [putEdge('1', 'likes', '2', 9)], undefined, 7],
    ['a deletion of its target', ifMissing(likes), [deleteNode('3'), putNode('3')], undefined, undefined],
  ] as const)(
    'of an edge evaluates its condition again after a write of %s by another process',
    async (_, mutation, other, failure, time) => {
      const { prefix, store } = await create([...EXISTING, putNode('3')])
      const writeOther = async () => {
        for (const mutation of other) await write(store, [mutation])
      }
      const client = actBeforeScript(server.admin, CONDITIONAL_WRITE_SCRIPT, writeOther)
      expect(await failureOf(write(await open(prefix, client), [mutation]))).toEqual(failure)
      const { entries } = (await read(store)).lists[0] ?? {}
      expect(entries?.find(({ target }) => target === '3')?.time).toBe(time)
    },
  )

  it.each([
    ['its first side', befriend('1', '2', 9)],
    ['its second side', befriend('2', '1', 9)],
  ])('of a mirrored edge sees a write of another process, whichever side both name: %s', async (_, other) => {
    for (const mutation of [befriend('1', '2'), befriend('2', '1')]) {
      const { prefix, store } = await create()
      const client = actBeforeScript(server.admin, CONDITIONAL_WRITE_SCRIPT, () => write(store, [other]))
      const call = write(await open(prefix, client), [ifMissing(mutation)])
      expect(await failureOf(call)).toEqual(['conflict', 0, 'when.exists'])
      const { lists } = await read(store)
      expect([lists[1], lists[3]].map(list => list?.entries.map(({ time }) => time))).toEqual([[9], [9]])
    }
  })

  it('evaluates a condition of an edge to a node whose id was used before', async () => {
    const { store } = await create()
    await write(store, [deleteNode('2'), putNode('2')])
    await write(store, [ifMissing(putEdge('1', 'likes', '2', 3))])
    expect(await reasonOf(write(store, [ifMissing(putEdge('1', 'likes', '2', 4))]))).toBe(
      'conflict when.exists',
    )
    await write(store, [deleteNode('1')])
    await write(store, [
      ifMissing(putNode('1')),
      putEdge('1', 'likes', '1', 6),
      putEdge('1', 'likes', '2', 5),
    ])
    const { entries } = (await read(store)).lists[0] ?? {}
    expect(entries?.map(({ target, time }) => [target, time])).toEqual([
      ['2', 5],
      ['1', 6],
    ])
  })

  it('writes a record as JavaScript encodes it', async () => {
    const fields = { list: [], object: {}, large: 9_007_199_254_740_991, tiny: 5e-324, text: 'é\u0000😀' }
    const { store } = await create([putNode('1', fields)])
    await write(store, [increment])
    expect((await read(store)).nodes[0]?.fields).toEqual({ ...fields, visits: 1 })
  })

  it('fails after the time for writes without a write, if other processes change its record each time', async () => {
    const { prefix, store } = await create()
    let others = 0
    const change = () =>
      server.admin.set(`${prefix}{1}n`, encodeNode({ type: 'thing', fields: { n: ++others } }))
    const contended = await open(prefix, actBeforeEach(server.admin, change), 1000)
    const batch = { id: 'a', digest: 'first', keepMs: 60_000 }
    const error = await errorOf(Promise.resolve(contended.write([increment], { signal: undefined, batch })))
    expect(isGraphError(error) && [error.reason, error.message]).toEqual([
      'store_error',
      '(#2) Other writers changed the source until "writeTimeoutMs" was over; nothing was written',
    ])
    const visits = (await read(store)).nodes[0]?.fields.visits
    expect([visits, others > 4]).toEqual([undefined, true])
    await store.write([increment], { signal: undefined, batch: { ...batch, digest: 'second' } })
  })

  it('waits in its process for earlier writes to the same source, so that none has to be repeated', async () => {
    const { prefix, store } = await create()
    let scripts = 0
    const counting = await open(
      prefix,
      actBeforeEach(server.admin, async () => void scripts++),
    )
    await Promise.all(Array.from({ length: 50 }, () => write(counting, [increment])))
    expect((await read(store)).nodes[0]?.fields.visits).toBe(51)
    expect(scripts, 'a read and a write each').toBe(100)
  })

  it('of a node that was put in the same batch keeps no edge of an older generation', async () => {
    const { store } = await create([...EXISTING, ...putNodes('3'), putEdge('3', 'likes', '1', 4)])
    await write(store, [
      ifNamed(deleteNode('1'), 'Ada'),
      putNode('1', { name: 'Grace' }),
      putEdge('1', 'likes', '3', 8),
    ])
    const { nodes, lists } = await read(store)
    expect(nodes[0]?.fields).toEqual({ name: 'Grace' })
    expect(lists.map(({ entries }) => entries.map(({ target }) => target))).toEqual([
      ['3'],
      [],
      [],
      [],
      [],
      [],
    ])
  })
})
