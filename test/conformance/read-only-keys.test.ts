import fc from 'fast-check'
import { describeReadOnlyStore, type StoreRecords } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { compareIds } from '../../src/base/ids.ts'
import type { EdgeEntry, RangeResult, Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { toMutations } from '../../src/testing/read-only/store-records.ts'
import { createNode } from '../../src/testing/records.ts'
import {
  createKeySabotages,
  createKeyStore,
  type KeyOrder,
  MICROSECONDS,
  TEXTS,
} from '../helpers/key-store.ts'
import { collectDeclared, findFirstFailure } from '../helpers/sabotage/collecting-runner.ts'

const ORDERS = [
  ['microseconds', MICROSECONDS],
  ['texts', TEXTS],
] as const

const SOURCES = ['1', '2']
const TARGETS = ['20', '9', '100', '4', '5', '71', '72', '30']

/** Returns records with lists whose entries are one microsecond apart, against the order of their ids, and with ties. */
const createRecords = ({ positionOf, compareKeys }: KeyOrder): StoreRecords => {
  const nodes = [...SOURCES, ...TARGETS].map(id => createNode(id))
  const edges = SOURCES.flatMap(source =>
    TARGETS.map((target, index) => {
      const data = { micros: 1003 - Math.floor(index / 2), label: `label ${9 - Math.floor(index / 2)}` }
      const edge = { source, name: 'likes', target, time: 0, data }
      return { ...edge, ...positionOf({ ...edge, node: createNode(target) }) }
    }).sort((a, b) => compareKeys(a.key, b.key) || compareIds(a.target, b.target)),
  )
  return { nodes, edges, tokens: [] }
}

/** Returns a store that contains the records, and rejects writes. */
const fill = async (store: Store, records: StoreRecords): Promise<Store> => {
  await store.write(toMutations(records), { signal: undefined })
  const write = () => {
    throw new Error('This store is read-only')
  }
  return delegateStore(store, { open: () => undefined, write })
}

const collectFailure = (create: () => Store, records: StoreRecords, givenRecords = records) =>
  findFirstFailure(
    collectDeclared(
      runner =>
        describeReadOnlyStore(runner, {
          name: 'keys',
          create: () => fill(create(), records),
          records: givenRecords,
        }),
      100,
    ),
  )

const withEntries = (change: (entry: EdgeEntry) => EdgeEntry) => (result: RangeResult) => ({
  ...result,
  entries: result.entries.map(change),
})

describe.each(ORDERS)('the suite of read-only stores, for lists with keys (%s)', (_, order) => {
  const records = createRecords(order)

  describeReadOnlyStore(
    { describe, it, fc, runs: process.env.KITHGRAPH_LONG ? 2000 : 50 },
    { name: 'lists with keys', create: () => fill(createKeyStore(order), records), records },
  )

  it.each([
    ...createKeySabotages(order),
    {
      name: 'entries with the key of another entry',
      create: () => createKeyStore(order, { mapResult: withEntries(entry => ({ ...entry, key: '1000' })) }),
    },
    {
      name: 'keys in the reverse order',
      create: () =>
        createKeyStore({ ...order, compareKeys: (a, b) => (a === b ? 0 : -order.compareKeys(a, b)) }),
    },
    {
      name: 'a range that begins after all entries with the key of its position',
      create: () =>
        createKeyStore(order, { compareFrom: (a, b) => order.compareKeys(a.key ?? '', b.key ?? '') }),
    },
  ])('fails with: $name', async ({ create }) => {
    expect(await collectFailure(create, records)).toBeDefined()
  })

  it('fails with an error of the store for keys that callers make up', async () => {
    const isKey = (key: string): boolean => {
      if (records.edges.some(edge => edge.key === key)) return true
      throw new Error('The column cannot hold the key')
    }
    const failing: KeyOrder = { ...order, isKey }
    expect(await collectFailure(() => createKeyStore(failing), records)).toBeDefined()
  })

  it('shows the key that the records lack', async () => {
    const edges = records.edges.map(({ key: _, ...edge }) => edge)
    const failure = await collectFailure(() => createKeyStore(order), records, { ...records, edges })
    expect(failure).toMatch(/at \/entries\/0/)
  })

  it('rejects a list in which only some edges have a key', () => {
    const edges = records.edges.map((edge, index) => (index === 3 ? { ...edge, key: undefined } : edge))
    const declare = () =>
      collectDeclared(runner =>
        describeReadOnlyStore(runner, {
          name: 'keys',
          create: () => createKeyStore(order),
          records: { ...records, edges },
        }),
      )
    expect(declare).toThrow(
      new TypeError(
        'describeReadOnlyStore: "records.edges" must be edges of which all or none of a list have a key; received 7 of 8 with a key in the list "likes" of 1',
      ),
    )
  })
})
