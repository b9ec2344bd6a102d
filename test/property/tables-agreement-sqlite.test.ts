import fc from 'fast-check'
import type { SqliteDatabase } from 'kithgraph/sqlite'
import { createTableStore } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import { describeSqlite } from '../../src/tables/introspect/describe-sqlite.ts'
import { tableSabotages } from '../helpers/sabotage/table-sabotages.ts'
import { openBetterSqlite, openNodeSqlite } from '../helpers/sqlite-databases.ts'
import { createAgreement } from '../helpers/table-worlds/agreement.ts'
import { createWorldTables } from '../helpers/table-worlds/ddl.ts'
import { fillSqlite } from '../helpers/table-worlds/fill.ts'
import { defineWorld } from '../helpers/table-worlds/graph.ts'
import { readSqliteRanks } from '../helpers/table-worlds/ranks.ts'
import { propertySettings } from './property-settings.ts'

const openWorlds = (database: SqliteDatabase, collation: string, hasPolicies: boolean) => {
  database.exec(createWorldTables({ dialect: 'sqlite', collation }))
  const world = defineWorld(describeSqlite(database, {}), { hasPolicies })
  return createAgreement(world, {
    store: createTableStore(database, { tables: world.tables }),
    fill: rows => fillSqlite(database, rows),
    rankOf: readSqliteRanks(database, collation),
  })
}

const DRIVERS = [
  ['better-sqlite3', openBetterSqlite],
  ...(openNodeSqlite === undefined ? [] : [['node:sqlite', openNodeSqlite] as const]),
] as const

for (const [driver, open] of DRIVERS)
  describe.each(['binary', 'nocase', 'rtrim'])(
    `a graph over tables of ${driver} in the collation %s has the same results as over a model of the same rows`,
    collation => {
      it.each([
        ['without policies', false],
        ['under policies of every type', true],
      ])('%s', (_, hasPolicies) =>
        fc.assert(openWorlds(open(':memory:'), collation, hasPolicies), propertySettings(8, 1000)),
      )
    },
  )

describe('the comparison of a graph over tables with a model', () => {
  it.each(tableSabotages)('finds a store with: $name', async ({ hasPolicies, without, wrap }) => {
    const database = openBetterSqlite(':memory:')
    database.exec(createWorldTables({ dialect: 'sqlite', collation: 'binary' }))
    const description = describeSqlite(database, {})
    const createStore = (missing: typeof without) =>
      createTableStore(database, {
        tables: defineWorld(description, { hasPolicies, without: missing }).tables,
      })
    const store = createStore(without)
    const agreement = createAgreement(defineWorld(description, { hasPolicies }), {
      store: wrap === undefined ? store : wrap(store, createStore('deleted')),
      fill: rows => fillSqlite(database, rows),
      rankOf: readSqliteRanks(database, 'binary'),
    })
    const { failed } = await fc.check(agreement, { ...propertySettings(3000), endOnFailure: true })
    expect(failed).toBe(true)
  })
})
