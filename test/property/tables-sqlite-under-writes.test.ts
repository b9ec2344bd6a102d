import Database from 'better-sqlite3'
import fc from 'fast-check'
import { createTableStore } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import { describeSqlite } from '../../src/tables/introspect/describe-sqlite.ts'
import {
  churnCases,
  createReader,
  listStaying,
  readStaying,
  writesOf,
} from '../helpers/table-worlds/churn.ts'
import { createWorldTables } from '../helpers/table-worlds/ddl.ts'
import { fillSqlite } from '../helpers/table-worlds/fill.ts'
import { defineWorld } from '../helpers/table-worlds/graph.ts'
import { loadWorld } from '../helpers/table-worlds/load.ts'
import { readSqliteRanks } from '../helpers/table-worlds/ranks.ts'
import { TENANTS } from '../helpers/table-worlds/rows.ts'
import { propertySettings } from './property-settings.ts'

/** Changes of columns that the graph does not use. After all of them, the table is as before. */
const CHANGES = [
  'add column added text',
  'rename column unused to renamed',
  'drop column added',
  'rename column renamed to unused',
]

describe('the joined pages of a list in SQLite', () => {
  it('have each row that stays exactly once, in order, while others write and change columns', async () => {
    const database = new Database(':memory:')
    database.exec(createWorldTables({ dialect: 'sqlite', collation: 'binary' }))
    const rankOf = readSqliteRanks(database, 'binary')
    const { schema, tables } = defineWorld(describeSqlite(database, {}), { hasPolicies: false })
    const reader = createReader(schema, createTableStore(database, { tables }))
    let changes = 0
    const changeColumns = () => database.exec(`alter table photo ${CHANGES[changes++ % CHANGES.length]}`)
    await fc.assert(
      fc.asyncProperty(churnCases, fc.integer({ min: 1, max: 9 }), async (churn, batch) => {
        fillSqlite(database, churn.world)
        const staying = listStaying(loadWorld(churn.world, TENANTS[0], rankOf), churn.order)
        const writes = writesOf(churn.others)
        let written = 0
        const writeSome = () => {
          for (let count = 0; count < batch; count++) database.exec(writes[written++ % writes.length] ?? '')
          changeColumns()
        }
        expect(await readStaying(reader, churn, writeSome)).toEqual(staying)
      }),
      propertySettings(60, 3000),
    )
  })
})
