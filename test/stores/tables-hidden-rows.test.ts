import fc from 'fast-check'
import { createTableStore, type DatabaseDescription, type TableStoreOptions } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAppIdOptions } from '../helpers/app-id-options.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { createCallers } from '../helpers/table-worlds/compare.ts'
import { createWorldTables, protectWorldTables, WORLD_TABLES } from '../helpers/table-worlds/ddl.ts'
import { describeSchema } from '../helpers/table-worlds/describe-schema.ts'
import { fillPostgres } from '../helpers/table-worlds/fill.ts'
import { defineWorld, type WorldGraphOptions } from '../helpers/table-worlds/graph.ts'
import { createCursorMaker } from '../helpers/table-worlds/made-up-cursors.ts'
import { type TableWorld, TENANTS } from '../helpers/table-worlds/rows.ts'
import { createSecrecyLaw } from '../helpers/table-worlds/secrecy.ts'
import { assertReaching, propertySettings } from '../property/property-settings.ts'

const SCHEMA = 'worlds'
/** A few hidden rows, if they counted, would exceed this limit. */
const SCAN_LIMIT = 6
const [TENANT, OTHER_TENANT] = TENANTS
const APP = 'laws'

let server: PostgresServer
let admin: pg.Pool
let description: DatabaseDescription

beforeAll(async () => {
  server = await startPostgres()
  admin = server.pool()
  const setup = server.pool({ max: 1 })
  await setup.query(createWorldTables({ dialect: 'postgres', schema: SCHEMA, collation: 'pg_catalog."C"' }))
  await setup.query(
    `create role reader; grant usage on schema ${SCHEMA} to reader; ${protectWorldTables('reader')}`,
  )
  description = await describeSchema(setup, SCHEMA)
})
afterAll(() => server.stop())

const ROW_SECURITY = {
  rowSecurity: WORLD_TABLES,
  settings: session => ({ role: 'reader', 'app.tenant': `${session?.claims?.tenant}` }),
} as const satisfies Partial<TableStoreOptions>

const fill = (world: TableWorld): Promise<void> => fillPostgres(admin, SCHEMA, world)

/** Gives the rows of the other tenant values that an expression could fail on. */
const fillExtremes = async (world: TableWorld): Promise<void> => {
  await fill(world)
  const others = WORLD_TABLES.map(
    table => `update ${SCHEMA}.${table} set created_at = 'infinity' where tenant = ${OTHER_TENANT};`,
  )
  await admin.query(`${others.join('\n')}
    update ${SCHEMA}.photo set taken_at = '4713-01-01 BC', rating = 'NaN', title = repeat('日', 10000)
    where tenant = ${OTHER_TENANT}`)
}

const openWorld = (options: WorldGraphOptions) => {
  const { schema, tables } = defineWorld(description, options)
  const settings = options.hasRowSecurity === true ? ROW_SECURITY : {}
  const store = createTableStore(server.pool(), { tables, ...settings })
  return { model: tables['~model'], schema, store }
}

/** Opens a graph, and creates its law for cursors that a caller makes up. */
const createMadeUpLaw = (
  options: WorldGraphOptions,
  fillWorld: typeof fill,
  onText?: (text: string) => void,
) => {
  const { model, schema, store } = openWorld(options)
  return createSecrecyLaw(model, {
    fill: fillWorld,
    callerOf: createCallers(schema, store, { scan: SCAN_LIMIT }),
    makeCursor: createCursorMaker(defineWorld(description, { ...options, hasPolicies: false })),
    onText,
  })
}

describe('two databases that differ only in rows of another tenant', () => {
  it.each([
    { hiddenBy: 'where', hasPolicies: false, values: 'like those of others', fillWorld: fill },
    { hiddenBy: 'where', hasPolicies: true, values: 'like those of others', fillWorld: fill },
    { hiddenBy: 'where', hasPolicies: true, values: 'at the limits of their types', fillWorld: fillExtremes },
    { hiddenBy: 'row-level security', hasPolicies: false, values: 'like those of others', fillWorld: fill },
    { hiddenBy: 'row-level security', hasPolicies: true, values: 'like those of others', fillWorld: fill },
    {
      hiddenBy: 'row-level security',
      hasPolicies: true,
      values: 'at the limits of their types',
      fillWorld: fillExtremes,
    },
  ])(
    'give the same bytes for cursors that a caller makes up: hidden by $hiddenBy, with policies $hasPolicies, hidden values $values',
    async ({ hiddenBy, hasPolicies, fillWorld }) => {
      let pages = 0
      const options = { hasPolicies, hasRowSecurity: hiddenBy === 'row-level security' }
      const law = createMadeUpLaw(options, fillWorld, text => {
        if (text.includes('"paging":{')) pages++
      })
      await assertReaching(law, propertySettings(10, 500), () => pages > 10)
    },
  )

  it.each([
    { of: 'the other tenant', tenant: OTHER_TENANT, app: APP },
    { of: 'another app', tenant: TENANT, app: 'other' },
    { of: 'another app of the other tenant', tenant: OTHER_TENANT, app: 'other' },
  ])(
    'give the same bytes for cursors of app-scoped ids that a session of $of received',
    async ({ tenant, app }) => {
      const { appIds } = createAppIdOptions()
      const toPublic = (id: string, app: string): string =>
        /^(?:account|photo)-/.test(id) ? appIds.forApp(app).toPublic(id) : id
      const { model, schema, store } = openWorld({
        hasPolicies: false,
        hasRowSecurity: true,
        hasAppIds: true,
      })
      const callerOf = createCallers(schema, store, { appIds })
      let pages = 0
      const law = createSecrecyLaw(model, {
        fill,
        callerOf,
        toPublic: id => toPublic(id, APP),
        makeCursor: async ({ call: { id, edge, order, parameters }, position: { time } }) => {
          const { graph, session } = callerOf({ viewer: 1, tenant, app })
          const options = { id: toPublic(id, app), edge, order, parameters, limit: 1 + (time % 3) }
          const page = await graph.getEdge(session, options).catch(() => undefined)
          return page?.paging?.cursors.after ?? ''
        },
        onText: text => {
          if (text.includes('"paging":{')) pages++
        },
      })
      await assertReaching(law, propertySettings(10, 500), () => pages > 0)
    },
  )

  it('do not give the same bytes without the condition that hides the rows', async () => {
    const law = createMadeUpLaw({ hasPolicies: false, without: 'tenants' }, fill)
    const { failed } = await fc.check(law, { ...propertySettings(100), endOnFailure: true })
    expect(failed).toBe(true)
  })
})
