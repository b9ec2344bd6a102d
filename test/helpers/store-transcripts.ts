import fc from 'fast-check'
import { createGraph } from 'kithgraph'
import type { IdKind } from '../../src/base/ids.ts'
import type { Store } from '../../src/store/contract.ts'
import { createAppIdOptions } from './app-id-options.ts'
import { compareWithMemory } from './compare-with-memory.ts'
import { worlds } from './graph-arbitraries.ts'
import { kindOfWorld, missingIdOf } from './id-kinds.ts'
import { createInheritingWorlds } from './inheriting-worlds.ts'
import { type LookalikeCase, lookalikeCases } from './lookalike-cases.ts'
import { storedPartOf } from './naive-graph/collections.ts'
import { createSchema, toMutations } from './open-world.ts'
import { type Caller, recordTranscript } from './probes.ts'
import { readEntries } from './read-entry.ts'

type Case = Pick<LookalikeCase, 'world' | 'probes'>

/**
 * Worlds under policies with calls: general worlds, and worlds with long chains of refs, roles and parameters. `ids`
 * is the only kind of their ids; by default, they have either kind.
 */
export const policyCases = (ids?: IdKind): fc.Arbitrary<Case> =>
  fc
    .oneof(
      lookalikeCases(false, undefined, worlds({ ids, hasPolicies: true })),
      lookalikeCases(false, undefined, createInheritingWorlds(ids)),
    )
    .map(({ world, probes }) => ({ world, probes }))

/** Writes a world to an open store, and returns what its viewer and a session without policies read, as texts. */
const recordWorld = async ({ world, probes }: Case, store: Store): Promise<readonly string[]> => {
  await store.write(toMutations(world), { signal: undefined })
  const { secret } = createAppIdOptions()
  const graph = createGraph(store, { schema: createSchema(world.schema), secret })
  const { viewer, scopes } = world
  const grant = { viewer, app: 'tests', scopes }
  const ids = [...storedPartOf(world).nodes.map(({ id }) => id), missingIdOf(world)]
  const texts: string[] = []
  for (const session of [graph.session(grant), graph.session({ ...grant, bypassPolicies: true })]) {
    const caller: Caller = { graph, session }
    for (const probe of probes) {
      texts.push(...(await recordTranscript(caller, probe, { ids })))
      texts.push(...(await readEntries(caller, probe, ids)))
    }
  }
  return texts
}

/** Expects the same results on a store as in memory. `create` creates a store for a kind of ids. */
export const comparePolicies = (policyCase: Case, create: (ids: IdKind) => Store): Promise<void> =>
  compareWithMemory(kindOfWorld(policyCase.world), create, store => recordWorld(policyCase, store))
