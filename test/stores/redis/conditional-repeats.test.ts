import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { CONDITIONAL_WRITE_SCRIPT } from '../../../src/stores/redis/condition-scripts.ts'
import { WRITE_SIDES_SCRIPT } from '../../../src/stores/redis/edge-scripts.ts'
import { deleteEdge, putEdge, putNodes, withCondition, withMirror } from '../../../src/testing/records.ts'
import { BATCH_ID, befriend, ifMissing, read, reasonOf, write } from '../../helpers/conditional-batches.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { actBeforeScript, killAfterScript, makeNotesOld } from '../../helpers/redis-clients.ts'

const schema = defineSchema({
  user: node({
    fields: { visits: field.int() },
    edges: {
      follows: edge('user'),
      friends: edge('user', { symmetric: true }),
    },
  }),
})
const users = ['1', '2'].map(id => ({ op: 'putNode', node: { id, type: 'user', fields: {} } }) as const)
const follow = { op: 'putEdge', edge: { source: '1', name: 'follows', target: '2', time: 1 } } as const
const unfriend = withMirror(deleteEdge('1', 'friends', '2'), 'friends')
/** Puts the edge between the nodes 1 and 2 with a note. */
const note = (text: string) => withMirror(putEdge('1', 'friends', '2', 5, { text }), 'friends')
const killAfterWrite = (client: RedisClient) => killAfterScript(client, CONDITIONAL_WRITE_SCRIPT)
const ifNoted = (text: string, mutation: StoreMutation) => withCondition(mutation, { fields: { text } })

describe.skipIf(!hasRedisServer('repeated conditional writes'))('a conditional write to Redis', () => {
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
  const create = async (mutations: readonly StoreMutation[] = putNodes('1', '2')) => {
    const prefix = `store ${++stores}:`
    const store = await open(prefix)
    await write(store, mutations)
    return { prefix, store }
  }
  const createUsers = async () => {
    const prefix = `store ${++stores}:`
    const graph = createGraph(createRedisStore(server.admin, { prefix }), { schema })
    await graph.write([...users, { op: 'putEdge', edge: { source: '2', name: 'friends', target: '1' } }])
    const killed = createGraph(createRedisStore(killAfterWrite(server.admin), { prefix }), { schema })
    return { prefix, graph, killed }
  }
  /** Returns the edges between the nodes 1 and 2 in the list of each. */
  const readFriends = async (store: Store) => {
    const { lists } = await read(store)
    return [lists[1], lists[3]].map(list => list?.entries.map(({ data }) => data?.text))
  }

  it.each([
    ['an edge that is then deleted', [], ifMissing(note('a')), [unfriend], [[], []]],
    [
      'an edge that is then changed',
      [note('0')],
      ifNoted('0', note('a')),
      [ifNoted('a', note('b'))],
      [['b'], ['b']],
    ],
    ['a deletion before a new edge', [note('0')], ifNoted('0', unfriend), [note('b')], [['b'], ['b']]],
    ['an edge without a condition', [], note('a'), [unfriend], [[], []]],
  ] as const)(
    'undoes no later write if its process pauses between both sides, with and without a repeat: %s',
    async (_, before, mutation, later, expected) => {
      for (const isRepeated of [false, true]) {
        const { prefix, store } = await create([...putNodes('1', '2'), ...before])
        const continueElsewhere = async () => {
          if (isRepeated) await write(store, [mutation], BATCH_ID)
          await write(store, later)
        }
        const client = actBeforeScript(server.admin, WRITE_SIDES_SCRIPT, continueElsewhere)
        const paused = await open(prefix, client)
        await write(paused, [mutation], BATCH_ID)
        expect(await readFriends(store)).toEqual(expected)
        await paused.close()
        await store.recover()
        expect(await readFriends(store)).toEqual(expected)
      }
    },
  )

  it.each([
    ['a deletion', [{ op: 'deleteNode', id: '1', when: { exists: true } }], undefined],
    ['an increment', [{ op: 'patchNode', id: '1', increment: { visits: 1 } }], '1'],
    ['an edge', [{ ...follow, when: { exists: false } }], '2'],
    [
      'a mirrored edge',
      [{ op: 'deleteEdge', edge: { source: '1', name: 'friends', target: '2' }, when: { exists: true } }],
      '2',
    ],
  ] as const)('is accepted again by its id when it is no longer valid: %s', async (_, batch, deletedId) => {
    for (const keepMs of [60_000, 3_600_000])
      for (const isKilled of [false, true]) {
        const { prefix, graph, killed } = await createUsers()
        const options = { id: 'the id', keepMs }
        const reason = await reasonOf((isKilled ? killed : graph).write(batch, options))
        expect(reason).toBe(isKilled ? 'store_error' : undefined)
        if (deletedId !== undefined) await graph.write([{ op: 'deleteNode', id: deletedId }])
        await graph.write(batch, options)
        expect(await server.admin.zcard(`${prefix}{1}p`), 'unfinished purges').toBe(0)
        await graph.write(users)
        const before = await server.admin.get(`${prefix}{1}n`)
        await graph.write(batch, options)
        expect(await server.admin.get(`${prefix}{1}n`)).toBe(before)
      }
  })

  it('is a conflict with another batch of the same id after a killed write', async () => {
    const { graph, killed } = await createUsers()
    const deletion = { op: 'deleteNode', id: '1', when: { exists: true } } as const
    await reasonOf(killed.write([deletion], { id: 'a' }))
    expect(await reasonOf(graph.write([{ ...deletion, id: '2' }], { id: 'a' }))).toBe('conflict id')
    expect(await reasonOf(graph.write([{ ...deletion, id: '9' }], { id: 'a' }))).toBe('conflict id')
    expect(await reasonOf(graph.write([deletion], { id: 'b' }))).toBe('conflict when.exists')
  })

  it.each([
    ['a new edge', [], ifMissing(befriend('1', '2')), ifMissing(befriend('2', '1')), 1],
    ['a change', [note('0')], ifNoted('0', note('a')), ifNoted('0', note('b')), 1],
    ['a deletion', [note('0')], ifNoted('0', unfriend), ifNoted('0', note('b')), 0],
  ])(
    'that is a conflict completes an old write of a killed process: %s',
    async (_, before, first, second, count) => {
      const { prefix, store } = await create([...putNodes('1', '2'), ...before])
      await reasonOf(write(await open(prefix, killAfterWrite(server.admin)), [first]))
      const [side, otherSide] = await readFriends(store)
      expect(otherSide).not.toEqual(side)
      await makeNotesOld(server.admin, `${prefix}{1}u`)
      expect(await reasonOf(write(store, [second]))).toMatch(/^conflict/)
      await expect.poll(() => readFriends(store), { timeout: 5000 }).toEqual([side, side])
      expect(side).toHaveLength(count)
      await store.close()
    },
  )
})
