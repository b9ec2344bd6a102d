import fc from 'fast-check'
import { createGraph } from 'kithgraph'
import { createPostgresStore } from 'kithgraph/postgres'
import { describeStore } from 'kithgraph/testing'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { putNodes } from '../../src/testing/records.ts'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../helpers/pgbouncer.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { waitUntil } from '../helpers/redis.ts'
import { watchPool } from '../helpers/watched-clients.ts'
import { expectGraphError } from '../unit/abuse/expect-graph-error.ts'

/** The number of runs of each property: small, because each run creates the tables of a new store. */
const runs = process.env.KITHGRAPH_LONG ? 60 : 5

const OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
const USERS = { limited: 'limited' }
/** The number of connections of the small pooler to the server, which all its clients share. */
const FEW = 2

const isAvailable = hasPgBouncer('the tests of the Postgres store behind a pooler')

let server: PostgresServer
let pooler: PgBouncer
let fewPooler: PgBouncer
/** Connects to the server itself. */
let direct: pg.Pool
let pooled: pg.Pool
let schemas = 0

beforeAll(async () => {
  if (!isAvailable) return
  server = await startPostgres()
  direct = server.pool()
  await direct.query(
    `create role limited login superuser password 'limited'; alter role limited set statement_timeout = '1s'`,
  )
  pooler = await startPgBouncer(server, 20, USERS)
  fewPooler = await startPgBouncer(server, FEW, USERS)
  pooled = server.pool({ port: pooler.port, max: 30 })
})
afterAll(async () => {
  await server?.stop()
  await pooler?.stop()
  await fewPooler?.stop()
})

const createSchemaName = () => `fresh_${++schemas}`

const openStore = async (options: pg.PoolConfig = {}) => {
  const schema = createSchemaName()
  const pool = server.pool({ port: pooler.port, ...options })
  const store = guardStore(createPostgresStore(pool, { schema, prepare: false }))
  await store.open()
  return { store, schema, pool }
}

const readNode = (store: ReturnType<typeof guardStore>, id: string, options = {}) =>
  Promise.resolve(store.read({ ...EMPTY_REQUEST, nodes: [id] }, { ...OPTIONS, ...options })).then(
    ({ nodes }) => nodes[0],
  )

/** Returns the number of statements of a store that wait for a lock. */
const countWaiting = async (schema: string): Promise<number> => {
  const { rows } = await direct.query(
    `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%"' || $1 || '"%'`,
    [schema],
  )
  return rows.length
}

/** Locks a table of a store while `body` runs, so that the statements of the store wait. */
const holdLock = async <T>(schema: string, body: () => Promise<T>): Promise<T> => {
  const client = await direct.connect()
  try {
    await client.query(`begin; lock table "${schema}".nodes`)
    return await body()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe.runIf(isAvailable)('a Postgres store behind PgBouncer in transaction mode', () => {
  it('is tested with connections that share a few server processes', async () => {
    const pool = server.pool({ port: fewPooler.port, max: 10 })
    const clients = await Promise.all(Array.from({ length: 10 }, () => pool.connect()))
    const ids = await Promise.all(clients.map(client => client.query('select pg_backend_pid() as id')))
    for (const client of clients) client.release()
    expect(new Set(ids.map(({ rows }) => rows[0].id)).size).toBeLessThanOrEqual(FEW)
  })

  it('serves concurrent calls and writes over a few server processes', async () => {
    const schema = createSchemaName()
    const pool = server.pool({ port: fewPooler.port, max: 20 })
    const graph = createGraph(createPostgresStore(pool, { schema, prepare: false }))
    const ids = Array.from({ length: 40 }, (_, index) => `${index + 1}`)
    await Promise.all(
      ids.map(id =>
        graph.write([{ op: 'putNode', node: { id, type: 'user', fields: { name: `user ${id}` } } }]),
      ),
    )
    const session = graph.session({ viewer: '1', app: 'tests', scopes: ['user_friends'] })
    const reads = ids.map(id => graph.getNode(session, { id, fields: 'name,friends' }))
    expect((await Promise.all(reads)).map(({ name }) => name)).toEqual(ids.map(id => `user ${id}`))
  })
})

describe.runIf(isAvailable)('a statement whose call has ended, behind PgBouncer', () => {
  it('rejects at its deadline, and its connection is closed', async () => {
    const { store, schema, pool } = await openStore()
    await readNode(store, '1')
    await holdLock(schema, async () => {
      const start = performance.now()
      const { reason } = await expectGraphError(readNode(store, '1', { deadline: Date.now() + 200 }))
      expect(reason).toBe('timeout')
      expect(performance.now() - start).toBeLessThan(5000)
      await waitUntil('the connection is closed', async () => pool.totalCount === 0)
    })
    await expect(readNode(store, '1')).resolves.toBeUndefined()
  })

  it('is ended by the server at the statement_timeout of the role, while its lock is still held', async () => {
    const { store, schema } = await openStore({ user: 'limited', password: 'limited' })
    await holdLock(schema, async () => {
      const failed = expectGraphError(readNode(store, '1', { deadline: Date.now() + 500 }))
      await waitUntil('the statement waits', async () => (await countWaiting(schema)) === 1)
      expect((await failed).reason).toBe('timeout')
      await waitUntil('the statement has ended', async () => (await countWaiting(schema)) === 0, 10_000)
    })
  })

  it('is not cancelled, so no statement of another client is', async () => {
    const schema = createSchemaName()
    const pool = server.pool({ port: pooler.port })
    const { client, statements } = watchPool(pool)
    const store = guardStore(createPostgresStore(client, { schema, prepare: false }))
    await store.open()
    const sleeps = [pooled, direct].flatMap(other =>
      Array.from({ length: 4 }, () => other.query('select pg_sleep(1.5)')),
    )
    const controller = new AbortController()
    await holdLock(schema, async () => {
      const calls = [
        readNode(store, '1', { deadline: Date.now() + 100 }),
        readNode(store, '1', { signal: controller.signal }),
        Promise.resolve(store.write(putNodes('1'), { signal: controller.signal })),
      ]
      const errors = Promise.all(calls.map(call => expectGraphError(call)))
      await waitUntil('the statements wait', async () => (await countWaiting(schema)) >= 2)
      controller.abort()
      expect((await errors).map(({ reason }) => reason)).toEqual(['timeout', 'aborted', 'aborted'])
      await Promise.all(sleeps)
    })
    expect(statements.length).toBeGreaterThan(3)
    expect(statements.filter(text => text.includes('cancel'))).toEqual([])
    await expect(readNode(store, '1')).resolves.toBeUndefined()
  })
})

describe.runIf(isAvailable)('a replica behind PgBouncer', () => {
  it('serves a read whose revision it has reached, in one transaction', async () => {
    const primary = await startPostgres()
    const replica = await primary.startReplica()
    const replicaPooler = await startPgBouncer(replica)
    try {
      const { client, statements } = watchPool(replica.pool({ port: replicaPooler.port }), () => true)
      const store = guardStore(createPostgresStore(primary.pool(), { replicas: [client], prepare: false }))
      await store.open()
      const { revision: minRevision } = await store.write(putNodes('1'), OPTIONS)
      await waitUntil('the replica has the node', async () => {
        statements.length = 0
        expect(await readNode(store, '1', { minRevision })).toMatchObject({ id: '1' })
        return statements.length === 4
      })
      expect(statements[0]).toMatch(/^begin /)
      expect(statements[1]).toContain('pg_last_wal_replay_lsn')
      expect(statements[3]).toBe('commit')
    } finally {
      await replica.stop()
      await replicaPooler.stop()
      await primary.stop()
    }
  })
})

if (isAvailable)
  describeStore(
    { describe, it, fc, runs },
    {
      name: 'Postgres behind PgBouncer',
      create: () => guardStore(createPostgresStore(pooled, { schema: createSchemaName(), prepare: false })),
    },
  )
