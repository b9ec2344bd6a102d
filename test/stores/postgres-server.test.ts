import fc from 'fast-check'
import { createMemoryStore } from 'kithgraph/memory'
import { createPostgresStore, type PostgresPoolClient, type PostgresQuery } from 'kithgraph/postgres'
import { arbitraries } from 'kithgraph/testing'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGraphError } from '../../src/base/errors.ts'
import type { EdgeRange, ReadAhead } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { ID_COLUMNS } from '../../src/stores/postgres/id-column.ts'
import { createReadStatements } from '../../src/stores/postgres/read-statements.ts'
import { createRange, createToken, putEdge, putNode, putNodes } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { readDumpLines } from '../helpers/read-dump-lines.ts'
import { createPool } from '../helpers/watched-clients.ts'

const OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
const LONG = process.env.KITHGRAPH_LONG !== undefined

let server: PostgresServer
let pool: pg.Pool
let schemas = 0

beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool({ max: 16, options: '-c deadlock_timeout=50ms' })
})
afterAll(() => server?.stop())

const openStore = async (schema = `fresh_${++schemas}`) => {
  const store = createPostgresStore(pool, { schema })
  await store.open()
  return { store, schema }
}

/** Wraps a client, and reports each of its statements. */
const watchClient = (
  client: pg.PoolClient,
  onStatement: () => void,
  releases = true,
): PostgresPoolClient => ({
  query: query => {
    onStatement()
    return client.query(query)
  },
  on: (event, listener) => client.on(event, listener),
  off: (event, listener) => client.off(event, listener),
  release: destroy => {
    if (releases) client.release(destroy)
  },
})

/** Returns the first column of the rows of a statement. */
const queryColumn = async (text: string): Promise<unknown[]> =>
  (await pool.query({ text, rowMode: 'array' })).rows.map(([value]) => value)

/** Finds rows that contradict each other, which only a partly applied write can leave. */
const findTornWrites = async (schema: string): Promise<unknown[]> => [
  ...(await queryColumn(`
    select format('edge of no node: %s', edge) from ${schema}.edges as edge
    where not exists (select from ${schema}.nodes where id = source)
       or not exists (select from ${schema}.nodes where id = target)`)),
  ...(await queryColumn(`
    select format('edge without its reverse, or the other way round: %s %s %s', source, name, target)
    from ${schema}.edges full join ${schema}.edge_sources using (source, name, target)
    where edges.time is null or not exists (
      select from ${schema}.edge_sources as entry
      where entry.source = edges.source and entry.name = edges.name and entry.target = edges.target)`)),
  ...(await queryColumn(`
    select format('wrong count: %s %s', source, name)
    from (select source, name, count(*) from ${schema}.edges group by source, name) as edges
    full join (select source, name, sum(count) from ${schema}.edge_counts group by source, name) as counts
      using (source, name)
    where coalesce(edges.count, 0) <> coalesce(counts.sum, 0)`)),
]

describe('the statements of a Postgres read', () => {
  type Plan = { 'Relation Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }

  const collectScans = (plan: Plan): Plan[] => [
    ...(plan['Relation Name'] === undefined ? [] : [plan]),
    ...(plan.Plans ?? []).flatMap(collectScans),
  ]

  /** The first column of the key of each table. A table can be distributed by it. */
  const KEYS: { readonly [table: string]: string } = {
    nodes: 'id',
    edges: 'source',
    edge_counts: 'source',
    tokens: 'digest',
  }

  const LIST = { kind: 'list', name: 'photos', direction: 'newest', limit: 3, count: true } as const
  const AHEAD: ReadAhead = new Map([
    ['user', [{ ...LIST, ahead: new Map([['photo', [{ kind: 'ref', field: 'from' }]]]) }]],
  ])

  it('find rows by the first column of the key of each table, even with a generic plan', async () => {
    const { schema } = await openStore()
    const client = await pool.connect()
    try {
      await client.query(
        'begin; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off; set local enable_bitmapscan = off',
      )
      // Whether there is any node does not depend on a key.
      const {
        selectFlags: _,
        nodeAhead,
        nodesAhead,
        rangesAhead,
        ...statements
      } = createReadStatements(schema, ID_COLUMNS.digits)
      const withAhead = [nodeAhead, nodesAhead, rangesAhead].map(ahead => ahead.get(AHEAD).statement)
      for (const { text } of [...Object.values(statements), ...withAhead]) {
        const parameters = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(match => Number(match[1])))
        await client.query(`prepare measured as ${text}`)
        const nulls = Array.from({ length: parameters }, () => 'null').join(', ')
        const { rows } = await client.query(`explain (format json) execute measured (${nulls})`)
        await client.query('deallocate measured')
        const scans = collectScans(rows[0]['QUERY PLAN'][0].Plan)
        expect(scans.length).toBeGreaterThan(0)
        for (const scan of scans) {
          const key = KEYS[scan['Relation Name'] ?? '']
          expect(scan['Index Cond'], JSON.stringify(scan)).toMatch(new RegExp(`^\\(+${key} = `))
        }
      }
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  it('have a generic plan for tokens, one node and reads ahead, so that Postgres does not plan each execution', async () => {
    const { schema } = await openStore()
    const client = await pool.connect()
    try {
      const store = createPostgresStore(
        createPool(async () => watchClient(client, () => {}, false)),
        { schema },
      )
      for (let count = 0; count < 10; count++)
        for (const request of [
          { tokens: ['a', 'b'] },
          { nodes: ['1'] },
          { nodes: ['1'], nodesAhead: [AHEAD] },
          { nodes: ['1', '2'], nodesAhead: [AHEAD, AHEAD] },
        ])
          await store.read({ ...EMPTY_REQUEST, ...request }, OPTIONS)
      const { rows } = await client.query({
        text: `select custom_plans, generic_plans from pg_prepared_statements where name like 'kithgraph % of ${schema}' order by generic_plans desc`,
        rowMode: 'array',
      })
      expect(rows.map(row => row.map(Number))).toEqual([
        [5, 5],
        [5, 5],
        [5, 4],
        [5, 4],
      ])
    } finally {
      client.release()
    }
  })

  it('are one for each non-empty part of the request, and none for an empty request', async () => {
    const { schema } = await openStore()
    let sent = 0
    const counted = createPool(async () => watchClient(await pool.connect(), () => sent++))
    const store = createPostgresStore(counted, { schema })
    const request = {
      nodes: ['1', '2', '3'],
      ranges: ['1', '2', '3'].map(id => createRange(id, 'likes')),
      checks: ['1', '2', '3'].map(source => ({ source, name: 'likes', target: '1' })),
      tokens: ['a', 'b'],
    }
    const sentFor = async (parts: Partial<typeof request>): Promise<number> => {
      sent = 0
      await store.read({ ...EMPTY_REQUEST, ...parts }, OPTIONS)
      return sent
    }
    expect(await sentFor({})).toBe(0)
    expect(await sentFor({ nodes: request.nodes })).toBe(1)
    expect(await sentFor({ ranges: request.ranges, checks: request.checks })).toBe(2)
    expect(await sentFor(request)).toBe(4)
  })

  it('read at most one row beyond the limit of each range', async () => {
    const { store, schema } = await openStore()
    const ids = Array.from({ length: 2000 }, (_, index) => `${index + 2}`)
    await store.write(
      [...putNodes('1', ...ids), ...ids.map((id, time) => putEdge('1', 'likes', id, time))],
      OPTIONS,
    )
    await pool.query(`analyze ${schema}.edges`)
    const ranges: EdgeRange[] = [
      createRange('1', 'likes', { limit: 25, direction: 'newest' }),
      createRange('1', 'likes', { limit: 25, from: { time: 1000, target: '1' } }),
    ]
    const client = await pool.connect()
    const read = () =>
      client
        .query(`select idx_tup_read from pg_stat_user_indexes
          where schemaname = '${schema}' and indexrelname = 'edges_in_order'`)
        .then(({ rows }) => Number(rows[0].idx_tup_read))
    try {
      await client.query('select pg_stat_force_next_flush()')
      const before = await read()
      // A connection flushes only its own statistics, so the store must use this connection.
      const narrow = createPostgresStore(
        createPool(async () => watchClient(client, () => {}, false)),
        { schema },
      )
      await narrow.read({ ...EMPTY_REQUEST, ranges }, OPTIONS)
      await client.query('select pg_stat_force_next_flush()')
      expect((await read()) - before).toBe(52)
    } finally {
      client.release()
    }
  })
})

describe('concurrent writers on Postgres', () => {
  it('leave no edge that is partly written, without its nodes or counted wrongly', async () => {
    const { mutation } = arbitraries(fc)
    const batches = fc.array(fc.array(mutation, { minLength: 1, maxLength: 6 }), {
      minLength: 40,
      maxLength: 40,
    })
    const nodes = putNodes('1', '2', '9', '10', '11', '100')
    await fc.assert(
      fc.asyncProperty(batches, async batches => {
        const { store, schema } = await openStore()
        await store.write(nodes, OPTIONS)
        const outcomes = await Promise.allSettled(batches.map(batch => store.write(batch, OPTIONS)))
        for (const outcome of outcomes)
          if (outcome.status === 'rejected')
            expect(isGraphError(outcome.reason) && outcome.reason.reason, String(outcome.reason)).toBe(
              'invalid_mutation',
            )
        expect(await findTornWrites(schema)).toEqual([])
      }),
      { numRuns: LONG ? 200 : 5 },
    )
  })

  it('spread the count of one list over at most 16 rows', async () => {
    const { store, schema } = await openStore()
    const ids = Array.from({ length: 200 }, (_, index) => `${index + 2}`)
    await store.write(putNodes('1', ...ids), OPTIONS)
    await Promise.all(ids.map((id, time) => store.write([putEdge('1', 'likes', id, time)], OPTIONS)))
    const gone = ids.slice(0, 50)
    await Promise.all(
      gone.map(target =>
        store.write([{ op: 'deleteEdge', edge: { source: '1', name: 'likes', target } }], OPTIONS),
      ),
    )
    const { ranges } = await store.read(
      { ...EMPTY_REQUEST, ranges: [createRange('1', 'likes', { limit: 0 })] },
      OPTIONS,
    )
    expect(ranges[0]?.total).toBe(150)
    const [rows] = await queryColumn(`select count(*)::int from ${schema}.edge_counts`)
    expect(rows).toBeLessThanOrEqual(16)
  })

  it('fail if they put a node with another type than the first writer', async () => {
    const { store } = await openStore()
    const put = (type: string): StoreMutation => putNode('1', {}, type)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => store.write([put(`type ${index % 2}`)], OPTIONS)),
    )
    expect(outcomes.filter(outcome => outcome.status === 'fulfilled').length).toBe(4)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason.data).toMatchObject({ path: 'node.type' })
  })
})

describe('the dump of a Postgres store', () => {
  const ids = Array.from({ length: 2500 }, (_, index) => `${index + 1}`)
  const mutations: readonly StoreMutation[] = [
    ...putNodes(...ids),
    putNode('9223372036854775807', { text: '\n\u0000\ufeff', ['__proto__']: 1 }, 'a\\"\u0000'),
    ...ids.map((id, index) => putEdge('1', 'likes', id, (index % 3) - 1)),
    ...ids.map(id => putEdge(id, '\ufeff\\0', '1', -8.64e15, { since: null })),
    { op: 'putToken', digest: 'digest', token: createToken('app') },
  ]
  const linesInMemory = (): Promise<readonly string[]> => {
    const memory = createMemoryStore()
    memory.write(mutations)
    return readDumpLines(memory.dump())
  }

  it('has all nodes and then all edges at the time of the call, page by page', async () => {
    const { store } = await openStore()
    await store.write(mutations, OPTIONS)
    const dump = await store.dump()
    await store.write([{ op: 'deleteNode', id: '1' }, putNode('9')], OPTIONS)
    const lines: string[] = []
    for await (const line of dump) {
      if (lines.length === 1) await store.write([{ op: 'deleteNode', id: '2500' }], OPTIONS)
      lines.push(line)
    }
    const firstEdge = lines.findIndex(line => line.startsWith('{"edge"'))
    expect(firstEdge).toBe(ids.length + 1)
    expect(lines.sort()).toEqual(await linesInMemory())
  })

  it('reads each page from the end of the previous one, without sorting a table', async () => {
    const { schema } = await openStore()
    await pool.query(`
      insert into ${schema}.nodes select id, 'thing', '{}' from generate_series(1, 20000) as id;
      insert into ${schema}.edges select id, 1, 0, 'likes', null from generate_series(1, 20000) as id`)
    const client = await pool.connect()
    const plans: string[] = []
    const explain = async ({ text, values = [] }: PostgresQuery): Promise<void> => {
      const { rows } = await client.query({ text: `explain ${text}`, values, rowMode: 'array' })
      plans.push(rows.flat().join('\n'))
    }
    const explained = createPool(async () => ({
      ...watchClient(client, () => {}, false),
      query: async query => {
        if (query.text.includes('order by')) await explain(query)
        return client.query(query)
      },
    }))
    try {
      await readDumpLines(createPostgresStore(explained, { schema }).dump())
    } finally {
      client.release()
    }
    expect(
      plans.length,
      'sizes and records of 20 pages of each table, and the sizes of an empty last page',
    ).toBe(2 * 41)
    expect(plans.filter(plan => plan.includes('Sort'))).toEqual([])
  })

  it('releases its connection after it is read, or if reading stops', async () => {
    const { store, schema } = await openStore()
    await store.write(mutations, OPTIONS)
    const single = createPostgresStore(server.pool({ max: 1, connectionTimeoutMillis: 1000 }), { schema })
    for await (const _ of await single.dump()) break
    await (await single.dump())[Symbol.asyncIterator]().return?.()
    await readDumpLines(single.dump())
    await readDumpLines(single.dump())
  })

  it('fails if the server ends its connection', async () => {
    const { store } = await openStore()
    await store.write(mutations, OPTIONS)
    const lines = (await store.dump())[Symbol.asyncIterator]()
    await lines.next()
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'`,
    )
    const readOn = async (): Promise<void> => {
      while (!(await lines.next()).done);
    }
    await expect(readOn()).rejects.toThrow()
  })
})

describe('opening a Postgres store', () => {
  it('creates the tables once if 8 stores open at the same time', async () => {
    const stores = Array.from({ length: 8 }, () => createPostgresStore(pool, { schema: 'together' }))
    await Promise.all(stores.map(store => store.open()))
    expect(await queryColumn('select version from together.versions')).toEqual([1, 2, 3])
  })

  it('leaves existing data unchanged', async () => {
    const { store, schema } = await openStore()
    await store.write(putNodes('1'), OPTIONS)
    const again = await openStore(schema)
    const { nodes } = await again.store.read({ ...EMPTY_REQUEST, nodes: ['1'] }, OPTIONS)
    expect(nodes[0]?.type).toBe('thing')
  })

  it('needs no permission to create tables if they exist', async () => {
    const { schema } = await openStore()
    await pool.query(`create role reader login password 'reader'; grant usage on schema ${schema} to reader;
      grant select on all tables in schema ${schema} to reader`)
    const store = createPostgresStore(server.pool({ user: 'reader', password: 'reader' }), { schema })
    await store.open()
    await expect(store.read({ ...EMPTY_REQUEST, nodes: ['1'] }, OPTIONS)).resolves.toMatchObject({
      nodes: [undefined],
    })
  })

  it('rejects tables of a newer version', async () => {
    const { schema } = await openStore()
    await pool.query(`insert into ${schema}.versions (version) values (99)`)
    await expect(openStore(schema)).rejects.toThrow(
      `the Postgres schema "${schema}": expected tables of version 3 or older; received version 99 of a newer library`,
    )
  })
})
