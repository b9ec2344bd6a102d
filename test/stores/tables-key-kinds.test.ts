import fc from 'fast-check'
import { createTableStore } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { withAppliedConditions } from '../helpers/applied-conditions.ts'
import {
  conditionsOfKeyWorld,
  createKeyTables,
  defineKeyWorld,
  fillKeyTables,
  idsOfKeyWorld,
  KEY_KINDS,
} from '../helpers/key-worlds.ts'
import { withoutLeftOutLists } from '../helpers/left-out-results.ts'
import { ListReference } from '../helpers/list-reference.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { countReported, expectReported } from '../helpers/reported-conditions.ts'
import { createReadArbitrary } from '../helpers/table-read-arbitraries.ts'
import { describeSchema } from '../helpers/table-worlds/describe-schema.ts'
import { propertySettings } from '../property/property-settings.ts'

let server: PostgresServer
let admin: pg.Pool
beforeAll(async () => {
  server = await startPostgres()
  admin = server.pool({ max: 1 })
  await admin.query(`
create extension citext;
create collation public.blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`)
})
afterAll(() => server.stop())

describe('a store over tables of Postgres with keys of other kinds', () => {
  it.each(KEY_KINDS.map(kind => [kind.name, kind] as const))(
    'returns the same for a read with conditions, hints and wanted fields as for its parts: %s',
    async (_, kind) => {
      const schema = `keys_${KEY_KINDS.indexOf(kind)}`
      await admin.query(`create schema ${schema}; set search_path to ${schema}, public`)
      await admin.query(createKeyTables(kind))
      await admin.query(fillKeyTables(kind))
      const { tables } = defineKeyWorld(await describeSchema(admin, schema), kind)
      const { '~model': model } = tables
      const store = createTableStore(server.pool({ max: 1 }), { tables })
      const reference = await ListReference.create(store, model, idsOfKeyWorld(kind), UNTIMED_OPTIONS)
      const reads = createReadArbitrary(model, reference, conditionsOfKeyWorld(reference))
      let examined = 0
      await fc.assert(
        fc.asyncProperty(reads, async request => {
          const result = await store.read(request, UNTIMED_OPTIONS)
          const whole = reference.read(withAppliedConditions(model, request))
          expectReported(result, withoutLeftOutLists(request, whole, result).expected)
          examined += countReported('examined', result)
        }),
        propertySettings(15, 400),
      )
      expect(examined).toBeGreaterThan(0)
    },
  )
})
