import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store, StoreReadRequest } from '../../src/store/contract.ts'
import { stripUnwantedFields } from '../../src/store/strip-unwanted-fields.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { compareCalls } from '../helpers/compare-calls.ts'
import { inheritingWorlds } from '../helpers/inheriting-worlds.ts'
import { openWorld } from '../helpers/open-world.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { compareWithNaive } from './naive-comparison.ts'
import { propertySettings } from './property-settings.ts'

const worlds = fc.oneof(
  worldsWithCalls({ hasPolicies: true }),
  worldsWithCalls({ from: inheritingWorlds }),
  worldsWithCalls(),
)

/** Returns a request that needs no field that some of its records have. */
const withoutFirstField = (request: StoreReadRequest): StoreReadRequest => {
  const { fields } = request
  if (fields === undefined) return request
  const shortened = [...fields].map(([type, names]) => [type, names && new Set([...names].slice(1))] as const)
  return { ...request, fields: new Map(shortened) }
}

const stripTooMuch = (store: Store): Store => {
  const stripped = stripUnwantedFields(store)
  return delegateStore(store, {
    read: (request, options) => stripped.read(withoutFirstField(request), options),
  })
}

describe('a store that returns only wanted fields', () => {
  it('changes no byte of any result or error', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ world, calls }) => {
        const whole = await openWorld(world, { checkReads: false })
        const stripped = await openWorld(world, { checkReads: false, wrap: stripUnwantedFields })
        await compareCalls(whole, stripped, calls)
      }),
      propertySettings(60, 2000),
    )
  })

  it('gives other results if wanted fields are missing', async () => {
    const { failed } = await fc.check(
      fc.asyncProperty(worlds, ({ world, calls }) => compareWithNaive(world, calls, { wrap: stripTooMuch })),
      { ...propertySettings(3000), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})
