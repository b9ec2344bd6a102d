import fc from 'fast-check'
import { createTableStore } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { createAgreement, createPolicyAgreement } from '../helpers/table-worlds/agreement.ts'
import { createWorldTables } from '../helpers/table-worlds/ddl.ts'
import { describeSchema } from '../helpers/table-worlds/describe-schema.ts'
import { fillPostgres } from '../helpers/table-worlds/fill.ts'
import { defineWorld } from '../helpers/table-worlds/graph.ts'
import { readPostgresRanks } from '../helpers/table-worlds/ranks.ts'
import { propertySettings } from '../property/property-settings.ts'

let server: PostgresServer
let admin: pg.Pool

beforeAll(async () => {
  server = await startPostgres()
  admin = server.pool()
  const { rows } = await admin.query(`select to_regcollation('"en_US.utf8"') is not null as "hasLanguages"`)
  // A machine without languages has those of ICU. This one sorts 9 before 10.
  const language =
    rows[0]?.hasLanguages === true ? `from "en_US.utf8"` : `(provider = icu, locale = 'en-US-u-kn')`
  await admin.query(`
create collation public.blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create collation public.language ${language}`)
})
afterAll(() => server.stop())

const IDLE_TIMEOUT_MS = 500

/** Settings with which the server joins and sorts in other ways, and in parallel: none may change the order of a page. */
const WITHOUT_LOOPS = '-c enable_nestloop=off -c enable_seqscan=off -c enable_material=off'
const WITHOUT_INDEXES =
  '-c enable_indexscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_memoize=off'
const PARALLEL =
  '-c debug_parallel_query=on -c parallel_setup_cost=0 -c parallel_tuple_cost=0 -c min_parallel_table_scan_size=0'

/** Collations, and settings of the connections that read their texts. */
const PLACES = [
  { name: 'of the database', collation: 'pg_catalog."default"', options: '' },
  {
    name: 'C',
    collation: 'pg_catalog."C"',
    options: `-c TimeZone=Asia/Kolkata -c DateStyle=German ${WITHOUT_LOOPS}`,
  },
  {
    name: 'of ICU',
    collation: 'pg_catalog."und-x-icu"',
    options: `-c TimeZone=America/St_Johns -c DateStyle=SQL,DMY ${PARALLEL}`,
  },
  {
    name: 'of ICU that ignores case',
    collation: 'public.blind',
    options: '-c TimeZone=Pacific/Apia -c DateStyle=Postgres,MDY -c IntervalStyle=sql_standard',
  },
  {
    name: 'of a language',
    collation: 'public.language',
    options: `-c TimeZone=Europe/Paris -c extra_float_digits=0 -c bytea_output=escape ${WITHOUT_INDEXES}`,
  },
] as const

describe.each(PLACES)('a graph over tables of Postgres in the collation $name', ({ collation, options }) => {
  it.each([
    ['without policies', false],
    ['under policies of every type', true],
  ])('has the same results as over a model of the same rows, %s', async (_, hasPolicies) => {
    const number = PLACES.findIndex(one => one.collation === collation)
    const schema = `worlds_${number}_${hasPolicies}`
    // The connections of the ten pools close when they are idle, since the server accepts few.
    const setup = server.pool({ max: 1, idleTimeoutMillis: IDLE_TIMEOUT_MS })
    await setup.query(createWorldTables({ dialect: 'postgres', schema, collation }))
    const world = defineWorld(await describeSchema(setup, schema), { hasPolicies })
    const agreement = createAgreement(world, {
      store: createTableStore(server.pool({ options, max: 3, idleTimeoutMillis: IDLE_TIMEOUT_MS }), {
        tables: world.tables,
      }),
      fill: rows => fillPostgres(admin, schema, rows),
      rankOf: await readPostgresRanks(admin, collation),
    })
    await fc.assert(agreement, propertySettings(5, 300))
  })

  it('has the same results as over a model of the same rows, under any policies of ready-made rules', async () => {
    const schema = `policies_${PLACES.findIndex(one => one.collation === collation)}`
    const setup = server.pool({ max: 1, idleTimeoutMillis: IDLE_TIMEOUT_MS })
    await setup.query(createWorldTables({ dialect: 'postgres', schema, collation }))
    const description = await describeSchema(setup, schema)
    const pool = server.pool({ options, max: 3, idleTimeoutMillis: IDLE_TIMEOUT_MS })
    const agreement = createPolicyAgreement({
      define: policies => defineWorld(description, { hasPolicies: true, policies }),
      createStore: tables => createTableStore(pool, { tables }),
      fill: rows => fillPostgres(admin, schema, rows),
      rankOf: await readPostgresRanks(admin, collation),
    })
    await fc.assert(agreement, propertySettings(10, 500))
  })
})
