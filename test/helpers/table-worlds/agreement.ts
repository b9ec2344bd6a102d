import fc from 'fast-check'
import type { Store } from '../../../src/store/contract.ts'
import type { ListReference } from '../list-reference.ts'
import { worldProbes } from './calls.ts'
import { createCallers, createReferenceStore, expectSameResults } from './compare.ts'
import type { WorldTables } from './graph.ts'
import { loadWorld, type RankOf } from './load.ts'
import { type TableWorld, TENANTS, tableWorlds } from './rows.ts'

/** A store over tables, and how to replace their rows. */
export type StoreOfWorlds = {
  readonly store: Store
  readonly fill: (world: TableWorld) => Promise<void> | void
  /** The places of texts in the collation of the tables. */
  readonly rankOf: RankOf
}

/** A world without rows. */
const EMPTY_WORLD: TableWorld = {
  accounts: [],
  photos: [],
  comments: [],
  follows: [],
  teams: [],
  memberships: [],
  revisions: [],
}

/**
 * The law that a graph over tables has the same results as a graph over a model of the same rows, for all calls of
 * viewers of both tenants.
 */
export const createAgreement = (
  { schema, tables }: WorldTables,
  { store, fill, rankOf }: StoreOfWorlds,
): fc.IAsyncPropertyWithHooks<unknown[]> => {
  let model: ListReference = loadWorld(EMPTY_WORLD, TENANTS[0], rankOf)
  const expected = createCallers(
    schema,
    createReferenceStore(() => model),
  )
  const compared = createCallers(schema, store)
  const [first, second] = TENANTS
  return fc.asyncProperty(
    tableWorlds,
    worldProbes(tables['~model']),
    fc.constantFrom(1, 1, 2, 9, undefined),
    fc.constantFrom(first, first, first, second),
    async (world, probes, viewer, tenant) => {
      await fill(world)
      model = loadWorld(world, tenant, rankOf)
      const caller = { viewer, tenant }
      await expectSameResults(expected(caller), compared(caller), probes)
    },
  )
}
