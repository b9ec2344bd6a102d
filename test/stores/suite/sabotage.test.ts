import { createModelStore } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { aheadSabotages, leaveOutAfterPages } from '../../helpers/sabotage/ahead-sabotages.ts'
import { batchIdSabotages } from '../../helpers/sabotage/batch-id-sabotages.ts'
import {
  type CollectedTest,
  collectTests,
  findFirstFailure,
} from '../../helpers/sabotage/collecting-runner.ts'
import { conditionSabotages } from '../../helpers/sabotage/condition-sabotages.ts'
import { conditionalRaceSabotages } from '../../helpers/sabotage/conditional-race-sabotages.ts'
import { conflictSabotages } from '../../helpers/sabotage/conflict-sabotages.ts'
import { entrySabotages } from '../../helpers/sabotage/entry-sabotages.ts'
import { hubSabotages } from '../../helpers/sabotage/hub-sabotages.ts'
import { incrementSabotages } from '../../helpers/sabotage/increment-sabotages.ts'
import { mirrorSabotages } from '../../helpers/sabotage/mirror-sabotages.ts'
import {
  createModelStoreOfBothKinds,
  createNamedModelStore,
  namedIdSabotages,
} from '../../helpers/sabotage/named-id-sabotages.ts'
import { raceSabotages } from '../../helpers/sabotage/race-sabotages.ts'
import { rangeConditionSabotages } from '../../helpers/sabotage/range-condition-sabotages.ts'
import { rangeSabotages } from '../../helpers/sabotage/range-sabotages.ts'
import { sessionSabotages } from '../../helpers/sabotage/session-sabotages.ts'
import { createSourceModelStore } from '../../helpers/sabotage/source-model-store.ts'
import { storeSabotages } from '../../helpers/sabotage/store-sabotages.ts'
import { writeSabotages } from '../../helpers/sabotage/write-sabotages.ts'

const sabotages = [
  ...rangeSabotages,
  ...aheadSabotages,
  ...rangeConditionSabotages,
  ...namedIdSabotages,
  ...writeSabotages,
  ...mirrorSabotages,
  ...conditionSabotages,
  ...conflictSabotages,
  ...incrementSabotages,
  ...batchIdSabotages,
  ...conditionalRaceSabotages,
  ...storeSabotages,
  ...raceSabotages,
  ...hubSabotages,
  ...entrySabotages,
  ...sessionSabotages,
]
const model = { name: 'model', create: createModelStore }
/** The sections about conditions, increments and ids of batches. */
const CONDITIONAL_SECTIONS = [
  'conditions',
  'batches with conditions',
  'increments',
  'ids of batches',
  'races of conditional writes',
]

/** Creates a store that fails if it is called with a condition, an increment or the id of a batch. */
const createPlainStore = (): Store => {
  const store = createModelStore()
  return delegateStore(store, {
    capabilities: { ...store.capabilities, conditionalWrites: false },
    write: (mutations, options) => {
      expect(options).toEqual({ signal: undefined })
      for (const mutation of mutations) {
        expect('when' in mutation ? mutation.when : undefined).toBeUndefined()
        expect('increment' in mutation ? mutation.increment : undefined).toBeUndefined()
      }
      return store.write(mutations, options)
    },
  })
}

const PROPERTIES = 'any sequence of writes and reads'

/** The tests of long lists are also run in the tests of the model. */
const isShort = ({ section }: CollectedTest): boolean => section !== 'long lists'

const isAboutConditions = ({ section }: CollectedTest): boolean =>
  section === PROPERTIES || CONDITIONAL_SECTIONS.includes(section)

describe('the conformance suite for a store with one defect', () => {
  for (const store of sabotages)
    it(`fails in the section ${store.section}: ${store.name}`, async () => {
      const tests = collectTests(store).filter(({ section }) => section === store.section)
      expect(await findFirstFailure(tests)).toBeDefined()
    })

  it('passes without the defect', async () => {
    expect(await findFirstFailure(collectTests(model, 10).filter(isShort))).toBeUndefined()
  })

  it('passes without the defect for a store of named ids', async () => {
    const store = { name: 'named', create: createNamedModelStore }
    expect(await findFirstFailure(collectTests(store, 10).filter(isShort))).toBeUndefined()
  })

  it('passes if a store leaves out what is read ahead below the entries after a page', async () => {
    const store = { name: 'partial', create: () => leaveOutAfterPages(createModelStore()) }
    const tests = collectTests(store).filter(({ section }) => section === 'reading ahead')
    expect(await findFirstFailure(tests)).toBeUndefined()
  })

  it('runs each test with each kind of ids that the store has, and says in which one it fails', async () => {
    const create = (): Store => {
      const store = createModelStoreOfBothKinds()
      const read: Store['read'] = async (request, options) => {
        const result = await store.read(request, options)
        const hasNamedNode = result.nodes.some(node => node?.id.includes('-'))
        return hasNamedNode ? { ...result, nodes: [] } : result
      }
      return delegateStore(store, { read })
    }
    const tests = collectTests({ name: 'both', create }, 20)
    expect(await findFirstFailure(tests)).toMatch(
      /^lifecycle: a read with the revision .*in a store of named ids, with their numbers: the written node/,
    )
  })

  it('passes without the defect if the atomicity is source', async () => {
    const tests = collectTests({ name: 'source', create: createSourceModelStore }, 20)
    expect(await findFirstFailure(tests.filter(isAboutConditions))).toBeUndefined()
  })

  it('does not call a store without conditional writes with conditions, increments or ids', async () => {
    const tests = collectTests({ name: 'plain', create: createPlainStore }, 20)
    expect(await findFirstFailure(tests.filter(isAboutConditions))).toBeUndefined()
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
      'ids compared as numbers',
      'a range that includes its start position',
      'edges that remain after their target is deleted',
      'a count that is never updated',
      'a snapshot that sees later writes',
      'a patchNode that replaces all fields',
      'conditions of putEdge that are ignored',
      'increments that replace the value',
      'ids of failed batches that are kept',
    ].includes(name),
  )

  for (const store of found)
    it(store.name, async () => {
      const isOfSnapshots = ({ name }: CollectedTest) => name.startsWith('a snapshot')
      const tests = collectTests(store, 3000).filter(
        test => test.section === PROPERTIES && isOfSnapshots(test) === (store.section === 'snapshots'),
      )
      expect(await findFirstFailure(tests)).toMatch(/seed: .*Counterexample/s)
    })
})
