import fc from 'fast-check'
import type { Store } from '../../../src/store/contract.ts'
import type { ListReference } from '../list-reference.ts'
import { FULL_IDS, worldProbes } from './calls.ts'
import { createCallers, createReferenceStore, expectSameResults } from './compare.ts'
import type { WorldPolicies, WorldTables } from './graph.ts'
import { loadWorld, type RankOf } from './load.ts'
import { SCOPE, worldPolicies } from './policies.ts'
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

const [FIRST, SECOND] = TENANTS
const viewers = fc.constantFrom(1, 1, 2, 9, undefined)
const tenants = fc.constantFrom(FIRST, FIRST, FIRST, SECOND)
/** Filling the tables takes longer than many calls. */
const MAX_PROBES = 20
const scopes = fc.constantFrom<readonly string[]>([], [], [], [SCOPE])

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
  return fc.asyncProperty(
    tableWorlds,
    worldProbes(tables['~model']),
    viewers,
    tenants,
    async (world, probes, viewer, tenant) => {
      await fill(world)
      model = loadWorld(world, tenant, rankOf)
      const caller = { viewer, tenant }
      await expectSameResults(expected(caller), compared(caller), probes)
    },
  )
}

/** How worlds with policies are declared, and a store over their tables. */
export type PolicyWorlds = Pick<StoreOfWorlds, 'fill' | 'rankOf'> & {
  readonly define: (policies: WorldPolicies) => WorldTables
  readonly createStore: (tables: WorldTables['tables']) => Store
}

/**
 * The law that a graph over tables has the same results as a graph over a model of the same rows under all policies,
 * although it takes from the store which of their conditions hold.
 */
export const createPolicyAgreement = ({
  define,
  createStore,
  fill,
  rankOf,
}: PolicyWorlds): fc.IAsyncPropertyWithHooks<unknown[]> => {
  const model = define({}).tables['~model']
  return fc.asyncProperty(
    tableWorlds,
    worldPolicies,
    worldProbes(model, FULL_IDS, MAX_PROBES),
    fc.record({ viewer: viewers, tenant: tenants, scopes }),
    async (world, policies, probes, caller) => {
      await fill(world)
      const reference = loadWorld(world, caller.tenant, rankOf)
      const { schema, tables } = define(policies)
      const expected = createCallers(
        schema,
        createReferenceStore(() => reference),
      )
      const compared = createCallers(schema, createStore(tables))
      await expectSameResults(expected(caller), compared(caller), probes)
    },
  )
}
