import fc from 'fast-check'
import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { expect } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { createAppIdOptions } from './app-id-options.ts'
import { worlds } from './graph-arbitraries.ts'
import { missingIdOf } from './id-kinds.ts'
import { inheritingWorldsOfDigits } from './inheriting-worlds.ts'
import { type LookalikeCase, lookalikeCases } from './lookalike-cases.ts'
import { storedPartOf } from './naive-graph/collections.ts'
import { createSchema, toMutations } from './open-world.ts'
import { type Caller, recordTranscript } from './probes.ts'
import { readEntries } from './read-entry.ts'

type Case = Pick<LookalikeCase, 'world' | 'probes'>

/**
 * Worlds under policies with calls, for stores that contain digits: general worlds, and worlds with long chains of
 * refs, roles and parameters.
 */
export const policyCases: fc.Arbitrary<Case> = fc
  .oneof(
    lookalikeCases(false, undefined, worlds({ ids: 'digits', hasPolicies: true })),
    lookalikeCases(false, undefined, inheritingWorldsOfDigits),
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

const recordOnStore = async (policyCase: Case, store: Store): Promise<readonly string[]> => {
  try {
    await store.open()
    // The store is open already, and the graph must not open it again.
    return await recordWorld(policyCase, delegateStore(store, { open: () => {} }))
  } finally {
    await store.close()
  }
}

/** Expects the same results on a store as in memory. */
export const compareWithMemory = async (policyCase: Case, store: Store): Promise<void> => {
  const expected = await recordOnStore(policyCase, createMemoryStore())
  expect(await recordOnStore(policyCase, store)).toEqual(expected)
}
