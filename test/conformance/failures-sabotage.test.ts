import { describeStoreFailures, type FailingStore, type StoreInUse } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../src/store/contract.ts'
import { collectDeclared, findFirstFailure } from '../helpers/sabotage/collecting-runner.ts'
import { mirrorSabotages } from '../helpers/sabotage/mirror-sabotages.ts'
import { raceSabotages } from '../helpers/sabotage/race-sabotages.ts'
import { type ServerDefects, simulateServer } from '../helpers/sabotage/simulated-server.ts'

const CUT = 'connections that are cut'
const STALL = 'connections that stall'
const KILL = 'writer processes that are killed'
const RACE = 'writers that race'

const collect = <TStore extends StoreInUse>(store: FailingStore<TStore>, section?: string) =>
  collectDeclared(runner => describeStoreFailures(runner, store)).filter(
    test => section === undefined || test.section === section,
  )

/** Shorter than usual, because some of the stores have calls that never end. */
const DEFECT_TIMEOUT_MS = 2000

const firstHalf = (batch: readonly StoreMutation[]): readonly StoreMutation[] => batch.slice(0, 3)
const withoutMirrors = (batch: readonly StoreMutation[]): readonly StoreMutation[] =>
  batch.map(mutation => ('mirror' in mutation ? { ...mutation, mirror: undefined } : mutation))

const DEFECTS: readonly (readonly [name: string, section: string, defects: ServerDefects, error: string])[] =
  [
    ['a cut that loses acknowledged batches', CUT, { repliesEarly: true }, 'a read of the batches'],
    ['a cut that leaves half of a batch', CUT, { applyPart: firstHalf }, 'a read of the batches'],
    [
      'a cut that leaves one side of mirrored edges',
      CUT,
      { applyPart: withoutMirrors },
      'a read of the batches',
    ],
    ['a cut that leaves wrong counts', CUT, { countsWrongly: true }, 'a read of the batches'],
    [
      'calls that never end after a cut',
      CUT,
      { hangsAfterCut: true },
      `did not end within ${DEFECT_TIMEOUT_MS} ms`,
    ],
    [
      'calls that fail forever after a cut',
      CUT,
      { staysBroken: true },
      'the same batch, written again failed 5000 ms',
    ],
    [
      'a half-written batch that is not completed when it is written again',
      CUT,
      { applyPart: firstHalf, ignoresRepeated: true, atomicity: 'source' },
      'the batches of writer',
    ],
    [
      'calls that do not end during a stall',
      STALL,
      { hangsInStall: true },
      `did not end within ${DEFECT_TIMEOUT_MS} ms`,
    ],
    [
      'a killed process that loses acknowledged batches',
      KILL,
      { repliesEarly: true },
      'a read of the batches',
    ],
    ['increments that are applied again after a cut', CUT, { forgetsIds: true }, 'the counter of writer'],
    [
      'increments that are lost in a cut, although their ids are kept',
      CUT,
      { keepsIdsOfLostBatches: true },
      'the counter of writer',
    ],
    [
      'increments that are applied again after a process is killed',
      KILL,
      { forgetsIds: true },
      'the counter of writer',
    ],
    ['a killed process that leaves half of a batch', KILL, { applyPart: firstHalf }, 'a read of the batches'],
  ]

const RACE_DEFECTS = [
  'an edge that remains after the concurrent deletion of its target',
  'concurrent deletions of an edge that reduce the count twice',
  'sides that concurrent writers write in another order',
]

// The tests mostly wait: a store has five seconds to recover.
describe.concurrent('the tests of failures, for a store with one defect', () => {
  for (const [name, section, defects, error] of DEFECTS)
    it(`fail: ${name}`, async () => {
      const store = { ...simulateServer(defects), rounds: 40, timeoutMs: DEFECT_TIMEOUT_MS }
      expect(await findFirstFailure(collect(store, section))).toContain(error)
    })

  for (const { name, create } of [...raceSabotages, ...mirrorSabotages])
    if (RACE_DEFECTS.includes(name))
      it(`fail: ${name}`, async () => {
        const store = { name, create: () => ({ store: create() }), rounds: 20 }
        expect(await findFirstFailure(collect(store, RACE))).toBeDefined()
      })

  it('pass without the defect', async () => {
    expect(await findFirstFailure(collect(simulateServer({})))).toBeUndefined()
  })

  it('pass if the atomicity is source, and the same batch completes a half-written batch', async () => {
    const store = simulateServer({ applyPart: firstHalf, atomicity: 'source' })
    expect(await findFirstFailure(collect(store))).toBeUndefined()
  })
})

describe('describeStoreFailures', () => {
  it('declares a section for each way to fail', () => {
    expect(collect(simulateServer({})).map(({ section }) => section)).toEqual([RACE, CUT, STALL, KILL])
    const { name, create } = simulateServer({})
    expect(collect({ name, create }).map(({ section }) => section)).toEqual([RACE])
  })

  it('requires restore if stall is given', () => {
    const { restore: _, ...store } = simulateServer({})
    expect(() => collect(store)).toThrow(
      new TypeError(
        'describeStoreFailures: "restore" must be a function if "stall" is given; received undefined',
      ),
    )
  })
})
