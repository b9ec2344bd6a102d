import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import type { IdKind } from 'kithgraph'
import { createPostgresStore, type PGliteClient } from 'kithgraph/postgres'
import { describeStore } from 'kithgraph/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'
import { putEdge, putNodes } from '../../src/testing/records.ts'
import { readDumpLines } from '../helpers/read-dump-lines.ts'

/** The number of runs of each property: small, because each run creates the tables of a new store. */
const runs = process.env.KITHGRAPH_LONG ? 60 : 3

let client: PGlite
let schemas = 0

beforeAll(async () => {
  client = await PGlite.create()
})
afterAll(() => client?.close())

const create = (ids: IdKind = 'digits') => createPostgresStore(client, { schema: `fresh_${++schemas}`, ids })

describeStore({ describe, it, fc, runs }, { name: 'PGlite', create: () => create() })
// The guard and the kind of ids do not depend on the client, so only long runs test them with PGlite.
if (process.env.KITHGRAPH_LONG) {
  describeStore({ describe, it, fc, runs }, { name: 'PGlite, guarded', create: () => guardStore(create()) })
  describeStore({ describe, it, fc, runs }, { name: 'PGlite, named ids', create: () => create('named') })
}

describe('the dump over PGlite', () => {
  it('has all nodes and edges, and shares the only connection with writes while it is read', async () => {
    const store = create()
    await store.open()
    await store.write([...putNodes('1', '2'), putEdge('1', 'likes', '2')], { signal: undefined })
    for await (const _ of await store.dump()) await store.write(putNodes('1'), { signal: undefined })
    expect(await readDumpLines(store.dump())).toEqual([
      '{"edge":{"source":"1","name":"likes","target":"2","time":0}}\n',
      '{"node":{"id":"1","type":"thing","fields":{}}}\n',
      '{"node":{"id":"2","type":"thing","fields":{}}}\n',
    ])
  })
})

describe('the id of a batch over PGlite', () => {
  it('is kept for its whole time, even if the transaction of the batch takes long', async () => {
    const [keepMs, delayMs] = [60_000, 300]
    const slowClient: PGliteClient = {
      query: (text, parameters, options) => client.query(text, parameters, options),
      exec: text => client.exec(text),
      // Waits after the beginning of each transaction, as a transaction does behind another writer.
      transaction: body =>
        client.transaction(async transaction => {
          await transaction.query('select pg_sleep($1)', [delayMs / 1000])
          return await body(transaction)
        }),
    }
    const schema = `fresh_${++schemas}`
    const store = createPostgresStore(slowClient, { schema })
    await store.open()
    const startedAt = Date.now()
    await store.write([], { signal: undefined, batch: { id: 'a', digest: 'b', keepMs } })
    const { rows } = await client.query<{ expires: number }>(
      `select (extract(epoch from expires_at) * 1000)::float8 as expires from ${schema}.batches`,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.expires).toBeGreaterThanOrEqual(startedAt + keepMs + delayMs - 10)
  })
})
