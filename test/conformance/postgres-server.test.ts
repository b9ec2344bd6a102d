import fc from 'fast-check'
import { createMemoryStore } from 'kithgraph/memory'
import {
  createPostgresStore,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQuery,
} from 'kithgraph/postgres'
import { arbitraries } from 'kithgraph/testing'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGraphError } from '../../src/base/faults.ts'
import type { EdgeRange, Mutation } from '../../src/store/contract.ts'
import { NOTHING } from '../../src/store/nothing.ts'
import { readStatements } from '../../src/stores/postgres/statements.ts'
import { putEdge, putNode, putNodes, rangeOf, tokenOf } from '../../src/testing/records.ts'
import { dumpedLines } from '../helpers/dumped-lines.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const OPTIONS = { signal: undefined, deadline: undefined, atLeast: undefined }
const LONG = process.env.KITHGRAPH_LONG !== undefined

let server: PostgresServer
let pool: pg.Pool
let schemas = 0

beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool({ max: 16, options: '-c deadlock_timeout=50ms' })
})
afterAll(() => server?.stop())

const opened = async (schema = `fresh_${++schemas}`) => {
  const store = createPostgresStore(pool, { schema })
  await store.open()
  return { store, schema }
}

/** A client that tells of every statement that it is given. */
const watched = (client: pg.PoolClient, tell: () => void, releases = true): PostgresPoolClient => ({
  query: query => {
    tell()
    return client.query(query)
  },
  on: (event, listener) => client.on(event, listener),
  off: (event, listener) => client.off(event, listener),
  release: destroy => {
    if (releases) client.release(destroy)
  },
})

/** One column of the rows that a statement answers. */
const column = async (text: string): Promise<unknown[]> =>
  (await pool.query({ text, rowMode: 'array' })).rows.map(([value]) => value)

/** What can only be there where a write was torn. */
const tornIn = async (schema: string): Promise<unknown[]> => [
  ...(await column(`
    select format('edge of no node: %s', edge) from ${schema}.edges as edge
    where not exists (select from ${schema}.nodes where id = source)
       or not exists (select from ${schema}.nodes where id = target)`)),
  ...(await column(`
    select format('edge without its reverse, or the other way round: %s %s %s', source, name, target)
    from ${schema}.edges full join ${schema}.edge_sources using (source, name, target)
    where edges.time is null or not exists (
      select from ${schema}.edge_sources as entry
      where entry.source = edges.source and entry.name = edges.name and entry.target = edges.target)`)),
  ...(await column(`
    select format('wrong count: %s %s', source, name)
    from (select source, name, count(*) from ${schema}.edges group by source, name) as edges
    full join (select source, name, sum(count) from ${schema}.edge_counts group by source, name) as counts
      using (source, name)
    where coalesce(edges.count, 0) <> coalesce(counts.sum, 0)`)),
]

describe('the statements of a wave', () => {
  type Plan = { 'Relation Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }

  const scansOf = (plan: Plan): Plan[] => [
    ...(plan['Relation Name'] === undefined ? [] : [plan]),
    ...(plan.Plans ?? []).flatMap(scansOf),
  ]

  /** The column that each table would be distributed by: the first of its key. */
  const KEYS: { readonly [table: string]: string } = {
    nodes: 'id',
    edges: 'source',
    edge_counts: 'source',
    tokens: 'digest',
  }

  it('look into every table by the first column of its key, whatever the planner knows', async () => {
    const { schema } = await opened()
    const client = await pool.connect()
    try {
      await client.query(
        'begin; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off; set local enable_bitmapscan = off',
      )
      for (const { text } of Object.values(readStatements(schema))) {
        const parameters = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(match => Number(match[1])))
        await client.query(`prepare asked as ${text}`)
        const nulls = Array.from({ length: parameters }, () => 'null').join(', ')
        const { rows } = await client.query(`explain (format json) execute asked (${nulls})`)
        await client.query('deallocate asked')
        const scans = scansOf(rows[0]['QUERY PLAN'][0].Plan)
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

  it('are one for each part that asks something, and none for a wave of nothing', async () => {
    const { schema } = await opened()
    let sent = 0
    const counted: PostgresPool = {
      connect: async () => watched(await pool.connect(), () => sent++),
    }
    const store = createPostgresStore(counted, { schema })
    const wave = {
      nodes: ['1', '2', '3'],
      ranges: ['1', '2', '3'].map(id => rangeOf(id, 'likes')),
      tests: ['1', '2', '3'].map(source => ({ source, name: 'likes', target: '1' })),
      tokens: ['a', 'b'],
    }
    const sentFor = async (asked: Partial<typeof wave>): Promise<number> => {
      sent = 0
      await store.read({ ...NOTHING, ...asked }, OPTIONS)
      return sent
    }
    expect(await sentFor({})).toBe(0)
    expect(await sentFor({ nodes: wave.nodes })).toBe(1)
    expect(await sentFor({ ranges: wave.ranges, tests: wave.tests })).toBe(2)
    expect(await sentFor(wave)).toBe(4)
  })

  it('read no more than a row beyond the limit of each range, however long the list', async () => {
    const { store, schema } = await opened()
    const ids = Array.from({ length: 2000 }, (_, index) => `${index + 2}`)
    await store.write(
      [...putNodes('1', ...ids), ...ids.map((id, time) => putEdge('1', 'likes', id, time))],
      OPTIONS,
    )
    await pool.query(`analyze ${schema}.edges`)
    const ranges: EdgeRange[] = [
      rangeOf('1', 'likes', { limit: 25, direction: 'newest' }),
      rangeOf('1', 'likes', { limit: 25, from: { time: 1000, target: '1' } }),
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
      // The reads of a connection are counted when it says so: the store has to use this one.
      const narrow = createPostgresStore(
        { connect: async () => watched(client, () => {}, false) },
        { schema },
      )
      await narrow.read({ ...NOTHING, ranges }, OPTIONS)
      await client.query('select pg_stat_force_next_flush()')
      expect((await read()) - before).toBe(52)
    } finally {
      client.release()
    }
  })
})

describe('writers side by side', () => {
  it('leave no edge torn, dangling or miscounted, whatever they write', async () => {
    const { mutation } = arbitraries(fc)
    const batches = fc.array(fc.array(mutation, { minLength: 1, maxLength: 6 }), {
      minLength: 40,
      maxLength: 40,
    })
    const nodes = putNodes('1', '2', '9', '10', '11', '100')
    await fc.assert(
      fc.asyncProperty(batches, async batches => {
        const { store, schema } = await opened()
        await store.write(nodes, OPTIONS)
        const outcomes = await Promise.allSettled(batches.map(batch => store.write(batch, OPTIONS)))
        for (const outcome of outcomes)
          if (outcome.status === 'rejected')
            expect(isGraphError(outcome.reason) && outcome.reason.data.reason, String(outcome.reason)).toBe(
              'invalid_mutation',
            )
        expect(await tornIn(schema)).toEqual([])
      }),
      { numRuns: LONG ? 200 : 5 },
    )
  })

  it('count a list that all of them write in a few rows, which are summed', async () => {
    const { store, schema } = await opened()
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
      { ...NOTHING, ranges: [rangeOf('1', 'likes', { limit: 0 })] },
      OPTIONS,
    )
    expect(ranges[0]?.total).toBe(150)
    const [rows] = await column(`select count(*)::int from ${schema}.edge_counts`)
    expect(rows).toBeLessThanOrEqual(16)
  })

  it('agree on the type of a node that both put', async () => {
    const { store } = await opened()
    const put = (type: string): Mutation => putNode('1', {}, type)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => store.write([put(`type ${index % 2}`)], OPTIONS)),
    )
    expect(outcomes.filter(outcome => outcome.status === 'fulfilled').length).toBe(4)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason.data).toMatchObject({ path: 'node.type' })
  })
})

describe('the dump', () => {
  const ids = Array.from({ length: 2500 }, (_, index) => `${index + 1}`)
  const mutations: readonly Mutation[] = [
    ...putNodes(...ids),
    putNode('9223372036854775807', { text: '\n\u0000\ufeff', ['__proto__']: 1 }, 'a\\"\u0000'),
    ...ids.map((id, index) => putEdge('1', 'likes', id, (index % 3) - 1)),
    ...ids.map(id => putEdge(id, '\ufeff\\0', '1', -8.64e15, { since: null })),
    { op: 'putToken', digest: 'digest', token: tokenOf('app') },
  ]
  const linesInMemory = (): Promise<readonly string[]> => {
    const memory = createMemoryStore()
    memory.write(mutations)
    return dumpedLines(memory.dump())
  }

  it('is all nodes and then all edges, of the moment when it was taken, page by page', async () => {
    const { store } = await opened()
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

  it('reads each page from where the last one ended, and sorts no table for it, even one just loaded', async () => {
    const { schema } = await opened()
    await pool.query(`
      insert into ${schema}.nodes select id, 'thing', '{}' from generate_series(1, 20000) as id;
      insert into ${schema}.edges select id, 1, 0, 'likes', null from generate_series(1, 20000) as id`)
    const client = await pool.connect()
    const plans: string[] = []
    const explain = async ({ text, values = [] }: PostgresQuery): Promise<void> => {
      const { rows } = await client.query({ text: `explain ${text}`, values, rowMode: 'array' })
      plans.push(rows.flat().join('\n'))
    }
    const explained: PostgresPool = {
      connect: async () => ({
        ...watched(client, () => {}, false),
        query: async query => {
          if (query.text.includes('order by')) await explain(query)
          return client.query(query)
        },
      }),
    }
    try {
      await dumpedLines(createPostgresStore(explained, { schema }).dump())
    } finally {
      client.release()
    }
    expect(plans.length, 'twenty pages of each, and one that is empty').toBe(2 * 21)
    expect(plans.filter(plan => plan.includes('Sort'))).toEqual([])
  })

  it('gives its connection back when it was read, and when reading was broken off', async () => {
    const { store, schema } = await opened()
    await store.write(mutations, OPTIONS)
    const single = createPostgresStore(server.pool({ max: 1, connectionTimeoutMillis: 1000 }), { schema })
    for await (const _ of await single.dump()) break
    await (await single.dump())[Symbol.asyncIterator]().return?.()
    await dumpedLines(single.dump())
    await dumpedLines(single.dump())
  })

  it('fails where the server ends its connection', async () => {
    const { store } = await opened()
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

describe('open', () => {
  it('makes the tables once, however many processes start together', async () => {
    const stores = Array.from({ length: 8 }, () => createPostgresStore(pool, { schema: 'together' }))
    await Promise.all(stores.map(store => store.open()))
    expect(await column('select version from together.versions')).toEqual([1])
  })

  it('leaves what is there as it is', async () => {
    const { store, schema } = await opened()
    await store.write(putNodes('1'), OPTIONS)
    const again = await opened(schema)
    const { nodes } = await again.store.read({ ...NOTHING, nodes: ['1'] }, OPTIONS)
    expect(nodes[0]?.type).toBe('thing')
  })

  it('needs no right to create tables that are there', async () => {
    const { schema } = await opened()
    await pool.query(`create role reader login password 'reader'; grant usage on schema ${schema} to reader;
      grant select on all tables in schema ${schema} to reader`)
    const store = createPostgresStore(server.pool({ user: 'reader', password: 'reader' }), { schema })
    await store.open()
    await expect(store.read({ ...NOTHING, nodes: ['1'] }, OPTIONS)).resolves.toMatchObject({
      nodes: [undefined],
    })
  })

  it('refuses tables of a newer version', async () => {
    const { schema } = await opened()
    await pool.query(`insert into ${schema}.versions (version) values (99)`)
    await expect(opened(schema)).rejects.toThrow(
      `the Postgres schema "${schema}": expected tables of version 1 or older, came version 99 of a newer library`,
    )
  })
})
