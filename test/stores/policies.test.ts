import fc from 'fast-check'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { availableEngines, type StoreEngine } from '../helpers/store-engines.ts'
import { comparePolicies, policyCases } from '../helpers/store-transcripts.ts'
import { propertySettings } from '../property/property-settings.ts'

const isLong = process.env.KITHGRAPH_LONG !== undefined

/** Writes to a cluster wait long for its replicas, so Redis without a cluster takes its place in short runs. */
const kinds = availableEngines('that policies are the same on all stores', { every: true }).filter(
  ({ name }) => isLong || name === 'Postgres' || name === 'Redis',
)

describe.each(kinds)('policies on $name', ({ ids, start }) => {
  let engine: StoreEngine
  beforeAll(async () => {
    engine = await start()
  })
  afterAll(() => engine?.stop())

  it('have the same results as in memory, for inherited visibility, roles, and single entries', () =>
    fc.assert(
      fc.asyncProperty(policyCases(ids), one => comparePolicies(one, kind => engine.create(kind))),
      propertySettings(20, 300),
    ))
})
