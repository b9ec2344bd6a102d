import fc from 'fast-check'
import { createRedisStore } from 'kithgraph/redis'
import { describeStore } from 'kithgraph/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../helpers/redis.ts'

const runs = process.env.KITHGRAPH_LONG ? 150 : 15

describe.skipIf(!hasRedisServer('the store contract on a Redis server'))('a single Redis server', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  /** Creates an empty store, with a new prefix. */
  const create = () => createRedisStore(server.admin, { prefix: `store ${++stores}:` })

  describeStore({ describe, it, fc, runs }, { name: 'redis', create })
  // The guard does not depend on the client and is tested with the cluster, so only long runs test it here.
  if (process.env.KITHGRAPH_LONG)
    describeStore({ describe, it, fc, runs }, { name: 'redis, guarded', create: () => guardStore(create()) })
})
