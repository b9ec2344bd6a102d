import { createModelStore } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { collectTests, firstFailureOf } from '../helpers/sabotage/collecting-runner.ts'
import { hubSabotages } from '../helpers/sabotage/hub-sabotages.ts'
import { raceSabotages } from '../helpers/sabotage/race-sabotages.ts'
import { rangeSabotages } from '../helpers/sabotage/range-sabotages.ts'
import { storeSabotages } from '../helpers/sabotage/store-sabotages.ts'
import { writeSabotages } from '../helpers/sabotage/write-sabotages.ts'

const sabotages = [...rangeSabotages, ...writeSabotages, ...storeSabotages, ...raceSabotages, ...hubSabotages]
const model = { name: 'model', create: createModelStore }
const PROPERTIES = 'any sequence of writes and reads'

describe('the suite bites: a store with one thing wrong fails the section that is about it', () => {
  for (const store of sabotages)
    it(`${store.section}: ${store.name}`, async () => {
      const tests = collectTests(store).filter(({ section }) => section === store.section)
      expect(await firstFailureOf(tests)).toBeDefined()
    })

  it('the model, run the same way, fails none', async () => {
    expect(await firstFailureOf(collectTests(model, 20))).toBeUndefined()
  })

  it('every section finds something', () => {
    const sections = new Set(collectTests(model).map(({ section }) => section))
    const biting = new Set([...sabotages.map(({ section }) => section), PROPERTIES])
    expect(biting).toEqual(sections)
  })
})

describe('the property bites: any sequence of writes and reads finds what is wrong without a test about it', () => {
  const found = sabotages.filter(({ name }) =>
    [
      'ids compared as text',
      'a position that is included',
      'edges that dangle once their target is deleted',
      'a count that is never counted again',
      'a snapshot that sees what is written later',
      'a patch that replaces',
    ].includes(name),
  )

  for (const store of found)
    it(store.name, async () => {
      const tests = collectTests(store, 3000).filter(({ section }) => section === PROPERTIES)
      expect(await firstFailureOf(tests)).toMatch(/seed: .*Counterexample/s)
    })
})
