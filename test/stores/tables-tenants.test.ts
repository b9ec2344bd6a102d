import fc from 'fast-check'
import { createTableStore } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFailingPool, type FailingPool } from '../helpers/failing-pool.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import type { Caller, Probe } from '../helpers/probes.ts'
import { worldProbes } from '../helpers/table-worlds/calls.ts'
import { createCallers, createReferenceStore, recordProbe } from '../helpers/table-worlds/compare.ts'
import { createWorldTables, protectWorldTables, WORLD_TABLES } from '../helpers/table-worlds/ddl.ts'
import { describeSchema } from '../helpers/table-worlds/describe-schema.ts'
import { fillPostgres } from '../helpers/table-worlds/fill.ts'
import { defineWorld, type WorldTables } from '../helpers/table-worlds/graph.ts'
import { loadWorld, type RankOf } from '../helpers/table-worlds/load.ts'
import { readPostgresRanks } from '../helpers/table-worlds/ranks.ts'
import { shareRows, type TableWorld, TENANTS, tableWorlds } from '../helpers/table-worlds/rows.ts'
import { propertySettings } from '../property/property-settings.ts'

const SCHEMA = 'worlds'
const VIEWER = 1
const COLLATION = 'pg_catalog."C"'

let server: PostgresServer
let admin: pg.Pool
let worldTables: WorldTables
let rankOf: RankOf
let failing: FailingPool
/** Callers over the only connection, by their tenants. */
let callers: ReturnType<typeof createCallers>

beforeAll(async () => {
  server = await startPostgres()
  admin = server.pool()
  const setup = server.pool({ max: 1 })
  await setup.query(createWorldTables({ dialect: 'postgres', schema: SCHEMA, collation: COLLATION }))
  await setup.query(
    `create role reader; grant usage on schema ${SCHEMA} to reader; ${protectWorldTables('reader')}`,
  )
  worldTables = defineWorld(await describeSchema(setup, SCHEMA), { hasPolicies: true, hasRowSecurity: true })
  rankOf = await readPostgresRanks(admin, COLLATION)
  failing = createFailingPool(server.pool({ max: 1 }), admin)
  const { schema, tables } = worldTables
  const store = createTableStore(failing, {
    tables,
    rowSecurity: WORLD_TABLES,
    settings: session => ({ role: 'reader', 'app.tenant': `${session?.claims?.tenant}` }),
  })
  callers = createCallers(schema, store)
})
afterAll(() => server.stop())

/** Returns callers over models of the rows of each tenant. */
const createExpectedCallers = (world: TableWorld): readonly Caller[] =>
  TENANTS.map(tenant => {
    const model = loadWorld(world, tenant, rankOf)
    return createCallers(
      worldTables.schema,
      createReferenceStore(() => model),
    )({ viewer: VIEWER, tenant })
  })

const failures = fc.record({
  /** The statement that fails: begin, settings, the check of the row-level security, a read, commit, or none. */
  statement: fc.integer({ min: 1, max: 8 }),
  kind: fc.constantFrom('error' as const, 'server' as const, 'error' as const, 'loss' as const),
})

const isStoreError = (text: string): boolean => text.includes('"reason":"store_error"')

describe('a graph over tables with row-level security, on one connection for two tenants', () => {
  it('returns the rows of the tenant of each call alone, wherever statements fail', async () => {
    let failed = 0
    await fc.assert(
      fc.asyncProperty(
        tableWorlds.map(shareRows),
        fc.array(failures, { minLength: 4, maxLength: 4 }),
        worldProbes(worldTables.tables['~model']),
        async (world, planned, probes) => {
          await fillPostgres(admin, SCHEMA, world)
          const expected = createExpectedCallers(world)
          const check = async (probe: Probe, index: number, canFail: boolean): Promise<void> => {
            const [tenant = 0] = TENANTS.slice(index)
            const [caller] = expected.slice(index)
            if (caller === undefined) throw new Error('no tenant')
            const received = await recordProbe(callers({ viewer: VIEWER, tenant }), probe)
            const failure = canFail ? received.findIndex(isStoreError) : -1
            if (failure >= 0) failed++
            const whole = await recordProbe(caller, probe)
            // After a failed page, other pages are read.
            const length = failure < 0 ? Number.POSITIVE_INFINITY : failure
            expect(received.slice(0, length)).toEqual(whole.slice(0, length))
          }
          for (const [index, probe] of probes.entries()) {
            const { statement, kind } = planned[index % planned.length] ?? { statement: 1, kind: 'error' }
            failing.failAt(statement, kind)
            await check(probe, index % 2, true)
            failing.stopFailing()
            // The next call on the connection is of the other tenant.
            await check(probe, 1 - (index % 2), false)
          }
        },
      ),
      propertySettings(12, 500),
    )
    expect(failed).toBeGreaterThan(5)
  })
})
