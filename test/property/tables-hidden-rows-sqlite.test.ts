import { createTableStore } from 'kithgraph/tables'
import { describe, it } from 'vitest'
import { describeSqlite } from '../../src/tables/introspect/describe-sqlite.ts'
import { openBetterSqlite } from '../helpers/sqlite-databases.ts'
import { createCallers } from '../helpers/table-worlds/compare.ts'
import { createWorldTables } from '../helpers/table-worlds/ddl.ts'
import { fillSqlite } from '../helpers/table-worlds/fill.ts'
import { defineWorld } from '../helpers/table-worlds/graph.ts'
import { createCursorMaker } from '../helpers/table-worlds/made-up-cursors.ts'
import { TENANTS } from '../helpers/table-worlds/rows.ts'
import { createSecrecyLaw } from '../helpers/table-worlds/secrecy.ts'
import { assertReaching, propertySettings } from './property-settings.ts'

/** A few hidden rows, if they counted, would exceed this limit. */
const SCAN_LIMIT = 6

/** Gives the rows of the other tenant values of other classes than their columns. */
const MAKE_OTHERS_BAD = `
  update photo set created_at = 'yesterday', taken_at = x'00', rating = 'high', title = 5 where tenant = ${TENANTS[1]};
  update account set name = x'00', boss_id = 'nobody', follower_count = 'many' where tenant = ${TENANTS[1]};
  update follow set created_at = 1.5, note = x'00' where tenant = ${TENANTS[1]}`

describe('two databases of SQLite that differ only in rows of another tenant', () => {
  it.each([
    { hasPolicies: false, areBad: false },
    { hasPolicies: true, areBad: false },
    { hasPolicies: true, areBad: true },
  ])(
    'give the same bytes for cursors that a caller makes up: with policies $hasPolicies, bad values $areBad',
    async ({ hasPolicies, areBad }) => {
      const database = openBetterSqlite(':memory:')
      database.exec(createWorldTables({ dialect: 'sqlite', collation: 'nocase' }))
      const description = describeSqlite(database, {})
      const { schema, tables } = defineWorld(description, { hasPolicies })
      const store = createTableStore(database, { tables })
      let pages = 0
      const law = createSecrecyLaw(tables['~model'], {
        fill: world => {
          fillSqlite(database, world)
          if (areBad) database.exec(MAKE_OTHERS_BAD)
        },
        callerOf: createCallers(schema, store, { scan: SCAN_LIMIT }),
        makeCursor: createCursorMaker(defineWorld(description, { hasPolicies: false })),
        onText: text => {
          if (text.includes('"paging":{')) pages++
        },
      })
      await assertReaching(law, propertySettings(15, 1000), () => pages > 10)
    },
  )
})
