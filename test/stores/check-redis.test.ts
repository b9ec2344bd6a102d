import type { Redis } from 'ioredis'
import { createGraph } from 'kithgraph'
import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WRITE_SIDES_SCRIPT } from '../../src/stores/redis/edge-scripts.ts'
import { SCHEMA_FILE } from '../cli/checked-stores.ts'
import { schema } from '../cli/people-schema.ts'
import { HOST, hasRedisServer, type RedisServer, startRedis } from '../helpers/redis.ts'
import { actAfterScript, makeNotesOld } from '../helpers/redis-clients.ts'
import { runCli } from '../helpers/run-cli.ts'

const NO_KEY = '0'.repeat(19)
const member = (id: string): string => NO_KEY.slice(id.length) + id

/** A store whose keys a test damages. `key` returns the key of an id, such as `key('1', 'n')`. */
type RedisCase = {
  readonly prefix: string
  readonly redis: Redis
  readonly key: (id: string, suffix: string) => string
}

type Damage = {
  readonly name: string
  readonly damage: (store: RedisCase) => Promise<unknown>
  readonly line: string
  readonly flags: readonly string[]
}

const REPAIR = ['--repair']
const REMOVE = ['--repair', '--remove']
const UNREPAIRED: string[] = []

const dayAgo = (): number => (Date.now() - 86_400_000) * 1000
const note = (puts: unknown[], deletions: unknown[]): string => JSON.stringify(['stamp', '', puts, deletions])

const DAMAGES: readonly Damage[] = [
  {
    name: 'a mirror that is missing without a trace',
    damage: async ({ redis, key }) => {
      await redis.zrem(key('2', 'efriends'), `${member('1')}+`)
      await redis.hdel(key('2', 'dfriends'), member('1'))
      await redis.hdel(key('2', 'm'), `${member('1')} friends`)
      await redis.srem(key('1', 'r'), '2 friends')
    },
    line: 'half mirror: 1 "friends" 2: the mirror 2 "friends" 1 is missing',
    flags: REPAIR,
  },
  {
    name: 'a first side that is missing, although its number exists',
    damage: async ({ redis, key }) => {
      await redis.zrem(key('1', 'efriends'), `${member('2')}+`)
      await redis.hdel(key('1', 'dfriends'), member('2'))
      await redis.srem(key('2', 'r'), '1 friends')
    },
    line: 'half mirror: 2 "friends" 1: the mirror 1 "friends" 2 is missing',
    flags: REPAIR,
  },
  {
    name: 'a side whose other side was deleted later',
    damage: async ({ redis, key }) => {
      const number = Number(await redis.hget(key('1', 'm'), `${member('3')} likes`))
      await redis.zrem(key('1', 'elikes'), member('3'))
      await redis.hdel(key('1', 'm'), `${member('3')} likes`)
      await redis.zadd(key('1', 'z'), number + 10, `${member('3')} likes`)
      await redis.srem(key('3', 'r'), '1 likes')
    },
    line: 'half mirror: 3 "liked_by" 1: the mirror 1 "likes" 3 was deleted',
    flags: REMOVE,
  },
  {
    name: 'a mirror with another time',
    damage: ({ redis, key }) => redis.zadd(key('3', 'eliked_by'), 99, member('1')),
    line: 'unequal mirror: 1 "likes" 3: the mirror 3 "liked_by" 1 has another time or other data',
    flags: UNREPAIRED,
  },
  {
    name: 'an edge to a missing node',
    damage: ({ redis, key }) => redis.zadd(key('2', 'efollows'), 5, member('77')),
    line: 'dangling edge: 2 "follows" 77',
    flags: REMOVE,
  },
  {
    name: 'an edge from a missing node',
    damage: async ({ redis, key }) => {
      await redis.zadd(key('77', 'efollows'), 5, member('1'))
      await redis.sadd(key('77', 'l'), 'follows')
    },
    line: 'dangling edge: 77 "follows" 1',
    flags: REMOVE,
  },
  {
    name: 'an entry of an older generation',
    damage: ({ redis, key }) => redis.zadd(key('2', 'efollows'), 5, `${member('1')}~1700000000000000`),
    line: 'stale entry: 2 "follows" 1',
    flags: REMOVE,
  },
  {
    name: 'an edge without its reverse entry',
    damage: ({ redis, key }) => redis.srem(key('1', 'r'), '2 follows'),
    line: 'missing reverse entry: 2 "follows" 1',
    flags: REPAIR,
  },
  {
    name: 'a reverse entry without its edge',
    damage: ({ redis, key }) => redis.sadd(key('2', 'r'), '1 follows'),
    line: 'stale reverse entry: 1 "follows" 2',
    flags: REMOVE,
  },
  {
    name: 'a reverse entry of a missing node',
    damage: ({ redis, key }) => redis.sadd(key('2', 'r'), '77 follows'),
    line: 'stale reverse entry: 77 "follows" 2',
    flags: REMOVE,
  },
  {
    name: 'a reverse entry of an older generation',
    damage: ({ redis, key }) => redis.sadd(key('1', 'r'), '2~1700000000000000 follows'),
    line: 'stale reverse entry: 2 "follows" 1',
    flags: REMOVE,
  },
  {
    name: 'a reverse entry at a missing node',
    damage: ({ redis, key }) => redis.sadd(key('77', 'r'), '2 follows'),
    line: 'stale reverse entry: 2 "follows" 77',
    flags: REMOVE,
  },
  {
    name: 'a recovery note of an unfinished second side',
    damage: async ({ redis, key }) => {
      await redis.zrem(key('3', 'eliked_by'), member('1'))
      await redis.hdel(key('3', 'm'), `${member('1')} liked_by`)
      await redis.srem(key('1', 'r'), '3 liked_by')
      await redis.sadd(key('1', 'r'), '3 liked_by')
      await redis.srem(key('3', 'r'), '1 likes')
      await redis.zadd(key('1', 'u'), dayAgo(), note([['likes', member('3'), 'liked_by']], []))
    },
    line: 'unfinished second side: node 1',
    flags: REPAIR,
  },
  {
    name: 'a recovery note that another program has changed',
    damage: ({ redis, key }) => redis.zadd(key('1', 'u'), dayAgo(), 'PASSWORD=hunter2'),
    line: 'damaged note: node 1',
    flags: REMOVE,
  },
  {
    name: 'a damaged record',
    damage: ({ redis, key }) => redis.set(key('3', 'n'), '["photo",5]'),
    line: 'damaged node: node 3',
    flags: UNREPAIRED,
  },
  {
    name: 'an edge that lacks its data',
    damage: async ({ redis, key }) => {
      await redis.hdel(key('1', 'dfriends'), member('2'))
    },
    line: 'damaged edge: 1 "friends" 2',
    flags: UNREPAIRED,
  },
  {
    name: 'a value of a wrong type',
    damage: ({ redis, key }) => redis.set(key('1', 'n'), '["person",{"name":"Ada","age":"old"}]'),
    line: 'contradiction: "person"."age": the value is not valid for the type of the field; 1 time, such as in 1',
    flags: UNREPAIRED,
  },
]

/** Creates a client that writes the first side of an edge, and then fails, as if its process was killed. */
const dieAfterFirstSide = (redis: Redis): RedisClient => {
  let isDead = false
  const client = actAfterScript(redis, WRITE_SIDES_SCRIPT, async () => {
    isDead = true
    throw new Error('killed')
  })
  const unlessDead = <TReply>(send: () => PromiseLike<TReply>): PromiseLike<TReply> =>
    isDead ? Promise.reject(new Error('killed')) : send()
  return {
    pipeline: commands => ({ exec: () => unlessDead(() => client.pipeline(commands).exec()) }),
    call: (command, args) => unlessDead(() => client.call(command, args)),
  }
}

describe.runIf(hasRedisServer('check store on Redis'))('check store on Redis', () => {
  let server: RedisServer
  let prefixes = 0
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  const withPeople = async (
    body: (
      store: RedisCase & { readonly check: (...args: readonly string[]) => ReturnType<typeof runCli> },
    ) => Promise<void>,
  ): Promise<void> => {
    const prefix = `checked ${++prefixes}:`
    const graph = createGraph(createRedisStore(server.admin, { prefix }), { schema })
    await graph.write([
      { op: 'putNode', node: { id: '1', type: 'person', fields: { name: 'Ada' } } },
      { op: 'putNode', node: { id: '2', type: 'person', fields: { name: 'Ben' } } },
      { op: 'putNode', node: { id: '3', type: 'photo', fields: {} } },
      { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', time: 5, data: { note: 'a' } } },
      { op: 'putEdge', edge: { source: '1', name: 'likes', target: '3', time: 6 } },
      { op: 'putEdge', edge: { source: '2', name: 'follows', target: '1', time: 7 } },
    ])
    // Removes the recovery notes.
    await graph.close()
    const check = (...args: readonly string[]) =>
      runCli([
        'check',
        'store',
        `redis://${HOST}:${server.port}`,
        '--prefix',
        prefix,
        '--schema',
        SCHEMA_FILE,
        ...args,
      ])
    await body({ prefix, redis: server.admin, key: (id, suffix) => `${prefix}{${id}}${suffix}`, check })
  }

  const isAboutDamage = (line: string): boolean => !/^(?:checked|repair|note)/.test(line)
  const healthy = 'checked 3 nodes and 5 edges: no errors'

  it('reports nothing in a healthy store', () =>
    withPeople(async ({ check }) => {
      expect(await check()).toEqual({ status: 0, lines: [healthy], errors: [] })
    }))

  it.each([
    [
      'no key has the prefix',
      '',
      ['--prefix', 'other:'],
      /no key of the Redis database begins with the prefix "other:"/,
    ],
    ['there is no such database', '/9999', [], /DB index is out of range/],
  ])('fails if %s', async (_, path, args, message) => {
    const { status, lines, errors } = await runCli([
      'check',
      'store',
      `redis://${HOST}:${server.port}${path}`,
      ...args,
    ])
    expect({ status, lines, errors }).toEqual({
      status: 2,
      lines: [],
      errors: [expect.stringMatching(message)],
    })
  })

  /** Divides the lines of a repair into those of the first and of the last check. */
  const divideChecks = (lines: readonly string[]) => {
    const end = lines.findIndex(line => line.startsWith('repair:'))
    return { first: lines.slice(0, end).filter(isAboutDamage), last: lines.slice(end).filter(isAboutDamage) }
  }
  const withFlags = (flags: readonly string[]) => DAMAGES.filter(damage => damage.flags === flags)

  it.concurrent.each(withFlags(UNREPAIRED))('reports $name, and leaves it unchanged', ({ damage, line }) =>
    withPeople(async store => {
      await damage(store)
      const { status, lines } = await store.check(...REMOVE)
      expect({ status, ...divideChecks(lines) }).toEqual({ status: 1, first: [line], last: [line] })
    }),
  )

  it.concurrent.each(withFlags(REPAIR))('reports and repairs $name with --repair', ({ damage, line }) =>
    withPeople(async store => {
      await damage(store)
      const { status, lines } = await store.check(...REPAIR)
      expect({ status, ...divideChecks(lines) }).toEqual({ status: 0, first: [line], last: [] })
      expect(lines.at(-1)).toBe(healthy)
    }),
  )

  it.concurrent.each(withFlags(REMOVE))(
    'reports $name, and removes it only with --remove',
    ({ damage, line }) =>
      withPeople(async store => {
        await damage(store)
        const { status, lines } = await store.check(...REPAIR)
        expect({ status, ...divideChecks(lines) }).toEqual({ status: 1, first: [line], last: [line] })
        const removed = await store.check(...REMOVE)
        expect(removed.status).toBe(0)
        expect(removed.lines.at(-1)).toMatch(/no errors$/)
      }),
  )

  it.concurrent.each([
    { op: 'putEdge', edge: { source: '2', name: 'likes', target: '3', time: 9 } },
    { op: 'deleteEdge', edge: { source: '1', name: 'likes', target: '3' } },
  ] as const)('completes a write that stopped between its two sides: $op', mutation =>
    withPeople(async ({ prefix, redis, key, check }) => {
      const graph = createGraph(createRedisStore(dieAfterFirstSide(redis), { prefix }), { schema })
      await expect(graph.write([mutation])).rejects.toThrow('(#2) The store failed during a write')
      const first = await check('--repair')
      // The writer could still work, so this is no error yet, and nothing is repaired.
      expect(first.lines).toEqual([
        'note: 1 node with recent recovery notes (from normal operation)',
        expect.stringMatching(/^checked 3 nodes and \d edges: no errors$/),
      ])
      for (const id of ['1', '2']) await makeNotesOld(redis, key(id, 'u'))
      const { status, lines } = await check('--repair')
      expect(status).toBe(0)
      expect(lines.at(-1)).toMatch(/^checked 3 nodes and \d edges: no errors$/)
      const [likes, likers] = [
        await redis.zcard(key('2', 'elikes')),
        await redis.zcard(key('3', 'eliked_by')),
      ]
      expect([likes, likers]).toEqual(mutation.op === 'putEdge' ? [1, 2] : [0, 0])
    }),
  )
})
