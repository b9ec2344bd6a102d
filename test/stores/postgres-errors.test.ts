import { createPostgresStore } from 'kithgraph/postgres'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GraphError, isGraphError } from '../../src/base/errors.ts'
import type { Store } from '../../src/store/contract.ts'
import { guardStore } from '../../src/store/guard.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { createPostgresInspector } from '../../src/stores/postgres/inspect.ts'
import { createRange, putEdge, putNode, putNodes } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { expectGraphError } from '../unit/abuse/expect-graph-error.ts'

const OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }

let server: PostgresServer
/** The pool that the tests themselves use. Each store has a separate pool. */
let pool: pg.Pool
let schemas = 0

beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool()
})
afterAll(() => server?.stop())

const openStore = async (
  options?: pg.PoolConfig,
): Promise<{ store: Store; schema: string; pool: pg.Pool }> => {
  const schema = `fresh_${++schemas}`
  const pool = server.pool(options)
  const store = guardStore(createPostgresStore(pool, { schema }))
  await store.open()
  return { store, schema, pool }
}

const readNode = async (store: Store, id: string, options = {}) =>
  (await store.read({ ...EMPTY_REQUEST, nodes: [id] }, { ...OPTIONS, ...options })).nodes[0]

const waitUntil = async (condition: () => Promise<boolean>): Promise<void> => {
  for (let tried = 0; !(await condition()); tried++) {
    if (tried === 3000) throw new Error('The condition is still false')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Returns the backends that wait for a lock in a statement of a store. */
const findWaiting = async (schema: string): Promise<{ pid: number }[]> => {
  const { rows } = await pool.query(
    `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%"' || $1 || '"%'`,
    [schema],
  )
  return rows
}

/** Locks a table of a store while `body` runs, so that the statements of the store wait. */
const holdLock = async <T>(schema: string, body: () => Promise<T>, mode = 'access exclusive'): Promise<T> => {
  const client = await pool.connect()
  try {
    await client.query(`begin; lock table "${schema}".nodes in ${mode} mode`)
    return await body()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('a Postgres statement whose call has ended', () => {
  it('is cancelled on the server at the deadline of its read', async () => {
    const { store, schema } = await openStore()
    await holdLock(schema, async () => {
      const error = await expectGraphError(readNode(store, '1', { deadline: Date.now() + 100 }))
      expect(error.reason).toBe('timeout')
      await waitUntil(async () => (await findWaiting(schema)).length === 0)
    })
    await expect(readNode(store, '1')).resolves.toBeUndefined()
  })

  it('is cancelled on the server after its signal is aborted, without an effect on other statements', async () => {
    const { store, schema } = await openStore()
    const { signal, abort } = abortable()
    const { failed, other } = await holdLock(schema, async () => {
      const failed = expectGraphError(readNode(store, '1', { signal }))
      const other = readNode(store, '1')
      await waitUntil(async () => (await findWaiting(schema)).length === 2)
      abort()
      await waitUntil(async () => (await findWaiting(schema)).length === 1)
      return { failed, other }
    })
    expect((await failed).reason).toBe('aborted')
    await expect(other).resolves.toBeUndefined()
  })

  it('is cancelled after the signal of its write is aborted, and nothing is written', async () => {
    const { store, schema } = await openStore()
    const { signal, abort } = abortable()
    await holdLock(schema, async () => {
      const failed = expectGraphError(store.write(putNodes('1'), { signal }))
      await waitUntil(async () => (await findWaiting(schema)).length === 1)
      abort()
      expect((await failed).reason).toBe('aborted')
      await waitUntil(async () => (await findWaiting(schema)).length === 0)
    })
    await expect(readNode(store, '1')).resolves.toBeUndefined()
  })
})

const abortable = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

describe('a Postgres connection that the server closes', () => {
  it('makes the write on it fail with the error of the server as cause, and the store stays usable', async () => {
    const { store, schema } = await openStore()
    await holdLock(schema, async () => {
      const failed = expectGraphError(store.write([putNode('1'), putNode('2')], OPTIONS))
      await waitUntil(async () => (await findWaiting(schema)).length === 1)
      for (const { pid } of await findWaiting(schema))
        await pool.query('select pg_terminate_backend($1)', [pid])
      const error = await failed
      expect(error.reason).toBe('store_error')
      expect(error.cause).toMatchObject({ code: '57P01' })
    })
    await expect(readNode(store, '1')).resolves.toBeUndefined()
    await store.write(putNodes('1'), OPTIONS)
    await expect(readNode(store, '1')).resolves.toMatchObject({ id: '1' })
  })

  it('makes every read of its snapshot fail, but the snapshot can be closed', async () => {
    const { store, pool: own } = await openStore({ max: 2, application_name: 'cut' })
    const snapshot = await store.snapshot()
    await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut'`)
    for (const _ of [1, 2])
      expect(
        (await expectGraphError(snapshot.read({ ...EMPTY_REQUEST, nodes: ['1'] }, OPTIONS))).reason,
      ).toBe('store_error')
    await snapshot.close()
    await expect(readNode(store, '1')).resolves.toBeUndefined()
    expect(own.waitingCount).toBe(0)
  })
})

describe('an exhausted pool of Postgres connections', () => {
  it('makes reads wait until their deadline, and serves later reads', async () => {
    const { store, pool: own } = await openStore({ max: 2 })
    const held = [await own.connect(), await own.connect()]
    const deadline = Date.now() + 150
    const errors = await Promise.all(
      Array.from({ length: 20 }, () => expectGraphError(readNode(store, '1', { deadline }))),
    )
    expect(errors.map(error => error.reason)).toEqual(errors.map(() => 'timeout'))
    for (const client of held) client.release()
    await expect(readNode(store, '1')).resolves.toBeUndefined()
  })

  it('has its only connection available again after the read that holds it times out', async () => {
    const { store, schema, pool: own } = await openStore({ max: 1 })
    await holdLock(schema, async () => {
      expect((await expectGraphError(readNode(store, '1', { deadline: Date.now() + 100 }))).reason).toBe(
        'timeout',
      )
    })
    await expect(readNode(store, '1')).resolves.toBeUndefined()
    await waitUntil(async () => own.waitingCount === 0 && own.idleCount === 1)
  })

  it('makes a read fail with store_error and the error of the pool as cause if the pool times out first', async () => {
    const { store, pool: own } = await openStore({ max: 1, connectionTimeoutMillis: 100 })
    const held = await own.connect()
    const error = await expectGraphError(readNode(store, '1'))
    expect([error.reason, String(error.cause)]).toEqual([
      'store_error',
      'Error: timeout exceeded when trying to connect',
    ])
    held.release()
  })
})

describe('a write to Postgres', () => {
  it('is retried after a deadlock', async () => {
    const { store, schema } = await openStore({ options: '-c deadlock_timeout=500ms' })
    await store.write(putNodes('1', '2', '3'), OPTIONS)
    const other = await pool.connect()
    try {
      const lock = (id: number) => `select from "${schema}".nodes where id = ${id} for update`
      await other.query(`set deadlock_timeout = '1min'; begin; ${lock(2)}`)
      const written = store.write([{ op: 'deleteNode', id: '1' }, putEdge('3', 'likes', '2')], OPTIONS)
      await waitUntil(async () => (await findWaiting(schema)).length === 1)
      // This waits for the store, and the store waits for this. The store detects the deadlock first, and
      // retries.
      await other.query(lock(1))
      await other.query('commit')
      await written
    } finally {
      other.release(true)
    }
    const { nodes, checks } = await store.read(
      { ...EMPTY_REQUEST, nodes: ['1'], checks: [{ source: '3', name: 'likes', target: '2' }] },
      OPTIONS,
    )
    expect([nodes, checks]).toEqual([[undefined], [true]])
  })
})

describe('a repair of a store in Postgres', () => {
  const edge = { source: '1', name: 'likes', target: '77' }
  const prepareRepair = async () => {
    const { store, schema, pool: storePool } = await openStore()
    await store.write(putNodes('1'), OPTIONS)
    await pool.query(`insert into "${schema}".edges (source, name, time, target) values (1, 'likes', 5, 77)`)
    const inspector = await createPostgresInspector(storePool, schema)
    return { store, schema, repair: async () => inspector.repair({ kind: 'danglingEdge', edge }) }
  }

  it('does not make writers wait until another transaction ends', async () => {
    const { store, schema, repair } = await prepareRepair()
    const repaired = await holdLock(
      schema,
      async () => {
        const repaired = repair()
        await waitUntil(async () => (await findWaiting(schema)).length === 1)
        await store.write(putNodes('2'), OPTIONS)
        return { repaired }
      },
      'row exclusive',
    )
    expect(await repaired.repaired).toBe(true)
  })

  it.runIf(process.env.KITHGRAPH_LONG)('fails if another transaction does not end', async () => {
    const { schema, repair } = await prepareRepair()
    const message = 'another transaction keeps the nodes locked; repair the store again later'
    await holdLock(schema, () => expect(repair()).rejects.toThrow(message), 'row exclusive')
  })
})

describe('a Postgres read that needs a dropped table', () => {
  it('fails with store_error and the error of the server as cause', async () => {
    const { store, schema } = await openStore()
    await pool.query(`drop table "${schema}".edge_counts`)
    const error = await expectGraphError(
      store.read({ ...EMPTY_REQUEST, ranges: [createRange('1', 'likes')] }, OPTIONS),
    )
    expect(error.reason).toBe('store_error')
    expect(error.cause).toMatchObject({ code: '42P01' })
    await expect(readNode(store, '1')).resolves.toBeUndefined()
  })
})

describe('a restart of Postgres during writes', () => {
  it('loses no acknowledged write, and leaves no other write incomplete', async () => {
    const { store } = await openStore()
    const acknowledged: number[] = []
    const errors: GraphError[] = []
    let done = false
    const pair = (n: number) => [`${2 * n + 1}`, `${2 * n + 2}`]
    const writer = async (first: number): Promise<void> => {
      for (let n = first; !done; n += 4) {
        const [source = '', target = ''] = pair(n)
        const written = store.write([...putNodes(source, target), putEdge(source, 'likes', target)], OPTIONS)
        const error = await Promise.resolve(written).then(() => undefined, createErrorWithCause)
        if (error === undefined) acknowledged.push(n)
        else errors.push(error)
        if (error) await new Promise(resolve => setTimeout(resolve, 20))
      }
    }
    const writers = [0, 1, 2, 3].map(writer)
    await waitUntil(async () => acknowledged.length > 50)
    await server.restart()
    const before = acknowledged.length
    await waitUntil(async () => acknowledged.length > before + 50)
    done = true
    await Promise.all(writers)

    expect(new Set(errors.map(error => error.reason))).toEqual(new Set(['store_error']))
    expect(errors.every(error => error.cause instanceof Error)).toBe(true)
    const last = Math.max(...acknowledged)
    const all = Array.from({ length: last + 1 }, (_, n) => pair(n))
    const { nodes, checks } = await store.read(
      {
        ...EMPTY_REQUEST,
        nodes: all.flat(),
        checks: all.map(([source = '', target = '']) => ({ source, name: 'likes', target })),
      },
      OPTIONS,
    )
    const whole = all.map((_, n) => [nodes[2 * n] !== undefined, nodes[2 * n + 1] !== undefined, checks[n]])
    expect(whole.filter(parts => new Set(parts).size > 1)).toEqual([])
    expect(acknowledged.filter(n => checks[n] !== true)).toEqual([])
  })
})

const createErrorWithCause = (cause: unknown): GraphError => {
  if (!isGraphError(cause)) throw cause
  return cause
}
