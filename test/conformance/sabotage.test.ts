import { createModelStore } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { collectTests, findFirstFailure } from '../helpers/sabotage/collecting-runner.ts'
import { hubSabotages } from '../helpers/sabotage/hub-sabotages.ts'
import { mirrorSabotages } from '../helpers/sabotage/mirror-sabotages.ts'
import { raceSabotages } from '../helpers/sabotage/race-sabotages.ts'
import { rangeSabotages } from '../helpers/sabotage/range-sabotages.ts'
import { storeSabotages } from '../helpers/sabotage/store-sabotages.ts'
import { writeSabotages } from '../helpers/sabotage/write-sabotages.ts'

const sabotages = [
  ...rangeSabotages,
  ...writeSabotages,
  ...mirrorSabotages,
  ...storeSabotages,
  ...raceSabotages,
  ...hubSabotages,
]
const model = { name: 'model', create: createModelStore }
const PROPERTIES = 'any sequence of writes and reads'

describe('the conformance suite for a store with one defect', () => {
  for (const store of sabotages)
    it(`fails in the section ${store.section}: ${store.name}`, async () => {
      const tests = collectTests(store).filter(({ section }) => section === store.section)
      expect(await findFirstFailure(tests)).toBeDefined()
    })

  it('passes without the defect', async () => {
    expect(await findFirstFailure(collectTests(model, 20))).toBeUndefined()
  })

  it('is tested with at least one defect for each section', () => {
    const sections = new Set(collectTests(model).map(({ section }) => section))
    const biting = new Set([...sabotages.map(({ section }) => section), PROPERTIES])
    expect(biting).toEqual(sections)
  })
})

describe('the property tests of the conformance suite detect a store with a defect', () => {
  const found = sabotages.filter(({ name }) =>
    [
      'ids compared as text',
      'a range that includes its start position',
      'edges that remain after their target is deleted',
      'a count that is never updated',
      'a snapshot that sees later writes',
      'a patchNode that replaces all fields',
    ].includes(name),
  )

  for (const store of found)
    it(store.name, async () => {
      const tests = collectTests(store, 3000).filter(({ section }) => section === PROPERTIES)
      expect(await findFirstFailure(tests)).toMatch(/seed: .*Counterexample/s)
    })
})
