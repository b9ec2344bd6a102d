import {
  createModelStore,
  describeStoreFailures,
  type FailingStore,
  type StoreInUse,
  writeUntilKilled,
} from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
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
      'a call after a cut that never ends, although the next call succeeds',
      CUT,
      { hangsOnRepeated: true },
      `the same batch, written again did not end within ${DEFECT_TIMEOUT_MS} ms`,
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

describe('writeUntilKilled', () => {
  it('rejects a text that is no task', async () => {
    const written = writeUntilKilled(createModelStore(), 'nonsense', () => undefined)
    await expect(written).rejects.toThrow(
      new TypeError(
        'writeUntilKilled: "task" must be the string that startWriter received; received "nonsense"',
      ),
    )
  })
})

describe('describeStoreFailures', () => {
  it('declares a section for each way to fail', () => {
    expect(collect(simulateServer({})).map(({ section }) => section)).toEqual([RACE, CUT, STALL, KILL])
    const { name, create } = simulateServer({})
    expect(collect({ name, create }).map(({ section }) => section)).toEqual([RACE])
  })

  /** Runs the tests of a section, and returns the first failure and the calls that release resources. */
  const failWith = async (section: string, changes: Partial<StoreInUse>) => {
    const simulated = simulateServer({})
    const releases: string[] = []
    const release = (name: string, store: Store): Store =>
      delegateStore(store, { close: () => void releases.push(name) })
    const create = async () => {
      const created = await simulated.create()
      const remove = () => void releases.push('remove')
      return { ...created, remove, store: release('store', created.store), ...changes }
    }
    return { failure: await findFirstFailure(collect({ ...simulated, create }, section)), releases }
  }

  it.each([CUT, STALL])('requires connect in the section: %s', async section => {
    const { failure, releases } = await failWith(section, { connect: undefined })
    expect(failure).toContain(
      'describeStoreFailures: "connect" must be a function if "cut" or "stall" is given; received undefined',
    )
    expect(releases).toEqual(['store', 'remove'])
  })

  it('closes and removes everything if connect fails', async () => {
    const connect = () => Promise.reject(new Error('no connection'))
    const { failure, releases } = await failWith(RACE, { connect })
    expect(failure).toContain('no connection')
    expect(releases).toEqual(['store', 'remove'])
  })

  it('closes and removes everything if the other store can be neither opened nor closed', async () => {
    const rejectCall = () => Promise.reject(new Error('no connection'))
    const connect = () => delegateStore(createModelStore(), { open: rejectCall, close: rejectCall })
    const { failure, releases } = await failWith(RACE, { connect })
    expect(failure).toContain('(#2) The store failed')
    expect(releases).toEqual(['store', 'remove'])
  })

  it.each([
    ['an unknown option', { cutt: () => undefined }, /did you mean "cut"|must be one of/],
    [
      'no rounds',
      { rounds: 0 },
      /^describeStoreFailures: "rounds" must be an integer of at least 1; received 0$/,
    ],
    ['no time', { timeoutMs: 0 }, /^describeStoreFailures: "timeoutMs" must be an integer of at least 1/],
    ['no function create', { create: undefined }, /^describeStoreFailures: "create" must be a function/],
  ])('rejects %s', (_, options, message) => {
    const declare = () =>
      collectDeclared(runner => {
        Reflect.apply(describeStoreFailures, undefined, [runner, { ...simulateServer({}), ...options }])
      })
    expect(declare).toThrow(message)
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
