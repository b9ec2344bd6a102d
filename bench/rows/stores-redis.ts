import { Redis } from 'ioredis'
import { createRedisStore } from 'kithgraph/redis'
import { HOST, hasRedisServer, startRedis } from '../../test/helpers/redis.ts'
import { createGraphReader, fillStore, toMutations } from '../contenders/graph.ts'
import { createLevelReader, createPointReader } from '../contenders/redis-readers.ts'
import { createSocialData } from '../data/social-data.ts'
import { timePassed } from '../measure/work-done.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import { comparePhotos } from './compare-photos.ts'
import type { Row } from './row.ts'

const PEOPLE = 2000

export const createRedisRow = (shutdown: Shutdown): Row => ({
  name: 'stores-redis',
  title: `the query for 71 nodes from a Redis server with ${PEOPLE} people, in elapsed time`,
  async measure() {
    if (!hasRedisServer('the row of Redis')) return []
    const server = await startRedis()
    shutdown.add(() => server.stop())
    const redis = new Redis({ host: HOST, port: server.port })
    shutdown.add(() => redis.disconnect())
    const data = createSocialData(PEOPLE)
    const store = createRedisStore(redis)
    await store.open()
    await fillStore(store, toMutations(data))
    const graph = await createGraphReader('kithgraph over Redis', store, data.viewers)
    return comparePhotos(
      data.viewers,
      graph,
      [
        { name: 'hand-written, one pipeline per level', read: createLevelReader(redis), bar: { max: 1.15 } },
        { name: 'hand-written, one command per record', read: createPointReader(redis) },
      ],
      timePassed,
    )
  },
})
