import fc from 'fast-check'
import { createTableStore } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import {
  COUNTED_ITEMS_SQL,
  countedRanges,
  defineItems,
  maxRowsOf,
  placeRange,
} from '../helpers/counted-items.ts'
import { countRead, type PlanNode } from '../helpers/explain-reads.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { describeSchema } from '../helpers/table-worlds/describe-schema.ts'
import { createPool } from '../helpers/watched-clients.ts'
import { propertySettings } from '../property/property-settings.ts'

const OPTIONS = { ...UNTIMED_OPTIONS, deadline: Date.now() + 3_600_000 }

/** A statement with its parameters. */
type SentQuery = { readonly text: string; readonly values?: unknown[] | undefined }
let server: PostgresServer
let pool: pg.Pool
let store: Store
let sent: SentQuery[] = []

beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool()
  await pool.query(COUNTED_ITEMS_SQL)
  await pool.query('vacuum analyze')
  const recording = createPool(async () => {
    const client = await pool.connect()
    return {
      processID: Reflect.get(client, 'processID'),
      query: query => {
        sent.push({ text: query.text, values: query.values === undefined ? undefined : [...query.values] })
        return client.query(query)
      },
      on: (event, listener) => client.on(event, listener),
      off: (event, listener) => client.off(event, listener),
      release: destroy => client.release(destroy),
    }
  })
  const { tables } = defineItems(await describeSchema(pool, 'public'))
  store = createTableStore(recording, { tables })
})
afterAll(() => server.stop())

/** Executes a statement again, and returns the rows of each table that it reads. */
const explain = async ({ text, values }: SentQuery) => {
  const { rows } = await pool.query(`explain (analyze, timing off, format json) ${text}`, values)
  const plan: PlanNode = rows[0]['QUERY PLAN'][0].Plan
  return { items: countRead(plan, 'item_row'), likes: countRead(plan, 'likes_row') }
}

describe('a range of a long list in Postgres', () => {
  it('reads at most one row more than its limit, or than three times what it may examine under conditions', async () => {
    await fc.assert(
      fc.asyncProperty(countedRanges, async counted => {
        const range = await placeRange(store, OPTIONS, counted)
        sent = []
        await store.read({ ...EMPTY_REQUEST, ranges: [range] }, OPTIONS)
        const [query] = sent
        if (query === undefined) return expect.fail('no statement')
        const { items, likes } = await explain(query)
        // To count the examined rows, and to find the last one, the entries of an index are read again.
        const times = range.conditions === undefined ? 1 : 3
        expect(items).toBeLessThanOrEqual(times * maxRowsOf(range))
        expect(likes).toBeLessThanOrEqual(maxRowsOf(range))
        expect(items).toBeGreaterThan(0)
      }),
      propertySettings(40, 1000),
    )
  })
})
