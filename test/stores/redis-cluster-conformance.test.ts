import fc from 'fast-check'
import type { Cluster } from 'ioredis'
import { createRedisStore } from 'kithgraph/redis'
import { describeStore } from 'kithgraph/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'
import { hasRedisServer } from '../helpers/redis.ts'
import { type RedisCluster, startRedisCluster } from '../helpers/redis-cluster.ts'

const runs = process.env.KITHGRAPH_LONG ? 150 : 15

describe.skipIf(!hasRedisServer('the store contract on a Redis Cluster'))(
  'a Redis Cluster of six nodes',
  () => {
    let cluster: RedisCluster
    let client: Cluster
    let stores = 0

    beforeAll(async () => {
      cluster = await startRedisCluster()
      client = cluster.connect()
    })
    afterAll(() => cluster?.stop())

    /** Creates an empty store, with a new prefix. */
    const create = () => createRedisStore(client, { prefix: `store ${++stores}:` })

    if (process.env.KITHGRAPH_LONG)
      describeStore({ describe, it, fc, runs }, { name: 'redis cluster', create })
    describeStore(
      { describe, it, fc, runs },
      { name: 'redis cluster, guarded', create: () => guardStore(create()) },
    )
  },
)
