import fc from 'fast-check'
import { describeStoreFailures } from 'kithgraph/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  createFailingPostgresStore,
  createFailingRedisStore,
  failingMemoryStore,
  failingSqliteStore,
  startWriter,
} from '../helpers/failing-stores.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../helpers/redis.ts'

// The tests mostly wait, and each has its own store.
const runner = { describe: describe.concurrent, it, fc }
const LONG = process.env.KITHGRAPH_LONG !== undefined
/** The number of failures of each kind. */
const rounds = LONG ? 40 : 1
/** A server protects its data from a killed writer as from a cut, so only long runs test both. */
const longFailures = LONG ? { startWriter } : {}

describeStoreFailures(runner, { ...failingMemoryStore, rounds })
describeStoreFailures(runner, { ...failingSqliteStore, rounds })

describe('a Postgres server', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())
  describeStoreFailures(runner, { ...createFailingPostgresStore(() => server), ...longFailures, rounds })
})

describe.skipIf(!hasRedisServer('failures of a Redis store'))('a Redis server', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())
  describeStoreFailures(runner, { ...createFailingRedisStore(() => server), ...longFailures, rounds })
})
