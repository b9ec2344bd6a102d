import { assertDirectionsAgree, assertPagesJoin, createModelStore } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import { createKeySabotages, createKeyStore, MICROSECONDS, TEXTS } from '../helpers/key-store.ts'
import { collectTests, findFirstFailure } from '../helpers/sabotage/collecting-runner.ts'

const ORDERS = [
  ['microseconds', MICROSECONDS],
  ['texts', TEXTS],
] as const

/** The sections about lists. The others read no positions, or lists that are too long for this store. */
const SECTIONS = ['edges', 'ranges', 'counts', 'concurrency', 'snapshots', 'any sequence of writes and reads']

/** Writes a list whose entries are one microsecond apart, against the order of their ids. */
const fill = async (store: Store): Promise<Store> => {
  const ids = ['1', '20', '9', '100', '4', '5']
  await store.write(
    [
      ...ids.map(id => ({ op: 'putNode', node: { id, type: 'thing', fields: {} } }) as const),
      ...ids.slice(1).map((target, index) => {
        const data = { micros: 1000 - index, label: `label ${9 - index}` }
        return { op: 'putEdge', edge: { source: '1', name: 'likes', target, time: 0, data } } as const
      }),
    ],
    { signal: undefined },
  )
  return store
}

const assertLaws = async (store: Store): Promise<void> => {
  for (const limit of [1, 2, 5]) {
    await assertDirectionsAgree(store, { source: '1', name: 'likes', limit })
    for (const direction of ['newest', 'oldest'] as const)
      await assertPagesJoin(store, { source: '1', name: 'likes', direction, limit })
  }
}

describe('the conformance suite for a store with keys', () => {
  it('passes if the keys are microseconds', async () => {
    const create = () => createKeyStore(MICROSECONDS, {}, createModelStore())
    const tests = collectTests({ name: 'keys', create }, 10)
    const chosenTests = tests.filter(({ section }) => SECTIONS.includes(section))
    expect(new Set(chosenTests.map(({ section }) => section)).size).toBe(SECTIONS.length)
    expect(await findFirstFailure(chosenTests)).toBeUndefined()
  })
})

describe.each(ORDERS)('the laws of pages for a store with keys (%s)', (_, order) => {
  it('hold', async () => {
    await assertLaws(await fill(createKeyStore(order)))
  })

  it.each(createKeySabotages(order))('do not hold with: $name', async ({ create }) => {
    const store = await fill(create())
    await expect(assertLaws(store)).rejects.toThrow()
  })
})
