import { createPostgresStore } from 'kithgraph/postgres'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GraphError, isGraphError } from '../../src/base/faults.ts'
import type { Store } from '../../src/store/contract.ts'
import { guardStore } from '../../src/store/guard.ts'
import { NOTHING } from '../../src/store/nothing.ts'
import { putEdge, putNode, putNodes, rangeOf } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { faultOf } from '../unit/abuse/fault-of.ts'

const OPTIONS = { signal: undefined, deadline: undefined, atLeast: undefined }

let server: PostgresServer
/** Of the tests themselves, beside that of the store. */
let pool: pg.Pool
let schemas = 0

beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool()
})
afterAll(() => server?.stop())

const opened = async (options?: pg.PoolConfig): Promise<{ store: Store; schema: string; pool: pg.Pool }> => {
  const schema = `fresh_${++schemas}`
  const pool = server.pool(options)
  const store = guardStore(createPostgresStore(pool, { schema }))
  await store.open()
  return { store, schema, pool }
}

const readNode = async (store: Store, id: string, options = {}) =>
  (await store.read({ ...NOTHING, nodes: [id] }, { ...OPTIONS, ...options })).nodes[0]

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  for (let tried = 0; !(await condition()); tried++) {
    if (tried === 3000) throw new Error('what was waited for did not come about')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** The statements of a store that wait for a lock. */
const waiting = async (schema: string): Promise<{ pid: number }[]> => {
  const { rows } = await pool.query(
    `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%"' || $1 || '"%'`,
    [schema],
  )
  return rows
}

/** Holds a table of a store, so that its statements wait, while `body` runs. */
const withLock = async <T>(schema: string, body: () => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  try {
    await client.query(`begin; lock table "${schema}".nodes in access exclusive mode`)
    return await body()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('a statement that nobody waits for any more', () => {
  it('is cancelled on the server at the deadline of its read', async () => {
    const { store, schema } = await opened()
    await withLock(schema, async () => {
      const fault = await faultOf(readNode(store, '1', { deadline: Date.now() + 100 }))
      expect(fault.data.reason).toBe('deadline')
      await until(async () => (await waiting(schema)).length === 0)
    })
    await expect(readNode(store, '1')).resolves.toBeUndefined()
  })

  it('is cancelled on the server when the signal of its read is aborted, and for other reads nothing is', async () => {
    const { store, schema } = await opened()
    const { signal, abort } = abortable()
    const { failed, other } = await withLock(schema, async () => {
      const failed = faultOf(readNode(store, '1', { signal }))
      const other = readNode(store, '1')
      await until(async () => (await waiting(schema)).length === 2)
      abort()
      await until(async () => (await waiting(schema)).length === 1)
      return { failed, other }
    })
    expect((await failed).data.reason).toBe('aborted')
    await expect(other).resolves.toBeUndefined()
  })

  it('is cancelled when it is one of a write, of which nothing is left', async () => {
    const { store, schema } = await opened()
    const { signal, abort } = abortable()
    await withLock(schema, async () => {
      const failed = faultOf(store.write(putNodes('1'), { signal }))
      await until(async () => (await waiting(schema)).length === 1)
      abort()
      expect((await failed).data.reason).toBe('aborted')
      await until(async () => (await waiting(schema)).length === 0)
    })
    await expect(readNode(store, '1')).resolves.toBeUndefined()
  })
})

const abortable = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

describe('a connection that is cut in the middle of a statement', () => {
  it('makes it fail with what the server said as the cause, and the store goes on', async () => {
    const { store, schema } = await opened()
    await withLock(schema, async () => {
      const failed = faultOf(store.write([putNode('1'), putNode('2')], OPTIONS))
      await until(async () => (await waiting(schema)).length === 1)
      for (const { pid } of await waiting(schema)) await pool.query('select pg_terminate_backend($1)', [pid])
      const fault = await failed
      expect(fault.data.reason).toBe('store_fault')
      expect(fault.cause).toMatchObject({ code: '57P01' })
    })
    await expect(readNode(store, '1')).resolves.toBeUndefined()
    await store.write(putNodes('1'), OPTIONS)
    await expect(readNode(store, '1')).resolves.toMatchObject({ id: '1' })
  })

  it('makes every read of a snapshot fail, and closing it does not', async () => {
    const { store, pool: own } = await opened({ max: 2, application_name: 'cut' })
    const snapshot = await store.snapshot()
    await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut'`)
    for (const _ of [1, 2])
      expect((await faultOf(snapshot.read({ ...NOTHING, nodes: ['1'] }, OPTIONS))).data.reason).toBe(
        'store_fault',
      )
    await snapshot.close()
    await expect(readNode(store, '1')).resolves.toBeUndefined()
    expect(own.waitingCount).toBe(0)
  })
})

describe('an exhausted pool', () => {
  it('lets reads wait until their deadline, and serves later ones', async () => {
    const { store, pool: own } = await opened({ max: 2 })
    const held = [await own.connect(), await own.connect()]
    const deadline = Date.now() + 150
    const faults = await Promise.all(
      Array.from({ length: 20 }, () => faultOf(readNode(store, '1', { deadline }))),
    )
    expect(faults.map(fault => fault.data.reason)).toEqual(faults.map(() => 'deadline'))
    for (const client of held) client.release()
    await expect(readNode(store, '1')).resolves.toBeUndefined()
  })

  it('is not needed to end a read that holds its only connection', async () => {
    const { store, schema, pool: own } = await opened({ max: 1 })
    await withLock(schema, async () => {
      expect((await faultOf(readNode(store, '1', { deadline: Date.now() + 100 }))).data.reason).toBe(
        'deadline',
      )
    })
    await expect(readNode(store, '1')).resolves.toBeUndefined()
    await until(async () => own.waitingCount === 0 && own.idleCount === 1)
  })

  it('says what the pool says where that gives up first', async () => {
    const { store, pool: own } = await opened({ max: 1, connectionTimeoutMillis: 100 })
    const held = await own.connect()
    const fault = await faultOf(readNode(store, '1'))
    expect([fault.data.reason, String(fault.cause)]).toEqual([
      'store_fault',
      'Error: timeout exceeded when trying to connect',
    ])
    held.release()
  })
})

describe('writers in each other’s way', () => {
  it('write again after a deadlock', async () => {
    const { store, schema } = await opened({ options: '-c deadlock_timeout=500ms' })
    await store.write(putNodes('1', '2', '3'), OPTIONS)
    const other = await pool.connect()
    try {
      const lock = (id: number) => `select from "${schema}".nodes where id = ${id} for update`
      await other.query(`set deadlock_timeout = '1min'; begin; ${lock(2)}`)
      const written = store.write([{ op: 'deleteNode', id: '1' }, putEdge('3', 'likes', '2')], OPTIONS)
      await until(async () => (await waiting(schema)).length === 1)
      // Waits for the store, which waits for this: the store is the first to find out, and gives way.
      await other.query(lock(1))
      await other.query('commit')
      await written
    } finally {
      other.release(true)
    }
    const { nodes, tests } = await store.read(
      { ...NOTHING, nodes: ['1'], tests: [{ source: '3', name: 'likes', target: '2' }] },
      OPTIONS,
    )
    expect([nodes, tests]).toEqual([[undefined], [true]])
  })
})

describe('missing tables', () => {
  it('are a fault of the store, with what the server said as its cause', async () => {
    const { store, schema } = await opened()
    await pool.query(`drop table "${schema}".edge_counts`)
    const fault = await faultOf(store.read({ ...NOTHING, ranges: [rangeOf('1', 'likes')] }, OPTIONS))
    expect(fault.data.reason).toBe('store_fault')
    expect(fault.cause).toMatchObject({ code: '42P01' })
    await expect(readNode(store, '1')).resolves.toBeUndefined()
  })
})

describe('a server restarted under load', () => {
  it('loses nothing that was acknowledged, and tears nothing that was not', async () => {
    const { store } = await opened()
    const acknowledged: number[] = []
    const faults: GraphError[] = []
    let done = false
    const pair = (n: number) => [`${2 * n + 1}`, `${2 * n + 2}`]
    const writer = async (first: number): Promise<void> => {
      for (let n = first; !done; n += 4) {
        const [source = '', target = ''] = pair(n)
        const written = store.write([...putNodes(source, target), putEdge(source, 'likes', target)], OPTIONS)
        const fault = await Promise.resolve(written).then(() => undefined, faultOfCause)
        if (fault === undefined) acknowledged.push(n)
        else faults.push(fault)
        if (fault) await new Promise(resolve => setTimeout(resolve, 20))
      }
    }
    const writers = [0, 1, 2, 3].map(writer)
    await until(async () => acknowledged.length > 50)
    await server.restart()
    const before = acknowledged.length
    await until(async () => acknowledged.length > before + 50)
    done = true
    await Promise.all(writers)

    expect(new Set(faults.map(fault => fault.data.reason))).toEqual(new Set(['store_fault']))
    expect(faults.every(fault => fault.cause instanceof Error)).toBe(true)
    const last = Math.max(...acknowledged)
    const all = Array.from({ length: last + 1 }, (_, n) => pair(n))
    const { nodes, tests } = await store.read(
      {
        ...NOTHING,
        nodes: all.flat(),
        tests: all.map(([source = '', target = '']) => ({ source, name: 'likes', target })),
      },
      OPTIONS,
    )
    const whole = all.map((_, n) => [nodes[2 * n] !== undefined, nodes[2 * n + 1] !== undefined, tests[n]])
    expect(whole.filter(parts => new Set(parts).size > 1)).toEqual([])
    expect(acknowledged.filter(n => tests[n] !== true)).toEqual([])
  })
})

const faultOfCause = (cause: unknown): GraphError => {
  if (!isGraphError(cause)) throw cause
  return cause
}
