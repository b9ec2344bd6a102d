import Database from 'better-sqlite3'
import fc from 'fast-check'
import type { SqliteDatabase } from 'kithgraph/sqlite'
import { createTableStore } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/base/session.ts'
import type { StoreReadRequest } from '../../src/store/contract.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { describeSqlite } from '../../src/tables/introspect/describe-sqlite.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { changeReadValues } from '../helpers/change-read-values.ts'
import {
  COUNTED_ITEMS_SQL,
  countedRanges,
  defineItems,
  maxRowsOf,
  placeRange,
} from '../helpers/counted-items.ts'
import { worldProbes } from '../helpers/table-worlds/calls.ts'
import { createCallers, recordProbe } from '../helpers/table-worlds/compare.ts'
import { createWorldTables } from '../helpers/table-worlds/ddl.ts'
import { fillSqlite } from '../helpers/table-worlds/fill.ts'
import { defineWorld } from '../helpers/table-worlds/graph.ts'
import { loadWorld } from '../helpers/table-worlds/load.ts'
import { readSqliteRanks } from '../helpers/table-worlds/ranks.ts'
import { TENANTS, tableWorlds } from '../helpers/table-worlds/rows.ts'
import { propertySettings } from './property-settings.ts'

const [TENANT] = TENANTS

/** A session of other values than those of the calls. */
const OTHER_SESSION: Session = {
  viewer: 'account-8675309867',
  app: "hostile'; --",
  scopes: ['hostile'],
  issuedAt: 8675309,
  expiresAt: undefined,
  claims: { tenant: 8675309 },
}

/** Wraps a database. Collects the texts of its statements. */
const watchTexts = (database: SqliteDatabase): { texts: Set<string>; watched: SqliteDatabase } => {
  const texts = new Set<string>()
  const watched: SqliteDatabase = {
    prepare: sql => {
      texts.add(sql)
      return database.prepare(sql)
    },
    exec: sql => database.exec(sql),
    close: () => database.close(),
  }
  return { texts, watched }
}

describe('the statements of a graph over tables of SQLite', () => {
  it('have texts that depend on the shapes of reads alone, not on the values of a caller', async () => {
    const database = new Database(':memory:')
    database.exec(createWorldTables({ dialect: 'sqlite', collation: 'binary' }))
    const rankOf = readSqliteRanks(database, 'binary')
    const { schema, tables } = defineWorld(describeSqlite(database, {}), { hasPolicies: true })
    await fc.assert(
      fc.asyncProperty(tableWorlds, worldProbes(tables['~model']), async (world, probes) => {
        fillSqlite(database, world)
        const requests: StoreReadRequest[] = []
        const original = watchTexts(database)
        const store = createTableStore(original.watched, { tables })
        const recording = delegateStore(store, {
          read: (request, options) => {
            requests.push(request)
            return store.read(request, options)
          },
        })
        const callers = createCallers(schema, recording)
        for (const probe of probes) await recordProbe(callers({ viewer: 1, tenant: TENANT }), probe)
        const other = watchTexts(database)
        const otherStore = createTableStore(other.watched, { tables })
        const model = loadWorld(world, TENANT, rankOf)
        for (const request of requests)
          await otherStore.read(changeReadValues(model, request), {
            ...UNTIMED_OPTIONS,
            session: OTHER_SESSION,
          })
        // Longer lists need more statements, and the texts of the lists that were read are among them.
        expect([...original.texts].filter(text => !other.texts.has(text))).toEqual([])
        expect([...other.texts].join()).not.toMatch(/867|hostile/)
      }),
      propertySettings(25, 1000),
    )
  })
})

describe('a range of a long list in SQLite', () => {
  it('reads at most one row more than its limit, or than it may examine under conditions', async () => {
    const database = new Database(':memory:')
    const read = { item: 0, likes: 0 }
    for (const name of ['item', 'likes'] as const)
      database.function(`count_${name}`, { deterministic: false }, (_key: unknown) => {
        read[name]++
        return 1
      })
    // Views may call functions of the program.
    database.pragma('trusted_schema = on')
    database.exec(COUNTED_ITEMS_SQL)
    const { tables } = defineItems(describeSqlite(database, {}))
    // Each row that a statement looks at is counted.
    database.exec(`alter table item_row rename to item; alter table likes_row rename to likes;
      create view item_row as select * from item where count_item(id);
      create view likes_row as select * from likes where count_likes(item_id)`)
    const store = createTableStore(database, { tables })
    await fc.assert(
      fc.asyncProperty(countedRanges, async counted => {
        const range = await placeRange(store, UNTIMED_OPTIONS, counted)
        Object.assign(read, { item: 0, likes: 0 })
        await store.read({ ...EMPTY_REQUEST, ranges: [range] }, UNTIMED_OPTIONS)
        // SQLite looks at the row at the start of a range again.
        const maxRows = maxRowsOf(range) + (range.from === undefined ? 0 : 1)
        expect(read.item).toBeLessThanOrEqual(maxRows)
        expect(read.likes).toBeLessThanOrEqual(maxRows)
        expect(read.item).toBeGreaterThan(0)
      }),
      propertySettings(100, 5000),
    )
  })
})
