import { createPostgresStore, type PostgresQuery } from 'kithgraph/postgres'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { WRITE_SETTINGS } from '../../src/stores/postgres/database.ts'
import { createRange, createToken, putEdge, putNode } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { createPool } from '../helpers/watched-clients.ts'

const SCHEMA = 'hub'
const HUB_EDGE_COUNT = process.env.KITHGRAPH_LONG ? 500_000 : 50_000
const OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }

let server: PostgresServer
let pool: pg.Pool
beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool()
  await pool.query('alter system set autovacuum = off')
  await pool.query('select pg_reload_conf()')
  await createPostgresStore(pool, { schema: SCHEMA }).open()
  await fillTables()
})
afterAll(() => server?.stop())

/** Adds a node with many edges in both directions, without statistics. */
const fillTables = async (): Promise<void> => {
  for (const sql of [
    `insert into hub.nodes select id, 'user', '{}' from generate_series(1, ${HUB_EDGE_COUNT}) id`,
    `insert into hub.edges select 1, id, id, 'likes', null::json from generate_series(2, ${HUB_EDGE_COUNT}) id`,
    `insert into hub.edges select id, 1, id, 'fans', null::json from generate_series(2, ${HUB_EDGE_COUNT}) id`,
    'insert into hub.edge_sources select target, source, name from hub.edges',
    'insert into hub.edge_counts select source, count(*), 0, name from hub.edges group by source, name',
  ])
    await pool.query(sql)
}

/** Runs calls of a store, and returns their statements. */
const collectStatements = async (
  call: (store: ReturnType<typeof createPostgresStore>) => unknown,
): Promise<readonly PostgresQuery[]> => {
  const statements: PostgresQuery[] = []
  const recording = createPool(async () => {
    const client = await pool.connect()
    return {
      query: query => {
        if (query.values !== undefined) statements.push(query)
        return client.query(query)
      },
      on: (event, listener) => client.on(event, listener),
      off: (event, listener) => client.off(event, listener),
      release: destroy => client.release(destroy),
    }
  })
  await call(createPostgresStore(recording, { schema: SCHEMA }))
  return statements
}

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }

const collectPlans = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(collectPlans)]

/** Explains a statement for its values, and for any values. */
const explain = async (client: pg.PoolClient, { text, values = [] }: PostgresQuery): Promise<Plan[]> => {
  const custom = await client.query(`explain (format json) ${text}`, values)
  await client.query(`set local plan_cache_mode = force_generic_plan; prepare explained as ${text}`)
  const generic = await client.query(
    `explain (format json) execute explained (${values.map(() => 'null').join(', ')})`,
  )
  await client.query('deallocate explained; set local plan_cache_mode = auto')
  return [custom, generic].flatMap(({ rows }) => collectPlans(rows[0]['QUERY PLAN'][0].Plan))
}

/** Returns the parts of the plans that read a table without a condition on an index. */
const findTableScans = async (statements: readonly PostgresQuery[], settings: string) => {
  const client = await pool.connect()
  try {
    await client.query(`begin; ${settings}`)
    const plans: Plan[] = []
    for (const statement of statements) plans.push(...(await explain(client, statement)))
    expect(plans.length).toBeGreaterThan(statements.length)
    return plans.filter(
      plan => plan['Node Type'] === 'Seq Scan' || (/^Index/.test(plan['Node Type']) && !plan['Index Cond']),
    )
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe(`the statements of a Postgres store without statistics, with a list of ${HUB_EDGE_COUNT} edges`, () => {
  it('find all rows of writes by indexes, for their values and for any values', async () => {
    const statements = await collectStatements(async store => {
      await store.write(
        [
          putNode('9000001'),
          { op: 'patchNode', id: '7', fields: { name: 'Ada' } },
          { op: 'deleteNode', id: '8' },
          { op: 'deleteEdge', edge: { source: '1', name: 'likes', target: '9' } },
          putEdge('1', 'likes', '9000001', 0),
          { op: 'putToken', digest: 'abc', token: createToken('demo') },
          { op: 'deleteToken', digest: 'def' },
        ],
        { signal: undefined },
      )
      // Batches with one kind of mutation have statements of their own.
      for (const mutation of [
        putNode('9000001'),
        { op: 'patchNode', id: '7', fields: { name: 'Grace' } },
        { op: 'deleteNode', id: '9000002' },
        putEdge('1', 'likes', '9000001', 0),
        { op: 'deleteEdge', edge: { source: '1', name: 'likes', target: '10' } },
      ] satisfies StoreMutation[])
        await store.write([mutation], { signal: undefined })
      const batch = { id: 'a', digest: 'b', keepMs: 1000 }
      const conditional: StoreMutation = {
        op: 'putEdge',
        edge: { source: '1', name: 'likes', target: '11', time: 0 },
        when: { exists: true },
      }
      // The second write finds the id of the first one.
      for (const _ of [1, 2]) await store.write([conditional], { signal: undefined, batch })
    })
    expect(statements.length).toBeGreaterThan(19)
    expect(await findTableScans(statements, WRITE_SETTINGS)).toEqual([])
  })

  it('find all rows of reads by indexes, for their values and for any values', async () => {
    const statements = await collectStatements(store =>
      store.read(
        {
          ...EMPTY_REQUEST,
          nodes: ['1', '2', '3'],
          ranges: [createRange('1', 'likes', { limit: 25 }), createRange('5', 'fans', { limit: 25 })],
          checks: [{ source: '1', name: 'likes', target: '5' }],
          tokens: ['abc'],
        },
        OPTIONS,
      ),
    )
    expect(statements).toHaveLength(4)
    expect(await findTableScans(statements, '')).toEqual([])
  })
})
