import fc from 'fast-check'
import { createTableStore } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { type Caller, captureText } from '../helpers/probes.ts'
import {
  churnCases,
  createReader,
  listStaying,
  readStaying,
  writesOf,
} from '../helpers/table-worlds/churn.ts'
import { createWorldTables } from '../helpers/table-worlds/ddl.ts'
import { describeSchema } from '../helpers/table-worlds/describe-schema.ts'
import { fillPostgres } from '../helpers/table-worlds/fill.ts'
import { defineWorld } from '../helpers/table-worlds/graph.ts'
import { loadWorld, type RankOf } from '../helpers/table-worlds/load.ts'
import { readPostgresRanks } from '../helpers/table-worlds/ranks.ts'
import { TENANTS } from '../helpers/table-worlds/rows.ts'
import { propertySettings } from '../property/property-settings.ts'

const SCHEMA = 'worlds'
const COLLATION = 'pg_catalog."C"'

/** Changes of columns that the graph does not use. After all of them, the table is as before. */
const CHANGES = [
  'add column added text',
  'rename column unused to renamed',
  'alter column renamed type bigint',
  'drop column added',
  'alter column renamed type int',
  'rename column renamed to unused',
]

let server: PostgresServer
let admin: pg.Pool
let writer: pg.Pool
let reader: Caller
let rankOf: RankOf

beforeAll(async () => {
  server = await startPostgres()
  admin = server.pool()
  writer = server.pool({ options: `-c search_path=${SCHEMA}` })
  const setup = server.pool({ max: 1 })
  await setup.query(createWorldTables({ dialect: 'postgres', schema: SCHEMA, collation: COLLATION }))
  const { schema, tables } = defineWorld(await describeSchema(setup, SCHEMA), { hasPolicies: false })
  reader = createReader(schema, createTableStore(server.pool(), { tables }))
  rankOf = await readPostgresRanks(admin, COLLATION)
})
afterAll(() => server.stop())

/** Runs statements in turn, again and again, until the reads have ended. */
const runWhile = async (statements: readonly string[], isReading: () => boolean): Promise<void> => {
  // A round always ends, because later rounds need the tables as they were.
  do for (const statement of statements) await writer.query(statement)
  while (isReading())
}

describe('the joined pages of a list in Postgres', () => {
  it('have each row that stays exactly once, in order, while others write and change columns', async () => {
    await fc.assert(
      fc.asyncProperty(churnCases, async churn => {
        await fillPostgres(admin, SCHEMA, churn.world)
        const staying = listStaying(loadWorld(churn.world, TENANTS[0], rankOf), churn.order)
        let isReading = true
        const writes = writesOf(churn.others)
        const others = [
          runWhile(writes, () => isReading),
          runWhile(writes.toReversed(), () => isReading),
          runWhile(
            CHANGES.map(change => `alter table photo ${change}`),
            () => isReading,
          ),
        ]
        try {
          for (let repeat = 0; repeat < 3; repeat++)
            expect(await readStaying(reader, churn, () => {})).toEqual(staying)
        } finally {
          isReading = false
          await Promise.all(others)
        }
      }),
      propertySettings(12, 300),
    )
  })
})

describe('a column that is dropped while a graph reads its table', () => {
  it('fails only the calls that need it, as an error of the store', async () => {
    const { graph, session } = reader
    const read = async (fields: string): Promise<string> =>
      (await captureText(() => graph.getEdge(session, { id: 'account-1', edge: 'photos', fields, limit: 2 })))
        .text
    const before = await read('title,owner{name}')
    expect(await read('rating')).not.toContain('error')
    await writer.query('alter table photo drop column rating')
    expect(await read('title,owner{name}')).toBe(before)
    const failed = await read('title,rating')
    expect(failed).toContain('"reason":"store_error"')
    expect(failed).not.toContain('rating')
    await writer.query('alter table photo add column rating float8')
    expect(await read('title,owner{name}')).toBe(before)
    expect(await read('rating')).not.toContain('error')
  })
})
