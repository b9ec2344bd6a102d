import Database from 'better-sqlite3'
import fc from 'fast-check'
import { createMemoryStore } from 'kithgraph/memory'
import { createSqliteStore } from 'kithgraph/sqlite'
import { describe, expect, it } from 'vitest'
import type { EdgeRecord, Store, StoreReadResult } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { comparePolicies, policyCases } from '../helpers/store-transcripts.ts'
import { propertySettings } from './property-settings.ts'

type CheckResult = StoreReadResult['checks'][number]

/** Wraps a store so that the records of checked edges are wrong. */
const sabotageRecords = (store: Store, wrong: (edge: EdgeRecord) => CheckResult): Store =>
  delegateStore(store, {
    read: async (request, options) => {
      const result = await store.read(request, options)
      return {
        ...result,
        checks: result.checks.map(found => (typeof found === 'object' ? wrong(found) : found)),
      }
    },
  })

describe('policies on SQLite', () => {
  it('have the same results as in memory, for inherited visibility, roles, and single entries', () =>
    fc.assert(
      fc.asyncProperty(policyCases(), one =>
        comparePolicies(one, ids => createSqliteStore(new Database(':memory:'), { ids })),
      ),
      propertySettings(25, 500),
    ))
})

describe('the comparison of policies on two stores', () => {
  const sabotages: { readonly [name: string]: (store: Store) => Store } = {
    'checked edges without their data': store => sabotageRecords(store, ({ data: _, ...edge }) => edge),
    'checked edges at another time': store =>
      sabotageRecords(store, edge => ({ ...edge, time: edge.time + 1000 })),
    'checked edges that do not exist': store => sabotageRecords(store, () => false),
  }

  it.each(Object.entries(sabotages))('finds a store with a defect: %s', async (_name, wrap) => {
    const { failed } = await fc.check(
      fc.asyncProperty(policyCases(), one => comparePolicies(one, () => wrap(createMemoryStore()))),
      { ...propertySettings(3000), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})
